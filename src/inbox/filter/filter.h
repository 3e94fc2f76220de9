// Filter: which events of a source a subscription is for: {metadata?, payload?, expr?}.
//
// R1 all parts that are there must hold, in this order; the empty filter holds for every event.
// R2 metadata and payload are shortcuts: keys may be dotted paths, objects match as subsets, scalars by type and
//    value; an expected array beside an array is a subset, beside a scalar any of; an expected
//    scalar beside an array is a member. Paths do not go into arrays.
// R3 expr is an expression (expression.h), parsed here once; what it does not parse, names a function there is
//    not, or is too long or deep, is refused here.
// R4 an error while matching is the event's and the filter's, never the stream's. Matching is bounded: kMaxCompared
//    values of shortcuts, kMaxSteps steps of the expression; memory that there is not is such an
//    error too.
#pragma once

#include <memory>
#include <string_view>

#include "base/json/json.h"

namespace alfred::inbox {

inline constexpr std::int64_t kMaxCompared = 1'000'000;

struct EventView {
  const Json& metadata;
  const Json& payload;
  std::string_view variant;
  std::string_view source_type;
  std::string_view source_key;
};

class Filter {
 public:
  static Result<Filter> compile(const Json& filter);
  Result<bool> matches(const EventView& event) const;

 private:
  struct Parts;
  Result<bool> matches_parts(const EventView& event) const;
  explicit Filter(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

}  // namespace alfred::inbox
