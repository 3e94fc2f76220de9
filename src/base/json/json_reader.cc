#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <boost/json/basic_parser_impl.hpp>

#include "base/json/json.h"
#include "base/json/json_builder.h"
#include "base/json/json_fault.h"
#include "base/utf8.h"

namespace alfred {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

JsonLimits under_the_ceiling(JsonLimits limits) {
  limits.max_depth = std::min(limits.max_depth, kJsonDepthCeiling);
  return limits;
}

// `text` keeps its byte order mark, so that every offset counts from the text given.
Result<Json> read_value(std::string_view text, const JsonLimits& limits) {
  const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  boost::json::parse_options options;
  options.max_depth =
      JsonLimits::kNone;  // the builder counts, and its error says how deep is allowed
  boost::json::basic_parser<JsonBuilder> parser(options, text, under_the_ceiling(limits));
  boost::json::error_code code;
  const std::size_t end =
      begin + parser.write_some(false, text.data() + begin, text.size() - begin, code);
  if (std::optional<Error> refusal = parser.handler().refusal(end))
    return Unexpected(std::move(*refusal));
  if (code)
    return Unexpected(explain_json_fault(text, end, static_cast<boost::json::error>(code.value())));
  if (end < text.size())
    return Unexpected(explain_json_fault(text, end, boost::json::error::extra_data));
  return parser.handler().release();
}

}  // namespace

JsonLimits JsonLimits::none() { return {}; }

JsonLimits JsonLimits::model_output() {
  constexpr std::size_t kKiB = 1024;
  return {.max_depth = 64,
          .max_bytes = 4 * kKiB * kKiB,
          .max_values = 100'000,
          .max_key_bytes = 256,
          .max_string_bytes = 256 * kKiB};
}

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes)
    return fail(
        ErrorCode::limit,
        fmt::format("The text has {} bytes; send at most {}.", text.size(), limits.max_bytes),
        byte_path(limits.max_bytes));
  if (const std::optional<std::size_t> bad = first_invalid_utf8(text))
    return fail(ErrorCode::utf8, "A byte sequence is not UTF-8; send the text as UTF-8.",
                byte_path(*bad));
  try {
    return read_value(text, limits);
  } catch (const std::exception& error) {  // out of memory, or a string beyond Boost's 2 GiB
    Unexpected failure = fail(ErrorCode::limit, "The text is larger than can be kept in memory.");
    failure.value().detail = error.what();
    failure.value().path = byte_path(0);
    return failure;
  }
}

}  // namespace alfred
