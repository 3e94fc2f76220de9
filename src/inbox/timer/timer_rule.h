// When a timer fires.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "alfred/error.h"
#include "base/time/time_zone.h"
#include "inbox/fields.h"
#include "inbox/timer/cron.h"

namespace alfred::inbox {

struct TimerRule {
  std::string kind;  // at, every, cron
  std::string rule;  // an instant, milliseconds, a cron rule
  std::string zone = "UTC";
};

// {at | every | cron, timezone?}: `every` is milliseconds, or a text such as 90s, 5m, 2h, 1d.
Result<TimerRule> read_rule(Fields& fields);

// A rule that was read once, for many times.
class TimerTimes {
 public:
  static Result<TimerTimes> of(const TimerRule& rule);
  // The first time after an instant; `phase` is one of the rule's own times, for every. Nothing:
  // never again.
  std::optional<std::int64_t> next(std::int64_t after_ms, std::int64_t phase_ms) const;
  std::int64_t period_ms() const { return period_ms_; }  // 0: not every

 private:
  std::optional<std::int64_t> at_ms_;
  std::int64_t period_ms_ = 0;
  std::optional<Cron> cron_;
  std::optional<TimeZone> zone_;
};

}  // namespace alfred::inbox
