#include "records/compile/amount_text.h"

#include <array>
#include <charconv>
#include <utility>

namespace alfred {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 9> kFractions{{
    {"½", 1.0 / 2},
    {"⅓", 1.0 / 3},
    {"⅔", 2.0 / 3},
    {"¼", 1.0 / 4},
    {"¾", 3.0 / 4},
    {"⅛", 1.0 / 8},
    {"⅜", 3.0 / 8},
    {"⅝", 5.0 / 8},
    {"⅞", 7.0 / 8},
}};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void skip_space(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

std::optional<double> take_digits(std::string_view& text, bool may_have_point) {
  std::size_t size = 0;
  bool has_point = false;
  while (size < text.size() && (is_digit(text[size]) ||
                                (may_have_point && !has_point && size > 0 && text[size] == '.'))) {
    has_point = has_point || text[size] == '.';
    ++size;
  }
  if (size > 0 && text[size - 1] == '.') --size;
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + size, number);
  if (failure != std::errc() || end != text.data() + size || size == 0) return std::nullopt;
  text.remove_prefix(size);
  return number;
}

std::optional<double> take_fraction(std::string_view& text) {
  for (const auto& [sign, value] : kFractions) {
    if (!text.starts_with(sign)) continue;
    text.remove_prefix(sign.size());
    return value;
  }
  std::string_view rest = text;
  const std::optional<double> above = take_digits(rest, false);
  if (!above || !rest.starts_with("/")) return std::nullopt;
  rest.remove_prefix(1);
  const std::optional<double> below = take_digits(rest, false);
  if (!below || *below == 0) return std::nullopt;
  text = rest;
  return *above / *below;
}

// The words at the front of `text`, as far as they may be a unit's: bytes.
std::size_t words_size(std::string_view text, std::size_t words) {
  std::size_t size = 0;
  for (; words > 0; --words) {
    std::size_t end = size;
    while (end < text.size() && is_space(text[end])) ++end;
    const std::size_t begin = end;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end == begin) return 0;
    size = end;
  }
  return size;
}

// Takes a unit off the front of `text`; empty: there is none.
std::string take_unit(std::string_view& text, const UnitWords& units) {
  constexpr std::size_t kMostWords = 3;
  for (std::size_t words = kMostWords; words > 0; --words) {
    const std::size_t size = words_size(text, words);
    std::string unit = unit_named(text.substr(0, size), units);
    if (unit.empty()) continue;
    std::string_view rest = text.substr(size);
    if (rest.starts_with(".")) rest.remove_prefix(1);
    if (!rest.empty() && !is_space(rest.front())) continue;
    skip_space(rest);
    if (rest.starts_with("of ")) rest.remove_prefix(3);
    skip_space(rest);
    if (rest.empty()) continue;  // the unit is all there is: then it is the name
    text = rest;
    return unit;
  }
  return {};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  skip_space(text);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::optional<double> take_amount(std::string_view& text) {
  std::string_view rest = text;
  skip_space(rest);
  std::optional<double> amount = take_fraction(rest);
  if (!amount) {
    amount = take_digits(rest, true);
    if (!amount) return std::nullopt;
    std::string_view after = rest;
    skip_space(after);
    if (const std::optional<double> part = take_fraction(after)) {
      amount = *amount + *part;
      rest = after;
    }
  }
  // 2-3, 2/3/4, 1.2.3 and 5% are no amounts.
  if (!rest.empty() && !is_space(rest.front()) && !is_letter(rest.front())) return std::nullopt;
  skip_space(rest);
  if (rest.starts_with("-") || rest.starts_with("–")) return std::nullopt;
  text = rest;
  return amount;
}

std::optional<double> read_minutes(std::string_view text) {
  double total = 0;
  bool has_unit = false;
  for (text = trimmed(text); !text.empty() || total == 0;) {
    const std::optional<double> amount = take_amount(text);
    if (!amount) return std::nullopt;
    std::size_t size = 0;
    while (size < text.size() && is_letter(text[size])) ++size;
    const std::string unit = lower_ascii(text.substr(0, size));
    text.remove_prefix(size);
    if (text.starts_with(".")) text.remove_prefix(1);
    text = trimmed(text);
    if (unit.empty() && (has_unit || !text.empty())) return std::nullopt;
    const bool is_hours = unit == "h" || unit == "hr" || unit == "hrs" || unit.starts_with("hour");
    const bool is_minutes = unit.empty() || unit == "m" || unit.starts_with("min");
    if (!is_hours && !is_minutes) return std::nullopt;
    total += is_hours ? *amount * 60 : *amount;
    has_unit = true;
    if (text.empty()) return total;
  }
  return std::nullopt;
}

std::string unit_named(std::string_view words, const UnitWords& units) {
  std::string plain;
  for (const char c : lower_ascii(trimmed(words)))
    if (!is_space(c) || !plain.ends_with(' ')) plain += is_space(c) ? ' ' : c;
  const auto found = units.find(plain);
  return found == units.end() ? std::string() : found->second;
}

AmountLine read_amount_line(std::string_view text, const UnitWords& units) {
  AmountLine line;
  text = trimmed(text);
  std::string_view rest = text;
  line.amount = take_amount(rest);
  if (line.amount && rest.empty()) {  // an amount of nothing
    line.amount.reset();
    rest = text;
  }
  if (line.amount) line.unit = take_unit(rest, units);
  const std::size_t comma = rest.find(',');
  line.name = trimmed(rest.substr(0, comma));
  if (comma != std::string_view::npos) line.notes = trimmed(rest.substr(comma + 1));
  if (line.name.empty()) return {{}, {}, std::string(text), {}};
  return line;
}

}  // namespace alfred
