#include "base/time/zone_file.h"

namespace alfred {
namespace {

constexpr std::size_t kHeaderSize = 44;
constexpr std::size_t kTypeSize = 6;

std::uint64_t big_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i)
    number = (number << 8U) | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  std::size_t size = 0;
  for (; size < text.size() && size < 4 && text[size] >= '0' && text[size] <= '9'; ++size)
    number = number * 10 + (text[size] - '0');
  if (size == 0) return std::nullopt;
  text.remove_prefix(size);
  return number;
}

// [+-]h[:m[:s]] in seconds.
std::optional<std::int64_t> take_time(std::string_view& text) {
  const bool is_negative = take(text, '-');
  if (!is_negative) take(text, '+');
  const std::optional<int> hours = take_number(text);
  if (!hours) return std::nullopt;
  std::int64_t seconds = std::int64_t{*hours} * 3600;
  for (const int size : {60, 1}) {
    if (!take(text, ':')) break;
    const std::optional<int> part = take_number(text);
    if (!part) return std::nullopt;
    seconds += std::int64_t{*part} * size;
  }
  return is_negative ? -seconds : seconds;
}

// A zone's abbreviation, in letters or in <>.
bool take_name(std::string_view& text) {
  std::size_t size = 0;
  if (take(text, '<')) {
    size = text.find('>');
    if (size == std::string_view::npos) return false;
    text.remove_prefix(size + 1);
    return true;
  }
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (size < text.size() && is_letter(text[size])) ++size;
  text.remove_prefix(size);
  return size >= 3;
}

}  // namespace

std::size_t ZoneFile::Counts::body_size(std::size_t time_size) const {
  return times * (time_size + 1) + types * kTypeSize + letters + leaps * (time_size + 4) +
         standard + universal;
}

std::optional<ZoneFile::Counts> ZoneFile::read_counts(std::string_view bytes) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with("TZif") || bytes[4] < '2')
    return std::nullopt;
  Counts counts;
  std::size_t at = 20;
  for (std::size_t* count : {&counts.universal, &counts.standard, &counts.leaps, &counts.times,
                             &counts.types, &counts.letters}) {
    *count = static_cast<std::size_t>(big_endian(bytes, at, 4));
    at += 4;
  }
  return counts;
}

bool ZoneFile::read_table(std::string_view body, const Counts& counts, TimeZone& zone) {
  const std::size_t types_at = counts.times * 9;
  const auto offset_of = [&](std::size_t type) {
    return std::int64_t{static_cast<std::int32_t>(
        static_cast<std::uint32_t>(big_endian(body, types_at + type * kTypeSize, 4)))};
  };
  if (counts.types == 0) return false;
  zone.first_offset_ = offset_of(0);
  for (std::size_t i = 0; i < counts.times; ++i) {
    const auto type = static_cast<unsigned char>(body[counts.times * 8 + i]);
    if (type >= counts.types) return false;
    zone.changes_.push_back(
        {static_cast<std::int64_t>(big_endian(body, i * 8, 8)), offset_of(type)});
  }
  return true;
}

std::optional<TimeZone::Day> ZoneFile::read_day(std::string_view& text) {
  TimeZone::Day day;
  using Kind = TimeZone::Day::Kind;
  day.kind = take(text, 'M') ? Kind::weekday : take(text, 'J') ? Kind::day_without_leap : Kind::day;
  std::optional<int> number = take_number(text);
  if (day.kind == Kind::weekday) {
    const std::optional<int> week = number && take(text, '.') ? take_number(text) : std::nullopt;
    const std::optional<int> weekday = week && take(text, '.') ? take_number(text) : std::nullopt;
    if (!weekday || *number < 1 || *number > 12 || *week < 1 || *week > 5 || *weekday > 6)
      return std::nullopt;
    day.month = *number;
    day.week = *week;
    number = weekday;
  }
  if (!number) return std::nullopt;
  day.day = *number;
  if (!take(text, '/')) return day;
  const std::optional<std::int64_t> seconds = take_time(text);
  if (!seconds) return std::nullopt;
  day.seconds = *seconds;
  return day;
}

std::optional<TimeZone::Rule> ZoneFile::read_rule(std::string_view text) {
  TimeZone::Rule rule;
  if (!take_name(text)) return std::nullopt;
  const std::optional<std::int64_t> west = take_time(text);
  if (!west) return std::nullopt;
  rule.standard = rule.summer = -*west;
  if (text.empty()) return rule;
  if (!take_name(text)) return std::nullopt;
  rule.summer = rule.standard + 3600;
  if (!text.starts_with(',')) {
    const std::optional<std::int64_t> summer_west = take_time(text);
    if (!summer_west) return std::nullopt;
    rule.summer = -*summer_west;
  }
  for (std::optional<TimeZone::Day>* day : {&rule.begin, &rule.end}) {
    if (!take(text, ',')) return std::nullopt;
    *day = read_day(text);
    if (!*day) return std::nullopt;
  }
  return text.empty() ? std::optional(rule) : std::nullopt;
}

std::optional<TimeZone> ZoneFile::read(std::string_view bytes) {
  // The first part is the same with 32 bits; what matters is the second.
  const std::optional<Counts> old = read_counts(bytes);
  if (!old || kHeaderSize + old->body_size(4) > bytes.size()) return std::nullopt;
  bytes.remove_prefix(kHeaderSize + old->body_size(4));
  const std::optional<Counts> counts = read_counts(bytes);
  if (!counts || kHeaderSize + counts->body_size(8) > bytes.size()) return std::nullopt;
  TimeZone zone;
  if (!read_table(bytes.substr(kHeaderSize), *counts, zone)) return std::nullopt;
  std::string_view rule = bytes.substr(kHeaderSize + counts->body_size(8));
  if (!take(rule, '\n') || !rule.ends_with('\n')) return std::nullopt;
  rule.remove_suffix(1);
  if (rule.empty()) return zone;
  zone.rule_ = read_rule(rule);
  if (!zone.rule_) return std::nullopt;
  return zone;
}

}  // namespace alfred
