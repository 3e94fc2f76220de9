// "under 30 minutes", "at least 200 pages": a number that a field is held against.
//
// R1 "under", "less than", "over" and the like leave the number itself out; "at most", "within", "at least" take it in.
// R2 "no more than" is at most, "not less than" is at least.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

struct Comparison {
  std::string table{};
  Cond cond{};
  std::size_t to = 0;  // behind it
};

// What is compared from this word on; nothing: nothing is.
std::optional<Comparison> comparison_at(const ReadingWorld& world, std::span<const Token> tokens,
                                        std::size_t at);

}  // namespace alfred::rules
