#include "base/time/clock_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <tuple>

#include <fmt/format.h>

namespace alfred {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kDaysAMonth = 30;
constexpr std::int64_t kMaxZoneHours = 15;

struct ClockValue {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t micros = 0;
  std::int64_t east = 0;  // seconds, of a time with a zone
};

// A unit of a span; one of the three is not 0.
struct Unit {
  std::string_view name;  // in the singular
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t micros = 0;
};
constexpr std::array kUnits{
    Unit{"microsecond", 0, 0, 1},
    Unit{"us", 0, 0, 1},
    Unit{"usec", 0, 0, 1},
    Unit{"millisecond", 0, 0, 1000},
    Unit{"ms", 0, 0, 1000},
    Unit{"msec", 0, 0, 1000},
    Unit{"second", 0, 0, kSecond},
    Unit{"sec", 0, 0, kSecond},
    Unit{"s", 0, 0, kSecond},
    Unit{"minute", 0, 0, kMinute},
    Unit{"min", 0, 0, kMinute},
    Unit{"m", 0, 0, kMinute},
    Unit{"hour", 0, 0, kHour},
    Unit{"hr", 0, 0, kHour},
    Unit{"h", 0, 0, kHour},
    Unit{"day", 0, 1, 0},
    Unit{"d", 0, 1, 0},
    Unit{"week", 0, 7, 0},
    Unit{"w", 0, 7, 0},
    Unit{"month", 1, 0, 0},
    Unit{"mon", 1, 0, 0},
    Unit{"year", 12, 0, 0},
    Unit{"yr", 12, 0, 0},
    Unit{"y", 12, 0, 0},
};
// The letters of ISO 8601, before and behind its T.
constexpr std::array kDayLetters{Unit{"y", 12, 0, 0}, Unit{"m", 1, 0, 0}, Unit{"w", 0, 7, 0},
                                 Unit{"d", 0, 1, 0}};
constexpr std::array kTimeLetters{Unit{"h", 0, 0, kHour}, Unit{"m", 0, 0, kMinute},
                                  Unit{"s", 0, 0, kSecond}};

template <typename Units>
const Unit* find_unit(const Units& units, std::string_view name) {
  const auto found =
      std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.name == name; });
  return found == units.end() ? nullptr : &*found;
}

// sum += count * unit; false where 64 bits do not hold it.
bool add(std::int64_t& sum, std::int64_t count, std::int64_t unit) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(count, unit, &product) &&
         !__builtin_add_overflow(sum, product, &sum);
}

struct Count {
  bool is_negative = false;
  std::int64_t whole = 0;
  std::int64_t millionths = 0;
};

class ClockReader {
 public:
  explicit ClockReader(std::string_view text) {
    for (const char c : text)
      text_ += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    rest_ = text_;
    skip_spaces();
    while (rest_.ends_with(' ')) rest_.remove_suffix(1);
  }

  std::optional<ClockValue> time(bool has_zone) {
    ClockValue value;
    const std::optional<std::int64_t> hours = digits(2);
    if (!hours || !clock(*hours, value.micros) || value.micros > kDay) return std::nullopt;
    if (has_zone && !zone(value.east)) return std::nullopt;
    return rest_.empty() ? std::optional(value) : std::nullopt;
  }

