// Whether a prompt of Act has the sections it should: those of 002's matrix for its step type, in
// 002's order (turn/act/act_prompt.h).
//
// R1 no other heading, none twice, none out of order.
// R2 a section that has nothing to say may be missing; not those that always have.
#pragma once

#include <string>

#include "contracts/ask.h"

namespace alfred {

// What is wrong; empty: nothing, or the ask is not Act's.
std::string section_fault(const Ask& ask);

}  // namespace alfred
