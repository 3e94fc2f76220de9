// Constraints are checked by code, not only shown (D12a): content is held against what the user
// wants kept to, through the pack's categories.
//
// R1 a type that declares how it is checked is; others inform only. Content that says nothing at any of
//    the places breaks nothing.
// R2 excluded: no text of the named places is the value or belongs to its category, nor to what goes with
//    it where it is avoided; what a text says it is without ("egg-free") does not count. required:
//    one is.
// R3 at_most and equals compare numbers, the sum of the places; a text counts by the number it begins with.
// R4 tag looks into a list, or at a text; words that stand for a value of the field are that value, and a
//    value the field cannot hold is not checked. Of several wanted of one text, one is enough.
// R5 a value not_x asks for the opposite.
// R6 the error names the constraint and what breaks it, and nothing else.
// R7 of a part of something (an update, a nested row) only what it may not have is checked: what it must have may
//    stand in the rest.
#pragma once

#include <cstdint>
#include <string>

#include "pack/pack.h"
#include "state/constraints.h"

namespace alfred {

enum class CheckedAs : std::uint8_t { whole, part };  // R7

// Error: constraint.
Result<void> check_constraints(const SessionConstraints& constraints, const Pack& pack,
                               const Json& content, const std::string& path,
                               CheckedAs as = CheckedAs::whole);

}  // namespace alfred
