// "Is it easy?": a yes or a no, and by what.
#pragma once

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// What is asked of the row, answered by its values and, for a diet, by what is in it; empty:
// nothing is asked.
std::string whether_text(const Book& book, const Doing& doing, const JsonObject& row);

// Whether what was asked about is one of these values, or of their kind: "Yes. "; empty: nothing
// was.
std::string whether_among(const Book& book, const Doing& doing,
                          const std::vector<std::string>& values);

}  // namespace alfred::rules
