#include "net/sse_parser.h"

#include <algorithm>
#include <utility>

namespace alfred {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<void> SseParser::too_long() {
  is_broken_ = true;
  return fail(ErrorCode::limit,
              "The stream sent an event of more than " + std::to_string(max_bytes_) + " bytes.");
}

Result<void> SseParser::feed(std::string_view bytes, const Sink& sink) {
  if (is_broken_) return too_long();
  while (!bytes.empty()) {
    if (std::exchange(is_after_cr_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    if (line_.size() + event_.data.size() + end > max_bytes_) return too_long();
    line_ += bytes.substr(0, end);
    if (end == bytes.size()) break;
    is_after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (Result<void> ended = end_line(sink); !ended) return ended;
  }
  return {};
}

Result<void> SseParser::end_line(const Sink& sink) {
  std::string line = std::exchange(line_, {});
  if (!std::exchange(is_begun_, true) && line.starts_with(kByteOrderMark))
    line.erase(0, kByteOrderMark.size());
  if (!line.empty()) {
    take_field(line);
    return {};
  }
  const SseEvent event = std::exchange(event_, {});
  if (!std::exchange(has_data_, false)) return {};
  return sink(event);
}

void SseParser::take_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "event") event_.name = value;
  if (name != "data") return;
  if (has_data_) event_.data += '\n';
  has_data_ = true;
  event_.data += value;
}

}  // namespace alfred
