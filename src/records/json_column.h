// What of a JSON column's stored text a call can carry, and how the rest is shown and taken back.
//
// R1 a text that is JSON, and that loses nothing when it is read (no digit, no member of two with
//    one name), is shown as the value that it is, members by name.
// R2 any other is shown as {"stored_text":"…"}: its own text. So is a value that looks like this.
// R3 {"stored_text":"…"} in a call is that text, to be stored byte for byte, if JSON's grammar takes
//    it. So what was shown and is written back unchanged is stored unchanged, or refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred {

inline constexpr std::string_view kStoredText = "stored_text";

// The same value with members by name, all the way down; nothing where it is deeper than allowed.
std::optional<Json> with_sorted_members(const Json& json, std::size_t depth_left);

// R1. The value as it is shown; nothing where it would not be all of the text.
std::optional<Json> exact_json(std::string_view text);

// R2. What stands in an object of this one member; null: it is no such object.
const Json* stored_text(const Json& json);

// R3. One value, at most so deep, whatever its numbers and names are.
bool is_json_text(std::string_view text, std::size_t max_depth);

}  // namespace alfred
