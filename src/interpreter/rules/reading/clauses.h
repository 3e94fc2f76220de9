// Where a message may be taken apart.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// Before a word that begins a clause.
std::vector<std::size_t> seams(const ReadingWorld& world, std::span<const Token> tokens);
// At every "and" and comma, where a verb may be said once for several.
std::vector<std::size_t> joints(std::span<const Token> tokens);
std::span<const Token> without_joints(std::span<const Token> tokens);
// A statement for a database, which is no message.
bool looks_like_database(std::span<const Token> tokens);

}  // namespace alfred::rules
