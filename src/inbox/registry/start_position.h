// Where a consumer begins: {startPolicy?, startOffset?, startTime?}.
#pragma once

#include "inbox/fields.h"
#include "inbox/registry/sources.h"

namespace alfred::inbox {

struct StartPosition {
  std::string policy = "latest";
  std::optional<std::int64_t> offset, time_ms;
};

StartPosition read_start(Fields& fields);
// The place that counts as read: the first event to be read is the one after it.
Result<std::int64_t> place_of(Sql& sql, const SourceRow& source, const StartPosition& start);

}  // namespace alfred::inbox
