#include "interpreter/rules/words/moments.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/time/time_zone.h"

namespace alfred::rules {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;
constexpr double kMostDays = 3660;

template <std::size_t N>
int place_of(const std::array<std::string_view, N>& names, std::string_view word) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == word || (word.size() == 3 && names[i].starts_with(word)))
      return static_cast<int>(i);
  return -1;
}

std::chrono::year_month_day date_of(std::int64_t day) {
  return std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(day)));
}

class Finder {
 public:
  Finder(std::span<const Token> tokens, const Now& now) : tokens_(tokens), now_(now) {}

  std::vector<Moment> find() {
    for (std::size_t at = 0; at < tokens_.size();) {
      std::optional<Moment> found = at_place(at);
      if (!found) {
        ++at;
        continue;
      }
      found->from = at;
      const bool is_next = !out_.empty() && at > 0 && out_.back().to + 1 == at && is(at - 1, "and");
      if (is_next && found->kind == Moment::Kind::day && out_.back().kind == Moment::Kind::day)
        found->from = at - 1;  // "today and tomorrow"
      at = found->to;
      out_.push_back(*found);
    }
    return std::move(out_);
  }

 private:
  bool is(std::size_t at, std::string_view word) const {
    return at < tokens_.size() && tokens_[at].is(word);
  }
  bool is_any(std::size_t at, std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return is(at, word); });
  }
  bool is_number(std::size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == Token::Kind::number;
  }
  std::string_view stem(std::size_t at) const {
    return at < tokens_.size() ? std::string_view(tokens_[at].stem) : std::string_view();
  }

  Moment day(std::int64_t which, std::size_t to) const {
    return {.day = which, .last = which, .to = to};
  }
  Moment days(std::int64_t first, std::int64_t last, std::size_t to) const {
    return {.kind = Moment::Kind::days, .day = first, .last = last, .to = to};
  }

  std::optional<Moment> at_place(std::size_t at) const {
    for (const auto find : {&Finder::named_day, &Finder::week, &Finder::weekday, &Finder::counted,
                            &Finder::date, &Finder::time, &Finder::length})
      if (std::optional<Moment> found = (this->*find)(at)) return found;
    return std::nullopt;
  }

  // The part of the day that is said behind it: "tomorrow morning".
  void take_part(Moment& out) const {
    const DayPart part = out.to < tokens_.size() ? day_part(tokens_[out.to]) : DayPart::none;
    if (part == DayPart::none) return;
    out.part = part;
    ++out.to;
  }

  std::optional<Moment> named_day(std::size_t at) const {
    const std::size_t begin = is_any(at, {"by", "on", "for", "from"}) ? at + 1 : at;
    std::size_t i = is(begin, "the") ? begin + 1 : begin;
    if (is(i, "day") && is(i + 1, "after") && is(i + 2, "tomorrow"))
      return day(now_.day + 2, i + 3);
    Moment out;
    const bool is_this =
        is(i, "this") && is_any(i + 1, {"morning", "afternoon", "evening", "noon"});
    const bool is_last = is(i, "last") && is_any(i + 1, {"night", "evening"});
    if (is_this || is_any(i, {"today", "tonight"}))
      out = day(now_.day, i + 1);
    else if (is(i, "tomorrow"))
      out = day(now_.day + 1, i + 1);
    else if (is_last || is(i, "yesterday"))
      out = day(now_.day - 1, i + 1);
    else
      return std::nullopt;
    if (is(i, "tonight")) out.part = DayPart::night;
    take_part(out);
    return out;
  }

  std::optional<Moment> week(std::size_t at) const {
    std::size_t i = at;
    if (is_any(i, {"for", "in", "during", "on"})) ++i;
    if (is(i, "the") || is(i, "this")) ++i;
    const std::int64_t monday = now_.day - weekday_of(now_.day);
    if (is(i, "week") && is(i + 1, "after") && is(i + 2, "next"))
      return days(monday + 14, monday + 20, i + 3);
    if (i > at && is(i - 1, "this") && is(i, "week")) return days(now_.day, monday + 6, i + 1);
    if (i > at && is(i, "weekend")) return days(monday + 5, monday + 6, i + 1);
    if (is(i, "next") && is(i + 1, "week")) return days(monday + 7, monday + 13, i + 2);
    if (is(i, "last") && is(i + 1, "week")) return days(monday - 7, monday - 1, i + 2);
    if (is(i, "next") && is(i + 1, "weekend")) return days(monday + 12, monday + 13, i + 2);
    return std::nullopt;
  }

  std::optional<Moment> weekday(std::size_t at) const {
    std::size_t i = at;
    if (is_any(i, {"on", "by", "until", "till", "for"})) ++i;
    const bool is_last = is(i, "last");
    if (is_any(i, {"next", "this", "coming", "last"})) ++i;
    const int which = i < tokens_.size() && tokens_[i].kind == Token::Kind::word
                          ? place_of(kWeekdays, stem(i).size() > 3 ? stem(i) : std::string_view())
                          : -1;
    if (which < 0) return std::nullopt;
    const int ahead = (which - weekday_of(now_.day) + 7) % 7;
    Moment out = day(is_last ? now_.day - (7 - ahead) % 7 - (ahead == 0 ? 7 : 0)
                             : now_.day + (ahead == 0 ? 7 : ahead),
                     i + 1);
    take_part(out);
    return out;
  }

  // Days in a unit; 0: none.
  std::int64_t days_of(std::size_t at) const {
    if (stem(at) == "day") return 1;
    if (stem(at) == "week") return 7;
    return stem(at) == "month" ? 30 : 0;
  }

  // "in 3 days", "in the next 3 days", "within a week", "the next 7 days", "in 20 minutes".
  std::optional<Moment> counted(std::size_t at) const {
    std::size_t i = at;
    const bool is_in = is(i, "in");
    const bool is_within = is_any(i, {"within", "over"});
    if (is_in || is_within || is(i, "for") || is(i, "after")) ++i;
    if (is(i, "the")) ++i;
    const bool is_next = is_any(i, {"next", "coming"});
    if (is_next) ++i;
    if (i == at) return std::nullopt;
    if (is_in)
      if (const std::optional<Moment> part = part_of_hour(i)) return part;
    const bool has_number = is_number(i);
    const double count = has_number ? tokens_[i].number : 1;
    if (has_number || is_any(i, {"a", "an"}))
      ++i;
    else if (!is_next)
      return std::nullopt;
    if (is_in && seconds_of(i) > 0) return after_lengths(count, i);
    if (count > kMostDays) return std::nullopt;
    const std::int64_t length = days_of(i) * static_cast<std::int64_t>(count);
    if (length == 0 || static_cast<double>(length) > kMostDays) return std::nullopt;
    if (is_next || is_within) return days(now_.day, now_.day + length, i + 1);
    if (is_in) return day(now_.day + length, i + 1);
    return std::nullopt;
  }

  // Seconds in a unit; 0: none.
  int seconds_of(std::size_t at) const {
    if (stem(at) == "second" || stem(at) == "sec") return 1;
    if (stem(at) == "minute" || stem(at) == "min") return 60;
    return stem(at) == "hour" ? 3600 : 0;
  }

  // "1 hour and 30 minutes": each with its unit, the first of which is at the place.
  std::optional<Moment> after_lengths(double count, std::size_t i) const {
    double seconds = 0;
    while (true) {
      seconds += count * seconds_of(i);
      const std::size_t next = is(i + 1, "and") ? i + 2 : i + 1;
      if (!is_number(next) || seconds_of(next + 1) == 0) break;
      count = tokens_[next].number;
      i = next + 1;
    }
    return after_seconds(seconds, i + 1);
  }

  // "half an hour", "a quarter of an hour", "an hour and a half".
  std::optional<Moment> part_of_hour(std::size_t i) const {
    if (is(i, "a") && !is(i + 1, "hour")) ++i;
    if (is(i, "half") && stem(i + 1) == "hour") return after_seconds(30 * 60, i + 2);
    if (is(i, "half") && is(i + 1, "an") && stem(i + 2) == "hour")
      return after_seconds(30 * 60, i + 3);
    if (is(i, "quarter") && is(i + 1, "of") && is(i + 2, "an") && stem(i + 3) == "hour")
      return after_seconds(15 * 60, i + 4);
    if (is_any(i, {"a", "an"}) && stem(i + 1) == "hour" && is(i + 2, "and") && is(i + 3, "a") &&
        is(i + 4, "half"))
      return after_seconds(90 * 60, i + 5);
    return std::nullopt;
  }

  // By the time that passes, whatever clocks on walls do meanwhile.
  std::optional<Moment> after_seconds(double seconds, std::size_t to) const {
    if (seconds < 1 || seconds > kMostDays * static_cast<double>(kSecondsOfDay))
      return std::nullopt;
    const std::optional<TimeZone> zone = TimeZone::load(now_.zone);
    const std::int64_t here = now_.day * kSecondsOfDay + now_.minute * 60 + now_.second;
    std::int64_t then = (zone ? zone->to_utc(here) : here) + static_cast<std::int64_t>(seconds);
    if (zone) then += zone->offset_at(then);
    const std::int64_t of_day = then % kSecondsOfDay;
    Moment out = day(then / kSecondsOfDay, to);
    out.minute = static_cast<int>(of_day / 60);
    out.second = static_cast<int>(of_day % 60);
    return out;
  }

  std::optional<Moment> date(std::size_t at) const {
    std::size_t i = at;
    if (is_any(i, {"on", "by", "until", "till"})) ++i;
    if (i >= tokens_.size()) return std::nullopt;
    if (const std::optional<std::int64_t> iso = read_iso_day(tokens_[i].text))
      return day(*iso, i + 1);
    const bool is_first = is_number(i) && i + 1 < tokens_.size();
    const std::size_t name = is_first ? i + 1 : i;
    const std::size_t number = is_first ? i : i + 1;
    if (name >= tokens_.size() || tokens_[name].kind != Token::Kind::word || !is_number(number))
      return std::nullopt;
    const int month = tokens_[name].text.size() > 2 && !is(name, "mar")
                          ? place_of(kMonths, tokens_[name].text)
                          : -1;
    const double day_of_month = tokens_[number].number;
    if (month < 0 || day_of_month < 1 || day_of_month > 31) return std::nullopt;
    return coming(month + 1, static_cast<unsigned>(day_of_month), std::max(name, number) + 1);
  }

  // The next such day, today included.
  std::optional<Moment> coming(int month, unsigned day_of_month, std::size_t to) const {
    using std::chrono::year_month_day;
    const year_month_day today = date_of(now_.day);
    for (int year = static_cast<int>(today.year()); year < static_cast<int>(today.year()) + 5;
         ++year) {
      const year_month_day wanted{std::chrono::year(year),
                                  std::chrono::month(static_cast<unsigned>(month)),
                                  std::chrono::day(day_of_month)};
      if (!wanted.ok()) continue;
      const std::int64_t found = std::chrono::sys_days(wanted).time_since_epoch().count();
      if (found >= now_.day) return day(found, to);
    }
    return std::nullopt;
  }

  std::optional<Moment> time(std::size_t at) const {
    const std::optional<ClockWords> clock = read_clock(tokens_, at);
    if (!clock) return std::nullopt;
    Moment out{.kind = Moment::Kind::time, .minute = clock->minute, .part = clock->part};
    out.is_bare = clock->is_bare;
    out.to = clock->to;
    return out;
  }

  // "3 weeks", "for 3 weeks", "by a week", "another week".
  std::optional<Moment> length(std::size_t at) const {
    std::size_t i = is_any(at, {"for", "by"}) ? at + 1 : at;
    double count = 1;
    if (is_number(i))
      count = tokens_[i++].number;
    else if (is(i, "another") || (i > at && is_any(i, {"a", "one"})))
      ++i;
    else
      return std::nullopt;
    if (count > kMostDays) return std::nullopt;
    const std::int64_t length = days_of(i) * static_cast<std::int64_t>(count);
    if (length == 0 || static_cast<double>(length) > kMostDays) return std::nullopt;
    Moment out{.kind = Moment::Kind::span, .to = i + 1};
    out.length = length;
    return out;
  }

  std::span<const Token> tokens_;
  const Now& now_;
  std::vector<Moment> out_;
};

