#include "interpreter/rules/words/clock_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr int kNoon = 12 * 60;
constexpr int kDay = 24 * 60;
constexpr int kFirstMorningHour = 8;
constexpr int kLastNightHour = 4;

// What may stand behind a time without being what is counted: "at 5 about the cod", "at 2 litres".
constexpr auto kBehindTime = std::to_array<std::string_view>(
    {"to",     "tomorrow", "today",     "tonight",  "on",     "and",      "for",
     "please", "not",      "that",      "this",     "about",  "remind",   "me",
     "i",      "because",  "when",      "so",       "then",   "next",     "sharp",
     "or",     "if",       "in",        "at",       "every",  "each",     "instead",
     "monday", "tuesday",  "wednesday", "thursday", "friday", "saturday", "sunday"});

constexpr auto kDays =
    std::to_array<std::string_view>({"today", "tomorrow", "tonight", "monday", "tuesday",
                                     "wednesday", "thursday", "friday", "saturday", "sunday"});

class ClockReader {
 public:
  ClockReader(std::span<const Token> tokens, std::size_t at) : tokens_(tokens), at_(at) {}

  std::optional<ClockWords> read() {
    is_behind_day_ = at_ > 0 && (day_part(tokens_[at_ - 1]) != DayPart::none ||
                                 is_among(kDays, tokens_[at_ - 1].text));
    is_at_ = is("at") || is("by") || is("around");
    if (is_at_) ++at_;
    if (is("noon") || is("midday") || is("midnight"))
      return ClockWords{.minute = is("midnight") ? 0 : kNoon, .to = at_ + 1};
    if (std::optional<ClockWords> spoken = past_or_to()) return spoken;
    if (std::optional<ClockWords> part = part_alone()) return part;
    return digits();
  }

