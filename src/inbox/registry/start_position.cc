#include "inbox/registry/start_position.h"

#include <limits>

#include <fmt/format.h>

namespace alfred::inbox {
namespace {

// Appended times may go back with the clock: the first event in offset order counts.
constexpr Statement kFirstSince(
    "SELECT min(place) FROM alfred_inbox_events WHERE stream = :stream AND appended_ms >= :since");

}  // namespace

StartPosition read_start(Fields& fields) {
  StartPosition out;
  const std::string policy =
      fields.choice("startPolicy", {"latest", "earliest", "at_offset", "at_time"});
  if (!policy.empty()) out.policy = policy;
  out.offset = fields.maybe_number("startOffset", 1, std::numeric_limits<std::int64_t>::max());
  out.time_ms = fields.maybe_instant("startTime");
  if (out.offset.has_value() != (out.policy == "at_offset"))
    fields.refuse(ErrorCode::schema, "startOffset goes with startPolicy at_offset, and only then.",
                  "startOffset");
  if (out.time_ms.has_value() != (out.policy == "at_time"))
    fields.refuse(ErrorCode::schema, "startTime goes with startPolicy at_time, and only then.",
                  "startTime");
  return out;
}

Result<std::int64_t> place_of(Sql& sql, const SourceRow& source, const StartPosition& start) {
  if (start.policy == "earliest") return 0;
  if (start.policy == "at_offset") {
    if (*start.offset <= source.last_place + 1) return *start.offset - 1;
    return fail(ErrorCode::offset,
                fmt::format("The stream ends at offset {}; startOffset is at most {}.",
                            source.last_place, source.last_place + 1),
                "startOffset");
  }
  if (start.policy == "at_time") {
    const auto row = sql.first(kFirstSince, {{"stream", source.stream}, {"since", *start.time_ms}});
    if (row && !is_null_at(*row, 0)) return number_at(*row, 0) - 1;
  }
  return source.last_place;
}

}  // namespace alfred::inbox
