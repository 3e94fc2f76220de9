// New things from the pack's templates, under what is asked of them.
//
// R1 the same request gives the same things; ten of them are ten different ones.
// R2 every thing holds all constraints; what it needs and no slot can hold is added to it.
// R3 a request that nothing can meet is refused with what is in the way.
#pragma once

#include <string>
#include <vector>

#include "contracts/act_answer.h"
#include "contracts/constraint.h"
#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

struct MakeRequest {
  std::string type{};
  int count = 1;
  std::vector<Constraint> constraints{};
  std::vector<std::string> taken{};  // names that are given already
};

struct Made {
  std::vector<Artifact> artifacts{};
  std::string refusal{};
};

Made make_things(const Book& book, const MakeRequest& request);

// Whether content holds a constraint, by the pack's checks.
bool holds(const Book& book, const JsonObject& content, const Constraint& constraint);
// "not spicy", "cod", "at most 30".
std::string wish_text(const Constraint& constraint);

}  // namespace alfred::rules