  std::optional<ClockValue> span() {
    const bool is_negative = rest_.starts_with("-p");
    if (is_negative) rest_.remove_prefix(1);
    const bool is_read = take('p') ? iso_span(is_negative) : counted_span();
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (!is_read || std::abs(value_.months) > kMost || std::abs(value_.days) > kMost)
      return std::nullopt;
    return value_;
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_spaces() {
    while (take(' ')) {
    }
  }
  // One digit or more, at most so many.
  std::optional<std::int64_t> digits(std::size_t most) {
    std::int64_t number = 0;
    std::size_t size = 0;
    for (; size < rest_.size() && rest_[size] >= '0' && rest_[size] <= '9'; ++size) {
      if (size == most) return std::nullopt;
      number = number * 10 + (rest_[size] - '0');
    }
    if (size == 0) return std::nullopt;
    rest_.remove_prefix(size);
    return number;
  }
  // What may stand behind a point.
  std::optional<std::int64_t> millionths() {
    if (!take('.')) return 0;
    const std::size_t before = rest_.size();
    std::optional<std::int64_t> number = digits(6);
    for (std::size_t size = before - rest_.size(); number && size < 6; ++size) *number *= 10;
    return number;
  }
  // :MM[:SS[.ffffff]] behind the hours.
  bool clock(std::int64_t hours, std::int64_t& micros) {
    if (!take(':')) return false;
    const std::optional<std::int64_t> minutes = digits(2);
    if (!minutes || *minutes > 59 || !add(micros, hours, kHour)) return false;
    if (!add(micros, *minutes, kMinute)) return false;
    if (!take(':')) return true;
    const std::optional<std::int64_t> seconds = digits(2);
    const std::optional<std::int64_t> part = millionths();
    return seconds && *seconds <= 59 && part && add(micros, *seconds, kSecond) &&
           add(micros, *part, 1);
  }
  bool zone(std::int64_t& east) {
    skip_spaces();
    if (take('z')) return true;
    const bool is_west = take('-');
    if (!is_west && !take('+')) return false;
    const std::optional<std::int64_t> hours = digits(2);
    if (!hours || *hours > kMaxZoneHours) return false;
    east = *hours * 3600;
    for (const std::int64_t unit : {60, 1}) {
      if (!take(':')) break;
      const std::optional<std::int64_t> part = digits(2);
      if (!part || *part > 59) return false;
      east += *part * unit;
    }
    if (is_west) east = -east;
    return true;
  }
  std::optional<Count> count() {
    Count count;
    count.is_negative = take('-');
    if (!count.is_negative) take('+');
    const std::optional<std::int64_t> whole = digits(15);
    if (!whole) return std::nullopt;
    count.whole = *whole;
    const std::optional<std::int64_t> part = millionths();
    if (!part) return std::nullopt;
    count.millionths = *part;
    return count;
  }
  bool add_count(const Count& count, const Unit& unit) {
    const std::int64_t sign = count.is_negative ? -1 : 1;
    if (unit.months != 0 && count.millionths != 0) return false;
    const std::int64_t part = (unit.days * kDay + unit.micros) * count.millionths / kSecond;
    return add(value_.months, sign * count.whole, unit.months) &&
           add(value_.days, sign * count.whole, unit.days) &&
           add(value_.micros, sign * count.whole, unit.micros) && add(value_.micros, part, sign);
  }
  std::string_view word() {
    std::size_t size = 0;
    while (size < rest_.size() && rest_[size] >= 'a' && rest_[size] <= 'z') ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  // Behind its P.
  bool iso_span(bool is_negative) {
    bool is_time = false;
    if (rest_.empty() || rest_.ends_with('t')) return false;
    while (!rest_.empty()) {
      if (!is_time && take('t')) is_time = true;
      std::optional<Count> one = count();
      if (!one || rest_.empty()) return false;
      one->is_negative = one->is_negative != is_negative;
      const Unit* const unit = is_time ? find_unit(kTimeLetters, rest_.substr(0, 1))
                                       : find_unit(kDayLetters, rest_.substr(0, 1));
      if (unit == nullptr || !add_count(*one, *unit)) return false;
      rest_.remove_prefix(1);
    }
    return true;
  }
  bool counted_span() {
    take('@');
    skip_spaces();
    if (rest_.empty()) return false;
    while (!rest_.empty()) {
      const std::optional<Count> one = count();
      if (!one) return false;
      if (rest_.starts_with(':')) {
        std::int64_t micros = 0;
        if (one->millionths != 0 || !clock(one->whole, micros)) return false;
        if (!add(value_.micros, micros, one->is_negative ? -1 : 1)) return false;
      } else {
        skip_spaces();
        std::string_view name = word();
        if (name.size() > 2 && name.ends_with('s')) name.remove_suffix(1);
        const Unit* const unit = find_unit(kUnits, name);
        if (unit == nullptr || !add_count(*one, *unit)) return false;
      }
      skip_spaces();
      if (rest_ == "ago") return negate();
    }
    return true;
  }
  bool negate() {
    if (value_.micros == std::numeric_limits<std::int64_t>::min()) return false;
    value_ = {-value_.months, -value_.days, -value_.micros, 0};
    return true;
  }

  std::string text_;
  std::string_view rest_;
  ClockValue value_;
};

std::optional<ClockValue> value_of(ClockType type, std::string_view text) {
  ClockReader reader(text);
  return type == ClockType::span ? reader.span() : reader.time(type == ClockType::zoned_time);
}

std::string spelled_clock(std::int64_t micros) {
  return fmt::format("{}{:02}:{:02}:{:02}.{:06}", micros < 0 ? "-" : "", std::abs(micros / kHour),
                     std::abs(micros % kHour / kMinute), std::abs(micros % kMinute / kSecond),
                     std::abs(micros % kSecond));
}

// Days and the rest of one, then what tells equal moments of a time with a zone apart.
std::tuple<std::int64_t, std::int64_t, std::int64_t> order_of(const ClockValue& value) {
  const std::int64_t micros = value.micros % kDay - value.east * kSecond;
  std::int64_t days = value.months * kDaysAMonth + value.days + value.micros / kDay;
  std::int64_t rest = micros % kDay;
  days += micros / kDay;
  if (rest < 0) {
    rest += kDay;
    --days;
  }
  return {days, rest, -value.east};
}

}  // namespace

std::optional<std::string> read_clock_text(ClockType type, std::string_view text) {
  if (type == ClockType::none) return std::string(text);
  const std::optional<ClockValue> value = value_of(type, text);
  if (!value) return std::nullopt;
  const std::string clock = spelled_clock(value->micros);
  if (type == ClockType::time) return clock;
  if (type == ClockType::span)
    return fmt::format("{} mons {} days {}", value->months, value->days, clock);
  const std::int64_t east = std::abs(value->east);
  return fmt::format("{}{}{:02}:{:02}:{:02}", clock, value->east < 0 ? '-' : '+', east / 3600,
                     east % 3600 / 60, east % 60);
}

std::optional<int> compare_clock_texts(ClockType type, std::string_view a, std::string_view b) {
  if (type == ClockType::none) return a < b ? -1 : (b < a ? 1 : 0);
  const std::optional<ClockValue> one = value_of(type, a);
  const std::optional<ClockValue> other = value_of(type, b);
  if (!one || !other) return std::nullopt;
  const auto first = order_of(*one);
  const auto second = order_of(*other);
  return first < second ? -1 : (second < first ? 1 : 0);
}

std::string_view clock_type_text(ClockType type) {
  switch (type) {
    case ClockType::time: return "a time of day such as 17:05 or 17:05:30";
    case ClockType::zoned_time: return "a time of day with its zone such as 17:05+01:00";
    default: return "a span of time such as 01:30:00, 90 minutes or 1 day 02:30:00";
  }
}

}  // namespace alfred