 private:
  bool is(std::string_view word, std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(word);
  }
  bool is_number(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].kind == Token::Kind::number;
  }

  // "half past 2", "a quarter to 6", "at 10 past 5".
  std::optional<ClockWords> past_or_to() {
    std::size_t i = is("a") ? 1 : 0;
    int minutes = -1;
    if (is("half", i)) minutes = 30;
    if (is("quarter", i)) minutes = 15;
    if (minutes < 0 && is_at_ && is_number(i)) minutes = whole(i, 59);
    if (minutes < 1) return std::nullopt;
    ++i;
    if (is("minutes", i)) ++i;
    const bool is_to = is("to", i);
    if ((!is_to && !is("past", i)) || !is_number(i + 1)) return std::nullopt;
    const int hour = whole(i + 1, 12);
    if (hour < 1) return std::nullopt;
    ClockWords out{.minute = (hour * 60 + (is_to ? kNoon - minutes : minutes)) % kNoon,
                   .is_bare = true,
                   .to = at_ + i + 2};
    if (out.minute < 60) out.minute += kNoon;  // half past 12
    take_half(out);
    return out;
  }
  int whole(std::size_t ahead, int most) const {
    const double said = tokens_[at_ + ahead].number;
    return said >= 0 && said <= most && said == static_cast<int>(said) ? static_cast<int>(said)
                                                                       : -1;
  }

  // "in the morning", "at night": at the part's own time.
  std::optional<ClockWords> part_alone() {
    const std::size_t begin = is_at_ ? at_ - 1 : at_;
    const bool is_night = is_at_ && is("night") && tokens_[begin].is("at");
    const bool is_long = !is_at_ && is("in") && is("the", 1) && at_ + 2 < tokens_.size();
    const DayPart part = is_night  ? DayPart::night
                         : is_long ? day_part(tokens_[at_ + 2])
                                   : DayPart::none;
    if (part == DayPart::none) return std::nullopt;
    return ClockWords{.minute = clock_of(part), .part = part, .to = at_ + (is_night ? 1 : 3)};
  }

  std::optional<ClockWords> digits() {
    if (at_ >= tokens_.size()) return std::nullopt;
    const Token& token = tokens_[at_];
    const bool is_clock = token.kind == Token::Kind::time;
    if (!is_clock && token.kind != Token::Kind::number) return std::nullopt;
    if (!is_clock && whole(0, 24) < 1) return std::nullopt;
    ClockWords out{.minute = static_cast<int>(is_clock ? token.number : token.number * 60),
                   .to = at_ + 1};
    if (out.minute > kDay) return std::nullopt;
    out.is_bare = out.minute >= 60 && out.minute < kNoon + 60 && token.text.front() != '0';
    const bool is_said = take_half(out);
    if (!is_clock && !is_said && (!is_at_ || is_counted(out.to))) return std::nullopt;
    out.minute %= kDay;
    return out;
  }
  bool is_counted(std::size_t at) const {
    return at < tokens_.size() && !is_behind_day_ && tokens_[at].kind == Token::Kind::word &&
           !is_among(kBehindTime, tokens_[at].text);
  }

  // "am", "p.m.", "o'clock", "in the morning", "at night".
  bool take_half(ClockWords& out) {
    at_ = out.to;
    bool is_said = false;
    if (is("oclock")) ++at_, is_said = true;
    const std::size_t dotted = is(".", 1) && is("m", 2) ? 3 : 0;
    const bool is_late = is("pm") || (is("p") && dotted > 0);
    const bool is_early = is("am") || (is("a") && dotted > 0);
    if (is_late || is_early) {
      if (is_late && out.minute < kNoon) out.minute += kNoon;
      if (is_early && out.minute >= kNoon && out.minute < kNoon + 60) out.minute -= kNoon;
      out.is_bare = false;
      out.to = at_ + std::max<std::size_t>(dotted, 1);
      return true;
    }
    const bool is_long = (is("in") || is("at")) && is("the", 1) && at_ + 2 < tokens_.size();
    const DayPart part = is_long                      ? day_part(tokens_[at_ + 2])
                         : is("at") && is("night", 1) ? DayPart::night
                                                      : DayPart::none;
    out.to = at_;
    if (part == DayPart::none) return is_said;
    out.part = part;
    out.to += is_long ? 3 : 2;
    return true;
  }

  std::span<const Token> tokens_;
  std::size_t at_;
  bool is_at_ = false;
  bool is_behind_day_ = false;  // "tomorrow at 5 …": what follows is not counted
};

}  // namespace

DayPart day_part(const Token& token) {
  if (token.is("morning")) return DayPart::morning;
  if (token.is("noon") || token.is("midday") || token.is("lunchtime")) return DayPart::noon;
  if (token.is("afternoon")) return DayPart::afternoon;
  if (token.is("evening")) return DayPart::evening;
  return token.is("night") ? DayPart::night : DayPart::none;
}

int clock_of(DayPart part) {
  switch (part) {
    case DayPart::none: return -1;
    case DayPart::morning: return 8 * 60;
    case DayPart::noon: return kNoon;
    case DayPart::afternoon: return 15 * 60;
    case DayPart::evening: return 19 * 60;
    case DayPart::night: return 20 * 60;
  }
  return -1;
}

std::optional<ClockWords> read_clock(std::span<const Token> tokens, std::size_t at) {
  return ClockReader(tokens, at).read();
}

ClockTime settled_clock(int minute, bool is_bare, DayPart part) {
  const int hour = minute / 60 % 12;  // twelve is the first
  const bool is_noon_hour = minute / 60 == 12;
  if (part == DayPart::night && (minute < kNoon || is_bare) && hour <= kLastNightHour)
    return {is_noon_hour ? minute - kNoon : minute, true};
  if (!is_bare || is_noon_hour) return {minute, false};
  const bool is_late = part == DayPart::none ? hour < kFirstMorningHour : part != DayPart::morning;
  return {is_late ? minute + kNoon : minute, false};
}

std::string clock_text(int minute, int second) {
  return second == 0 ? fmt::format("{:02}:{:02}", minute / 60, minute % 60)
                     : fmt::format("{:02}:{:02}:{:02}", minute / 60, minute % 60, second);
}

}  // namespace alfred::rules
