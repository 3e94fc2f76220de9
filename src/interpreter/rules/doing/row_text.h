// Rows as people read them: a name and what the pack's layout says of it.
#pragma once

#include <string>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// "asparagus: 2 bunch | produce"; without ids, links by their names, instants as the clock on the
// wall shows them in the zone.
std::string row_line(const Book& book, std::string_view table, const JsonObject& row,
                     const std::string& zone);
// The whole row: lines, then parts and lists.
std::string row_whole(const Book& book, std::string_view table, const JsonObject& row,
                      const std::string& zone);
// Values of some fields: "allergies: shellfish, peanut".
std::string values_text(const Book& book, std::string_view table, const JsonObject& values,
                        const std::string& zone);
std::string row_name(const Book& book, std::string_view table, const JsonObject& row);

}  // namespace alfred::rules
