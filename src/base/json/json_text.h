// Canonical JSON (json.h R6) appended to a text that is being made, without a value of it in
// between.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred {

void append_json(std::string& out, const Json& value);
void append_json(std::string& out, const JsonObject& value);

// The place of the first byte from `from` on that JSON escapes: a quote, a backslash or one below a
// space. The text's size: there is none.
std::size_t next_json_escape(std::string_view text, std::size_t from);

// ,"name": or, as the first of an object, "name":
void append_json_name(std::string& out, std::string_view name);

}  // namespace alfred
