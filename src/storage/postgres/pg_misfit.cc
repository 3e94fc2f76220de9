#include "storage/postgres/pg_misfit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace alfred {
namespace {

// "numeric(10,2)" → numeric, 10, 2.
struct TypeParts {
  std::string name;
  std::vector<std::int64_t> lengths;
};

TypeParts parts_of(std::string_view type) {
  TypeParts parts;
  bool is_inside = false;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (c == '(' || c == ')') {
      is_inside = c == '(';
    } else if (!is_inside) {
      if (c != ' ' || !parts.name.ends_with(' ')) parts.name += c;
    } else if (c >= '0' && c <= '9') {
      std::int64_t number = 0;
      const auto [end, failure] =
          std::from_chars(type.data() + i, type.data() + type.size(), number);
      if (failure == std::errc()) parts.lengths.push_back(number);
      i = static_cast<std::size_t>(end - type.data()) - 1;
    }
  }
  while (parts.name.ends_with(' ')) parts.name.pop_back();
  return parts;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::int64_t code_points(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

std::optional<double> number_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

std::string too_long(const TypeParts& type, const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  const bool has_length =
      is_one_of(type.name, {"character varying", "varchar", "character", "char", "bpchar"});
  if (text == nullptr || !has_length || type.lengths.empty()) return {};
  const std::int64_t length = code_points(*text);
  if (length <= type.lengths.front()) return {};
  return fmt::format("at most {} characters; the text has {}", type.lengths.front(), length);
}

std::string too_great(const TypeParts& type, const Value& value) {
  constexpr double kMostReal = 3.4028234663852886e38;
  const std::optional<double> number = number_of(value);
  if (!number) return {};
  if (is_one_of(type.name, {"smallint", "int2"}) && (*number < -0x1p15 || *number >= 0x1p15))
    return "whole numbers from -32768 to 32767; the number is beyond";
  if (is_one_of(type.name, {"integer", "int", "int4"}) && (*number < -0x1p31 || *number >= 0x1p31))
    return "whole numbers from -2147483648 to 2147483647; the number is beyond";
  if (is_one_of(type.name, {"real", "float4"}) && std::abs(*number) > kMostReal)
    return "numbers up to 3.4e38; the number is beyond";
  if (!is_one_of(type.name, {"numeric", "decimal"}) || type.lengths.empty()) return {};
  const std::int64_t digits =
      type.lengths.front() - (type.lengths.size() > 1 ? type.lengths[1] : 0);
  // Rounded to the column's places first, so its greatest number may not do.
  if (std::abs(*number) < std::pow(10.0, static_cast<double>(digits)) - 0.5) return {};
  return fmt::format("numbers with at most {} digit{} before the point; this one has more", digits,
                     digits == 1 ? "" : "s");
}

// Types that are read and written as texts, and that not every text is one of.
std::string no_such_text(const TypeParts& type, const Value& value) {
  if (!std::holds_alternative<std::string>(value)) return {};
  if (is_one_of(type.name, {"text", "character varying", "varchar", "character", "char", "bpchar",
                            "citext", "name", "json", "jsonb", "uuid", "date"}) ||
      type.name.starts_with("timestamp") || type.name.ends_with("[]"))
    return {};
  const std::string length =
      type.lengths.empty() ? "" : fmt::format("({})", fmt::join(type.lengths, ","));
  return fmt::format("what the database calls {}{}; the text is none", type.name, length);
}

}  // namespace

std::optional<PgMisfit> find_misfit(const std::string& state, std::span<const FieldValue> given) {
  std::optional<PgMisfit> found;
  for (const FieldValue& one : given) {
    const TypeParts type = parts_of(one.field->database_type);
    std::string takes = state == "22001"   ? too_long(type, one.value)
                        : state == "22003" ? too_great(type, one.value)
                                           : std::string();
    if (takes.empty() && state != "22003") takes = no_such_text(type, one.value);
    if (takes.empty()) continue;
    if (found || one.field->is_hidden) return std::nullopt;
    found = PgMisfit{one.field, std::move(takes)};
  }
  return found;
}

}  // namespace alfred
