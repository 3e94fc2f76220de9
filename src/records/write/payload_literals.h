// Values of a payload in which a lit_n may stand for the text or the number it hides.
#pragma once

#include <optional>
#include <string_view>

#include "base/json/json.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

// Whether a lit_n may stand anywhere in it.
bool may_name_literal(const Json& json);

// The number that was shown as a literal whose text this is (masked_json.h); nothing: it was none.
std::optional<Json> hidden_number(std::string_view text);

// The value with every lit_n replaced by its text, in names of members too.
Result<Json> with_literals(const RefRegistry& registry, const Json& json);

}  // namespace alfred
