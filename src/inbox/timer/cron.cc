#include "inbox/timer/cron.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/quoted_text.h"

namespace alfred::inbox {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMostDays = 12 * 366;
constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays{"sun", "mon", "tue", "wed",
                                                    "thu", "fri", "sat"};

struct FieldRange {
  std::string_view name;
  int least, most;
  std::span<const std::string_view> names{};
};

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(by);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::optional<int> number_in(std::string_view text, const FieldRange& range) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  for (std::size_t i = 0; i < range.names.size(); ++i)
    if (lower == range.names[i]) return static_cast<int>(i) + range.least;
  int out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (wrong != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (out < range.least || out > range.most) return std::nullopt;
  return out;
}

// One part of a field's list: `*`, `5`, `1-5`, each with `/step`.
template <std::size_t N>
bool read_part(std::string_view part, const FieldRange& range, std::bitset<N>& into) {
  const std::size_t slash = part.find('/');
  int step = 1;
  if (slash != std::string_view::npos) {
    const auto given = number_in(part.substr(slash + 1), {"step", 1, range.most});
    if (!given) return false;
    step = *given;
    part = part.substr(0, slash);
  }
  int first = range.least;
  int last = range.most;
  if (part != "*") {
    const std::size_t dash = part.find('-');
    const auto from = number_in(part.substr(0, dash), range);
    const auto to = dash == std::string_view::npos ? from : number_in(part.substr(dash + 1), range);
    if (!from || !to || *from > *to) return false;
    first = *from;
    last = dash == std::string_view::npos && slash != std::string_view::npos ? range.most : *to;
  }
  for (int i = first; i <= last; i += step) into.set(static_cast<std::size_t>(i));
  return true;
}

template <std::size_t N>
Result<void> read_field(std::string_view text, const FieldRange& range, std::bitset<N>& into) {
  for (const std::string_view part : split(text, ','))
    if (!read_part(part, range, into))
      return fail(
          ErrorCode::value,
          fmt::format("The {} of a cron rule is *, or numbers from {} to {} with - , and /; "
                      "{} is not.",
                      range.name, range.least, range.most, quoted_text(text)),
          "cron");
  return {};
}

// The instant of a local time (R3).
std::int64_t instant_of(std::int64_t local, const TimeZone& zone) {
  const std::int64_t utc = zone.to_utc(local);
  if (utc + zone.offset_at(utc) == local) return utc;
  // In a gap: the change lies at most its length before.
  std::int64_t before = utc - kDay;
  std::int64_t after = utc;
  const std::int64_t offset = zone.offset_at(utc);
  while (after - before > 1) {
    const std::int64_t middle = before + (after - before) / 2;
    (zone.offset_at(middle) == offset ? after : before) = middle;
  }
  return after;
}

std::int64_t floor_day(std::int64_t seconds) {
  return seconds >= 0 ? seconds / kDay : -((-seconds + kDay - 1) / kDay);
}

}  // namespace

Result<Cron> Cron::parse(std::string_view text) {
  std::vector<std::string_view> fields;
  for (const std::string_view field : split(text, ' '))
    if (!field.empty()) fields.push_back(field);
  if (fields.size() != 5)
    return fail(ErrorCode::value,
                "A cron rule has five fields: minute hour day-of-month month day-of-week.", "cron");
  Cron out;
  Result<void> good = read_field(fields[0], {"minute", 0, 59}, out.minutes_);
  if (good) good = read_field(fields[1], {"hour", 0, 23}, out.hours_);
  if (good) good = read_field(fields[2], {"day-of-month", 1, 31}, out.days_);
  if (good) good = read_field(fields[3], {"month", 1, 12, kMonths}, out.months_);
  if (good) good = read_field(fields[4], {"day-of-week", 0, 7, kWeekdays}, out.weekdays_);
  if (!good) return Unexpected(good.error());
  if (out.weekdays_[7]) out.weekdays_.set(0);
  out.is_any_day_ = fields[2].starts_with('*');
  out.is_any_weekday_ = fields[4].starts_with('*');
  return out;
}

bool Cron::is_day(std::int64_t day) const {
  const std::chrono::sys_days days{std::chrono::days(day)};
  const std::chrono::year_month_day date(days);
  if (!months_[static_cast<unsigned>(date.month())]) return false;
  const bool by_date = days_[static_cast<unsigned>(date.day())];
  const bool by_week = weekdays_[std::chrono::weekday(days).c_encoding()];
  if (is_any_day_ || is_any_weekday_) return by_date && by_week;
  return by_date || by_week;
}

std::optional<std::int64_t> Cron::first_on(std::int64_t day, std::int64_t after,
                                           const TimeZone& zone) const {
  // Clocks are never set by more than three hours at once.
  const std::int64_t local = after + zone.offset_at(after) - day * kDay;
  for (std::int64_t hour = std::clamp<std::int64_t>(local / 3600 - 3, 0, 24); hour < 24; ++hour) {
    if (!hours_[static_cast<std::size_t>(hour)]) continue;
    // Most hours lie wholly before: their last minute tells.
    if (instant_of(day * kDay + hour * 3600 + 59 * 60, zone) <= after) continue;
    for (std::int64_t minute = 0; minute < 60; ++minute) {
      if (!minutes_[static_cast<std::size_t>(minute)]) continue;
      const std::int64_t utc = instant_of(day * kDay + hour * 3600 + minute * 60, zone);
      if (utc > after) return utc;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> Cron::next_after(std::int64_t utc, const TimeZone& zone) const {
  // A day earlier, since clocks may have been set back.
  const std::int64_t today = floor_day(utc + zone.offset_at(utc));
  for (std::int64_t day = today - 1; day <= today + kMostDays; ++day)
    if (is_day(day))
      if (const auto found = first_on(day, utc, zone)) return found;
  return std::nullopt;
}

}  // namespace alfred::inbox
