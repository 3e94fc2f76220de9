// What the interpreter answers each node with.
#pragma once

#include <string>

#include "contracts/act_answer.h"
#include "contracts/think_answer.h"
#include "contracts/understand_answer.h"
#include "interpreter/rules/doing/steps.h"

namespace alfred::rules {

UnderstandAnswer understand(const Book& book, const Facts& facts);
ThinkAnswer think(const Book& book, const Facts& facts);
// The step is known by its place in the plan.
ActAnswer act(const Book& book, const Facts& facts, std::size_t step);
ActQuickAnswer act_quick(const Book& book, const Facts& facts);
// Which phrases a message was read by, what their slots hold, and which words were not read.
std::string reading(const Book& book, const Facts& facts);
std::string reply(const Book& book, const Facts& facts);

// The parameters of the read that a question wants.
JsonObject read_params(const Book& book, const Facts& facts, const Doing& doing);

}  // namespace alfred::rules
