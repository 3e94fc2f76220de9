// Where a message may be taken apart, and its parts with what is known of their words.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// Before a word that begins a clause.
std::vector<std::size_t> seams(const ReadingWorld& world, std::span<const Token> tokens);
// At every "and" and comma, where a verb may be said once for several.
// `least`: how many words come behind it at least.
std::vector<std::size_t> joints(std::span<const Token> tokens, std::size_t least = 2);
std::span<const Token> without_joints(std::span<const Token> tokens);
// "expiring on friday": what is said of the things before it.
bool tells_when(const ReadingWorld& world, std::span<const Token> tokens, std::size_t at);
// "eggs expiring on friday to the shelf" with that at its end; nothing: it stands there, or is not
// said.
std::optional<Tokens> told_at_the_end(const ReadingWorld& world, std::span<const Token> tokens);
// "one with …", "2 without …": more of the things that were just asked for.
bool is_so_many_with(std::span<const Token> tokens);
// A statement for a database, which is no message.
bool looks_like_database(std::span<const Token> tokens);

// A part of the message; the tokens are the caller's.
Clause make_clause(const ReadingWorld& world, std::string_view message,
                   std::span<const Token> tokens);
// Values for the table's fields that the words say without naming the fields: "on C3", "tomorrow".
std::vector<FieldSet> values_said(const ReadingWorld& world, std::string_view message,
                                  const Table& table, std::span<const Token> tokens);
// New things under wishes, not rows on days.
bool makes_new(const Doing& doing);
// `ticks = "list.done"`: rows of another table, called exactly as what is added, get that flag;
// where there are none, nothing is said of it.
void add_ticks(const ReadingWorld& world, Program& program);

}  // namespace alfred::rules
