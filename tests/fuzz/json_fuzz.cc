// Any bytes: the reader never crashes; what it accepts can be written, and reads back the same.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/json/json.h"
#include "base/utf8.h"

namespace {

void require(bool condition, const char* promise) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

void round_trip(const alfred::Json& value, const std::string& text) {
  const auto again = alfred::parse_json(text, alfred::JsonLimits::none());
  require(again.has_value(), "what was written can be read");
  require(*again == value, "what was written reads back as the same value");
  require(alfred::write_json(*again) == alfred::write_json(value), "and is written the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto limited = alfred::parse_json(text, alfred::JsonLimits::model_output());
  const auto value = alfred::parse_json(text, alfred::JsonLimits::none());
  require(value || !value.error().path.empty(), "an error says where");
  require(value || value.error().message.size() <= 400, "a message is short");
  require(value || alfred::is_utf8(value.error().message), "a message is UTF-8");
  require(!limited || value, "a limit only ever refuses");
  if (value) {
    round_trip(*value, alfred::write_json(*value));
    round_trip(*value, alfred::write_json_pretty(*value));
  }
  return 0;
}
