// Things that are made at once, each under its own wishes: "one with A and one with B".
#pragma once

#include <string_view>

#include "interpreter/rules/reading/doing.h"

namespace alfred::rules {

// A program of nothing but such orders becomes one; what all of them want is wanted as ever.
void join_generates(Program& program, std::string_view message);
// "That was a mistake, take it back" takes back once.
void join_undos(Program& program);

}  // namespace alfred::rules
