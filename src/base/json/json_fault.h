// Says in words what is wrong with a text that is not JSON, and what to do about it, from the place
// where the parser stopped. The parser itself knows only "syntax error".
//
// R1 The message names what was found and what to write instead.
// R2 The path is `byte N`; for a broken surrogate pair N is where its first escape begins.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/json/error.hpp>

#include "alfred/error.h"

namespace alfred {

// The form of Error::path for a place in a text.
std::string byte_path(std::size_t offset);

// The parser stopped in `text` at `offset` because of `reason`.
Error explain_json_fault(std::string_view text, std::size_t offset, boost::json::error reason);

}  // namespace alfred
