// What a pack's rule makes of a value that a column does not take as it is (pack/compile_rules.h).
//
// R1 a value that the rule cannot read stays as it is: the column's own check then says no.
// R2 is_simplified: something that was said is not in the result ("4 servings" → 4).
#pragma once

#include "base/json/json.h"
#include "pack/compile_rules.h"

namespace alfred {

struct Coerced {
  Json value;
  bool is_simplified = false;
};
Coerced coerce(Coercion rule, const Json& value, const UnitWords& units);

}  // namespace alfred
