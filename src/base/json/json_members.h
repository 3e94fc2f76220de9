// Members of objects in JSON text that is looked at without being built.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

// The second of two members that have one name in the same object: its opening quote. Null when
// there is none. Precondition: the text is well-formed JSON, or a part of it that is.
const char* find_repeated_member(std::string_view json);

struct JsonMember {
  std::string name{};
  std::string_view value{};  // as it stands in the text
};

// The members of the object that `json` is by its grammar, whatever the reader refuses inside of
// it: numbers that are too large, half a surrogate pair, a name twice further down, any depth.
// Nothing: it is no object, no JSON, or has itself a name twice.
std::optional<std::vector<JsonMember>> outline_members(std::string_view json);

}  // namespace alfred
