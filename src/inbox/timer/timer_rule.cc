#include "inbox/timer/timer_rule.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "base/time/clock.h"
#include "base/time/iso_time.h"

namespace alfred::inbox {
namespace {

constexpr std::int64_t kLeastMs = 60'000;
constexpr std::int64_t kMostMs = 3660LL * 86'400'000;

std::optional<std::int64_t> duration_in(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (wrong != std::errc() || count < 0 || count > kMostMs) return std::nullopt;
  for (const auto& [name, ms] : {std::pair<std::string_view, std::int64_t>{"s", 1000},
                                 {"m", 60'000},
                                 {"h", 3'600'000},
                                 {"d", 86'400'000}})
    if (unit == name) return count > kMostMs / ms ? kMostMs + 1 : count * ms;
  return std::nullopt;
}

void read_every(Fields& fields, TimerRule& out) {
  const Json* const given = fields.find("every");
  std::optional<std::int64_t> ms;
  if (given->is_int64()) ms = given->as_int64();
  if (given->is_string()) ms = duration_in(given->as_string());
  if (!ms || *ms < kLeastMs || *ms > kMostMs)
    fields.refuse(
        ErrorCode::value,
        "every is milliseconds from 60000, or a time such as 90s, 5m, 2h or 1d, at least a "
        "minute and at most ten years.",
        "every");
  out.rule = std::to_string(ms.value_or(kLeastMs));
}

}  // namespace

Result<TimerRule> read_rule(Fields& fields) {
  TimerRule out;
  int ways = 0;
  for (const char* kind : {"at", "every", "cron"})
    if (fields.has(kind)) {
      out.kind = kind;
      ++ways;
    }
  if (ways != 1)
    fields.refuse(ErrorCode::schema, "Give exactly one of at, every and cron.", "at",
                  {"at", "every", "cron"});
  if (const auto zone = fields.maybe_text("timezone")) out.zone = *zone;
  if (!TimeZone::load(out.zone))
    fields.refuse(ErrorCode::value,
                  fmt::format("{} is no time zone known here; give a name such as Europe/Berlin.",
                              quoted_text(out.zone)),
                  "timezone");
  if (out.kind == "at") out.rule = rfc3339_utc(fields.maybe_instant("at").value_or(0));
  if (out.kind == "every") read_every(fields, out);
  if (out.kind == "cron") {
    out.rule = fields.text("cron");
    if (const Result<Cron> cron = Cron::parse(out.rule); !cron && !out.rule.empty())
      fields.refuse(cron.error().code, cron.error().message, "cron");
  }
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  return out;
}

Result<TimerTimes> TimerTimes::of(const TimerRule& rule) {
  TimerTimes out;
  if (rule.kind == "at") out.at_ms_ = iso_instant_ms(rule.rule);
  if (rule.kind == "every") out.period_ms_ = std::max(std::atoll(rule.rule.c_str()), 1LL);
  if (rule.kind != "cron") return out;
  Result<Cron> cron = Cron::parse(rule.rule);
  if (!cron) return Unexpected(cron.error());
  out.cron_ = *cron;
  out.zone_ = TimeZone::load(rule.zone);
  if (!out.zone_)
    return fail(ErrorCode::value, "The timer's time zone is not known here any more.", "timezone");
  return out;
}

std::optional<std::int64_t> TimerTimes::next(std::int64_t after_ms, std::int64_t phase_ms) const {
  if (period_ms_ > 0) {
    if (after_ms < phase_ms) return phase_ms;
    return phase_ms + ((after_ms - phase_ms) / period_ms_ + 1) * period_ms_;
  }
  if (!cron_) return at_ms_ && *at_ms_ > after_ms ? at_ms_ : std::nullopt;
  const std::int64_t after = after_ms >= 0 ? after_ms / 1000 : (after_ms - 999) / 1000;
  const std::optional<std::int64_t> next = cron_->next_after(after, *zone_);
  if (!next) return std::nullopt;
  return *next * 1000;
}

}  // namespace alfred::inbox
