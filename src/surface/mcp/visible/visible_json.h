// How characters that are not seen go out to a model, and come back.
//
// R1 what is_invisible() names (bidi controls, tags, zero-width characters, controls but line ends and tabs)
//    is shown as its code point, \u{202e}. A joiner stays where it joins (context/shown_text.h,
//    R5).
// R2 a text that has \u{ itself is shown with \u{5c}u{: no two texts are shown alike.
// R3 what was shown and comes back unchanged is the text it was shown for; other text stays as it is.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred::mcp {

// R1 and R2 for all strings of a text that write_json() wrote.
std::string visible_json(std::string json);

// R3, for all texts and names of members in it.
void restore_shown(Json& value);
bool has_shown(const Json& value);  // whether there may be something to restore

}  // namespace alfred::mcp
