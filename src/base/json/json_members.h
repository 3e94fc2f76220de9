// Members of objects in JSON text that was read already and is copied as it is.
#pragma once

#include <string_view>

namespace alfred {

// The second of two members that have one name in the same object: its opening quote. Null when
// there is none. Precondition: the text is well-formed JSON, or a part of it that is.
const char* find_repeated_member(std::string_view json);

}  // namespace alfred
