// Who is meant by a doing's words: by what the turn resolved, and by the rows that were read.
#pragma once

#include <string>
#include <vector>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

inline constexpr const char* kNobody =
    "I do not know what you mean by that. Name it, or show it first.";

// Words that point, as a mention says them: "just the first" → "the first", "1 and 3" → both.
std::vector<std::string> pointers(const std::string& said);
// "all but the second" → "the second"; empty: nothing is left out.
std::string said_but(const std::string& said);
// Which place one of these says of so many, from 1: "the second", "the last one"; 0: it says none.
std::size_t place_said(std::string_view pointer, std::size_t count);
// Whether one of these means several without saying which: "them", "both of them".
bool is_plural_pointer(std::string_view pointer);
// Which of what was made a ref is, by its number; 0: none.
std::size_t number_in(std::string_view ref);
// Of what was made, the refs of those that are unsaved and meant by their place when all were
// listed ("the third", where the first is saved), or as "the rest"; empty: it says no such thing,
// or nobody can tell.
std::vector<std::string> left_of_made(const Facts& facts, const Target& target);
// The refs that the turn found for a target; empty: none.
std::vector<std::string> refs_of(const Facts& facts, const Target& target);
// Whether all that was found for it was found by search only.
bool is_unsure(const Facts& facts, const Target& target);

// The ref of a row of the table: in the column of its key, or beside its columns.
std::string ref_of(const Book& book, std::string_view table, const JsonObject& row);
std::string label_of(const Book& book, std::string_view table, const JsonObject& row);
// Those of the rows that the target means: its refs, or whose name says it; the whole name before a
// part of it.
std::vector<const JsonObject*> rows_meant(const Book& book, std::string_view table,
                                          const Facts& facts, const Target& target,
                                          const std::vector<const JsonObject*>& rows);

// Those whose name, or the name of what they lead to, says these words.
std::vector<const JsonObject*> rows_named(const Book& book, std::string_view table,
                                          std::string_view said,
                                          const std::vector<const JsonObject*>& rows);
// Whether the row's name, or that of what it leads to, says these words: corn tortilla is no
// “bread”, though it is of the category. Nobody loses a row by the name of its kind.
bool is_called(const Book& book, std::string_view table, std::string_view said,
               const JsonObject& row);
// What always holds for the user and forbids this wish; null: nothing.
const Constraint* banned_by(const Book& book, const Facts& facts, const Constraint& wish);
// Whether rows of the table have a name that a search can find.
bool has_name(const Book& book, std::string_view table);
// Why what was made no longer keeps to what is wanted; empty: it does.
std::string broken_wish(const Book& book, const Facts& facts, const std::string& label,
                        const JsonObject& content);

}  // namespace alfred::rules
