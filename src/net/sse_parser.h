// Server-sent events out of bytes that come in any pieces.
//
// R1 a line ends with LF, CR or CRLF, wherever the pieces are cut; a byte order mark at the start is passed over.
// R2 data lines of one event are joined by LF; an empty line ends the event; without data there is no event.
// R3 comments and fields that nobody knows are passed over.
// R4 a line or an event longer than the limit is an error, and so is everything after it.
// R5 what no empty line ended is no event: it was cut off.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "alfred/error.h"

namespace alfred {

struct SseEvent {
  std::string name{};  // empty: "message"
  std::string data{};
};

class SseParser {
 public:
  using Sink = std::function<Result<void>(const SseEvent&)>;
  static constexpr std::size_t kMaxEventBytes = 256 * 1024;

  explicit SseParser(std::size_t max_event_bytes = kMaxEventBytes) : max_bytes_(max_event_bytes) {}

  // The sink's error ends it.
  Result<void> feed(std::string_view bytes, const Sink& sink);
  // Whether something is left that no empty line ended (R5).
  bool is_in_event() const { return !line_.empty() || has_data_; }

 private:
  Result<void> end_line(const Sink& sink);
  void take_field(std::string_view line);
  Result<void> too_long();

  std::size_t max_bytes_;
  std::string line_;
  SseEvent event_;
  bool has_data_ = false;
  bool is_after_cr_ = false;
  bool is_begun_ = false;
  bool is_broken_ = false;
};

}  // namespace alfred
