// A value whose parts lie together: for what is read once and soon gone, as a message is.
//
// R1 the value is the one of parse_json(). Its memory is given back when the last part of it is gone; a copy has
//    memory of its own, what is moved from it into a new value stays where it is.
#pragma once

#include <string_view>

#include "base/json/json.h"

namespace alfred {

Result<Json> parse_json_together(std::string_view text, const JsonLimits& limits);

}  // namespace alfred
