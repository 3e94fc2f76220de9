// What a thing is made of against what is there (difference by link or name).
#pragma once

#include <string>
#include <vector>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// Whether what is there serves for what is needed: "jasmine rice" for "rice".
bool serves(const Book& book, std::string_view there, std::string_view needed);
// Whether a row of what is there counts none of it.
bool is_used_up(const Book& book, const JsonObject& row);
// The parts of the row that nothing of the stock serves for; optional ones apart.
std::vector<const JsonObject*> missing_parts(const Book& book, const JsonObject& row,
                                             const std::vector<const JsonObject*>& stock);

}  // namespace alfred::rules