// Which half of the day is meant, now that all is known that was said of it.
void settle(Moment& one) {
  if (one.minute < 0) return;
  const ClockTime clock = settled_clock(one.minute, one.is_bare, one.part);
  one.minute = clock.minute;
  one.is_bare = false;
  if (!clock.is_next_day || one.kind != Moment::Kind::day) return;
  ++one.day;
  ++one.last;
}

// A day and the time that stands beside it, with or without a comma, are one moment.
std::vector<Moment> joined(const std::vector<Moment>& found, std::span<const Token> tokens) {
  std::vector<Moment> out;
  for (const Moment& one : found) {
    const bool is_beside =
        !out.empty() && (out.back().to == one.from ||
                         (out.back().to + 1 == one.from && tokens[out.back().to].text == ","));
    const bool joins =
        is_beside && ((one.kind == Moment::Kind::time && out.back().kind == Moment::Kind::day) ||
                      (one.kind == Moment::Kind::day && out.back().kind == Moment::Kind::time));
    if (!joins) {
      out.push_back(one);
      continue;
    }
    Moment& with = out.back();
    if (one.kind == Moment::Kind::day) {
      with.kind = Moment::Kind::day;
      with.day = one.day;
      with.last = one.last;
    } else {
      with.minute = one.minute;
      with.is_bare = one.is_bare;
    }
    if (one.part != DayPart::none) with.part = one.part;
    with.to = one.to;
  }
  for (Moment& one : out) settle(one);
  return out;
}

}  // namespace

