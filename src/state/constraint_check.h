// Constraints are checked by code, not only shown (D12a): content is held against what the user
// wants kept to, through the pack's categories.
//
// R1 a type that declares how it is checked is; others inform only.
// R2 excluded: no word of the named places is the value or belongs to its category; required: one is.
// R3 at_most and equals compare numbers; tag looks into a list; a value not_x asks for the opposite.
// R4 the error names the constraint and what breaks it, and nothing else.
#pragma once

#include <string>

#include "pack/pack.h"
#include "state/constraints.h"

namespace alfred {

// Error: constraint.
Result<void> check_constraints(const SessionConstraints& constraints, const Pack& pack,
                               const Json& content, const std::string& path);

}  // namespace alfred
