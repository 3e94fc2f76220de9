// Rows as people read them: a name and what the pack's layout says of it.
#pragma once

#include <string>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// "asparagus: 2 bunches | produce"; without ids, links by their names, instants as the clock on the
// wall shows them in the zone.
std::string row_line(const Book& book, std::string_view table, const JsonObject& row,
                     const std::string& zone);
// The lines behind that one, each indented; empty: there are none.
std::string row_rest(const Book& book, std::string_view table, const JsonObject& row,
                     const std::string& zone);
// The whole row: lines, then parts and lists.
std::string row_whole(const Book& book, std::string_view table, const JsonObject& row,
                      const std::string& zone);
// Values of some fields: "allergies: shellfish, peanut".
std::string values_text(const Book& book, std::string_view table, const JsonObject& values,
                        const std::string& zone);
// How one row of the table is called: "book".
std::string name_of_one(const Book& book, std::string_view table);
// "Which loan did you mean?": what a ref is called is no word for people.
std::string in_words(const Book& book, const std::string& question);
// A unit as it is said of so many: "cloves" of 2. Where the pack has no plural for it, as it is.
std::string unit_text(const Book& book, const std::string& unit, double amount);
bool is_plural(const std::string& said);
std::string row_name(const Book& book, std::string_view table, const JsonObject& row);

}  // namespace alfred::rules
