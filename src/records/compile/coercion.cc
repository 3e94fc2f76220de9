#include "records/compile/coercion.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "records/compile/amount_text.h"

namespace alfred {
namespace {

std::string_view text_of(const Json& value) { return value.as_string(); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Json number_json(double number) {
  if (std::trunc(number) == number && std::abs(number) < 0x1p53)
    return static_cast<std::int64_t>(number);
  return number;
}

Coerced to_text(const Json& value) {
  if (value.is_number() || value.is_bool()) return {Json(write_json(value))};
  const bool is_lines =
      value.is_array() && std::all_of(value.as_array().begin(), value.as_array().end(),
                                      [](const Json& one) { return one.is_string(); });
  if (!is_lines) return {value};
  std::string joined;
  for (const Json& line : value.as_array())
    joined += (joined.empty() ? "" : "\n") + std::string(text_of(line));
  return {Json(joined)};
}

// An amount, and words behind it that are no part of it.
Coerced to_number(const Json& value, bool is_whole) {
  if (!value.is_string()) return {value};
  std::string_view rest = text_of(value);
  const std::optional<double> amount = take_amount(rest);
  // A double keeps 15 digits of any text; with more the text stays, and its column refuses it.
  const std::string_view taken = text_of(value).substr(0, text_of(value).size() - rest.size());
  if (std::count_if(taken.begin(), taken.end(), is_digit) > 15) return {value};
  if (!amount || (is_whole && std::trunc(*amount) != *amount)) return {value};
  rest = trimmed(rest);
  const bool has_digits = std::any_of(rest.begin(), rest.end(), is_digit);
  if (has_digits) return {value};
  return {number_json(*amount), !rest.empty()};
}

Coerced to_boolean(const Json& value) {
  if (!value.is_string()) return {value};
  const std::string word = lower_ascii(trimmed(text_of(value)));
  if (word == "yes" || word == "true") return {Json(true)};
  if (word == "no" || word == "false") return {Json(false)};
  return {value};
}

std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t upto = std::min(text.find(mark, from), text.size());
    const std::string_view part = trimmed(text.substr(from, upto - from));
    if (!part.empty()) parts.push_back(part);
    from = upto + 1;
  }
  return parts;
}

Coerced to_list(const Json& value) {
  if (value.is_number() || value.is_bool()) return {JsonArray{Json(write_json(value))}};
  if (!value.is_string()) return {value};
  JsonArray list;
  for (const std::string_view part : parts_of(text_of(value), ',')) list.emplace_back(part);
  return {Json(std::move(list))};
}

// A line without the number or mark that people put before it.
std::string_view plain_line(std::string_view line) {
  std::size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  std::string_view rest = line.substr(digits);
  const bool is_numbered =
      digits > 0 && digits <= 3 && (rest.starts_with(". ") || rest.starts_with(") "));
  if (is_numbered) return trimmed(rest.substr(1));
  for (const std::string_view mark : {"- ", "* ", "• "})
    if (line.starts_with(mark)) return trimmed(line.substr(mark.size()));
  return line;
}

Coerced to_lines(const Json& value) {
  if (!value.is_string()) return {value};
  JsonArray list;
  for (const std::string_view line : parts_of(text_of(value), '\n'))
    list.emplace_back(plain_line(line));
  return {Json(std::move(list))};
}

Coerced to_minutes(const Json& value) {
  if (!value.is_string()) return {value};
  const std::optional<double> minutes = read_minutes(text_of(value));
  return minutes ? Coerced{number_json(*minutes)} : Coerced{value};
}

Coerced to_lower(const Json& value) {
  if (value.is_string()) return {Json(lower_ascii(text_of(value)))};
  if (!value.is_array()) return {value};
  JsonArray list;
  for (const Json& one : value.as_array()) list.push_back(to_lower(one).value);
  return {Json(std::move(list))};
}

}  // namespace

Coerced coerce(Coercion rule, const Json& value, const UnitWords& units) {
  switch (rule) {
    case Coercion::none: break;
    case Coercion::text: return to_text(value);
    case Coercion::integer: return to_number(value, true);
    case Coercion::number: return to_number(value, false);
    case Coercion::boolean: return to_boolean(value);
    case Coercion::list: return to_list(value);
    case Coercion::lines: return to_lines(value);
    case Coercion::minutes: return to_minutes(value);
    case Coercion::lower: return to_lower(value);
    case Coercion::unit: {
      const std::string unit = value.is_string() ? unit_named(text_of(value), units) : "";
      return unit.empty() ? to_lower(value) : Coerced{Json(unit)};
    }
  }
  return {value};
}

}  // namespace alfred