std::string no_such_day(std::span<const Token> tokens) {
  using namespace std::chrono;
  constexpr year kLeap{2024};
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    const bool is_iso = text.size() == 10 && text[4] == '-' && text[7] == '-' &&
                        text.find_first_not_of("0123456789-") == std::string::npos;
    if (is_iso && !read_iso_day(text)) return "There is no such day: " + text + ".";
    const int which =
        tokens[at].kind == Token::Kind::word && text.size() > 2 ? place_of(kMonths, text) : -1;
    if (which < 0) continue;
    const month of{static_cast<unsigned>(which + 1)};
    for (const std::size_t number : {at - 1, at + 1}) {
      if (number >= tokens.size() || tokens[number].kind != Token::Kind::number) continue;
      const double day = tokens[number].number;
      const double last =
          static_cast<unsigned>(year_month_day_last(kLeap / of / std::chrono::last).day());
      if (day <= last || day > 31) continue;
      std::string name(kMonths[static_cast<std::size_t>(which)]);
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
      return "There is no " + name + " " + std::to_string(static_cast<int>(day)) + ".";
    }
  }
  return "";
}

bool is_part_of_time(const Token& token) {
  constexpr std::array<std::string_view, 9> kParts{
      "day", "week", "month", "hour", "minute", "night", "morning", "afternoon", "evening"};
  const auto is_it = [&](std::string_view one) { return one == token.stem; };
  return std::any_of(kParts.begin(), kParts.end(), is_it) ||
         std::any_of(kWeekdays.begin(), kWeekdays.end(), is_it);
}

std::vector<Moment> find_moments(std::span<const Token> tokens, const Now& now) {
  return joined(Finder(tokens, now).find(), tokens);
}

}  // namespace alfred::rules
