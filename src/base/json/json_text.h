// Canonical JSON (json.h R6) appended to a text that is being made, without a value of it in
// between.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred {

void append_json(std::string& out, const Json& value);
void append_json(std::string& out, const JsonObject& value);

// ,"name": or, as the first of an object, "name":
void append_json_name(std::string& out, std::string_view name);

}  // namespace alfred
