// One clause of a message: the phrase that fits it best, a wish or a question about rows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

struct ReadClause {
  std::vector<Doing> doings{};  // empty: not understood
  int score = 0;
};

// `is_going_on`: it asks for more of the things that were just asked for.
ReadClause read_clause(const ReadingWorld& world, std::string_view message,
                       std::span<const Token> tokens, bool is_going_on = false);

// Whether rows are others when it is done.
bool changes_rows(const Doing& doing);

}  // namespace alfred::rules
