// JSON: the one reader and the one writer. Values are Boost.JSON's, but its own parse and serialize
// are never used: they round doubles, take the last of two equal members and print Infinity.
//
// R1 Reading is exact: a double has all its bits, an integer fits 64 bits or is refused; where the
//    limits say so (rounds_wide_integers) one beyond them is the nearest double instead.
// R2 A member named twice is refused.
// R3 Limits hold while reading: nothing is built of what lies beyond them.
// R4 Text that is not UTF-8, or an escape that names half a surrogate pair, is refused.
// R5 Every error has the path `byte N`, counted from 0 in the text given, and says what to do.
// R6 Writing is canonical: members in their order, shortest numbers that read back the same, a
//    double always looks like one (`2.0`), the fewest escapes. read(write(x)) is x.
// R7 Neither locale nor platform changes a byte.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include "alfred/error.h"

namespace alfred {

using Json = boost::json::value;
using JsonArray = boost::json::array;
using JsonObject = boost::json::object;
using JsonString = boost::json::string;

// Deeper than this is refused whatever the limits say: reading, writing, comparing and destroying
// a value each take one stack frame per level.
inline constexpr std::size_t kJsonDepthCeiling = 1000;

// What a reader accepts. The outermost array or object has depth 1; each scalar, array and object
// counts as one value; keys and strings are measured in bytes after their escapes are resolved.
// A limit that is not set is none, but for kJsonDepthCeiling.
struct JsonLimits {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::size_t max_depth = kJsonDepthCeiling;
  std::size_t max_bytes = kNone;
  std::size_t max_values = kNone;
  std::size_t max_key_bytes = kNone;
  std::size_t max_string_bytes = kNone;
  // For what others wrote for other readers: an integer beyond 64 bits loses digits, as in
  // JavaScript, rather than the whole text. What is no finite double is refused all the same.
  bool rounds_wide_integers = false;

  static JsonLimits none();          // for our own files and plain filters
  static JsonLimits model_output();  // what a model may answer
};

// One JSON value and white space around it; a leading byte order mark is skipped.
// An integer becomes int64, or uint64 if only that holds it; a number with a fraction or an
// exponent becomes a double, and one too small for a double becomes a zero of its sign. Errors:
// json, json_dupkey, utf8, limit.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits);

// The canonical form (R6), on one line and without white space. Strings must be UTF-8: whoever
// makes a Json from bytes of unknown origin looks at them with is_utf8 first. A double that is
// infinite or not a number is a programmer's error and stops the program, because JSON cannot say
// it.
std::string write_json(const Json& value);

// The same scalars for people: two spaces per level, one member or element a line, newline at end.
std::string write_json_pretty(const Json& value);

// Appends `text`, which must be UTF-8, as a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace alfred
