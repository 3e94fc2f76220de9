#include "storage/postgres/pg_text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/json/json.h"
#include "base/utf8.h"
#include "storage/exact_number.h"

namespace alfred {
namespace {

// pg_type.dat; they never change.
enum Oid : std::uint32_t {
  kBool = 16,
  kBytea = 17,
  kInt8 = 20,
  kInt2 = 21,
  kInt4 = 23,
  kText = 25,
  kFloat4 = 700,
  kFloat8 = 701,
  kTextArray = 1009,
  kVarcharArray = 1015,
  kTimestamp = 1114,
  kTimestamptz = 1184,
  kNumeric = 1700,
};

std::string text_of_double(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  return fmt::format("{}", number);
}

std::string hex_of(const std::string& bytes) {
  std::string out = "\\x";
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Value integer_of(std::string_view text) {
  if (const auto whole = number_of<std::int64_t>(text)) return *whole;
  return exact_number(text);
}

Value double_of(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (const auto number = number_of<double>(text)) return *number;
  return std::string(text);
}

Value number_of_type(std::string_view text, std::uint32_t type) {
  const bool is_float = type == kFloat4 || type == kFloat8;
  const bool has_digits = !text.empty() && text.back() >= '0' && text.back() <= '9';
  return is_float || !has_digits ? double_of(text) : exact_number(text);
}

// Of a column nobody declared: an average has digits without end, and is a double for that.
Value computed_numeric(std::string_view text) {
  if (const auto whole = number_of<std::int64_t>(text)) return *whole;
  Value exact = number_of_type(text, kNumeric);
  if (!std::holds_alternative<std::string>(exact)) return exact;
  const Value rounded = double_of(text);
  const auto* const number = std::get_if<double>(&rounded);
  return number != nullptr && std::abs(*number) < 0x1p53 ? rounded : exact;
}

Value bytes_of(std::string_view text) {
  if (!text.starts_with("\\x")) return std::string(text);
  Bytes out;
  for (std::size_t at = 2; at + 1 < text.size(); at += 2) {
    unsigned char byte = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, byte, 16);
    out.bytes += static_cast<char>(byte);
  }
  return out;
}

// 2026-02-28 17:05:00.123+00 → 2026-02-28T17:05:00.123Z
std::string instant_of(std::string_view text) {
  std::string_view moment = text;
  if (moment.ends_with("+00")) moment.remove_suffix(3);
  const std::size_t space = moment.find(' ');
  if (space == std::string_view::npos || moment.size() < space + 9 || moment.ends_with("BC"))
    return std::string(text);
  std::string fraction(moment.substr(space + 9));
  if (!fraction.empty()) fraction.erase(0, 1);
  while (fraction.size() < 3 || (fraction.size() > 3 && fraction.size() < 6)) fraction += '0';
  return fmt::format("{}T{}.{}Z", moment.substr(0, space), moment.substr(space + 1, 8), fraction);
}

// A database without an encoding may hold what is no text.
Value text_of(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  return Bytes{std::string(text)};
}

Value boolean_of(std::string_view text, std::uint32_t type) {
  if (type == kBool) return text == "t";
  if (text == "0" || text == "1") return text == "1";
  return integer_of(text);
}

std::string json_of_array(std::string_view text) {
  std::string out = "[";
  for (const std::optional<std::string>& one : array_elements(text)) {
    if (out.size() > 1) out += ',';
    if (one && is_utf8(*one)) {
      append_json_string(out, *one);
    } else {
      out += "null";
    }
  }
  return out + "]";
}

}  // namespace

PgCommand command_of(const BuiltSql& built) {
  PgCommand command{built.text, {}, true};
  for (const SqlParameter& parameter : built.parameters) {
    PgParam param = typed_param(parameter.value);
    if (const bool* flag = std::get_if<bool>(&parameter.value))
      param.text = std::string(1, *flag ? 't' : 'f');
    param.type = 0;  // the builder has written a cast
    command.params.push_back(std::move(param));
  }
  return command;
}

PgParam typed_param(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return {*text, kText};
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return {fmt::format("{}", *whole), kInt8};
  if (const auto* number = std::get_if<double>(&value)) return {text_of_double(*number), kFloat8};
  if (const auto* flag = std::get_if<bool>(&value)) return {*flag ? "1" : "0", kInt8};
  if (const auto* bytes = std::get_if<Bytes>(&value)) return {hex_of(bytes->bytes), kBytea};
  return {};
}

Value value_of_field(std::string_view text, std::uint32_t type, FieldType field_type) {
  if (type == kBytea) return bytes_of(text);
  switch (field_type) {
    case FieldType::integer: return integer_of(text);
    case FieldType::number: return number_of_type(text, type);
    case FieldType::boolean: return boolean_of(text, type);
    case FieldType::instant:
      return type == kTimestamp || type == kTimestamptz ? instant_of(text) : std::string(text);
    case FieldType::list:
      return type == kTextArray || type == kVarcharArray ? json_of_array(text) : std::string(text);
    default: return text_of(text);
  }
}

Value value_by_type(std::string_view text, std::uint32_t type, bool has_booleans) {
  switch (type) {
    case kBool:
      if (has_booleans) return text == "t";
      return static_cast<std::int64_t>(text == "t" ? 1 : 0);
    case kBytea: return bytes_of(text);
    case kInt2:
    case kInt4:
    case kInt8: return integer_of(text);
    case kFloat4:
    case kFloat8: return double_of(text);
    case kNumeric: return computed_numeric(text);
    case kTimestamp:
    case kTimestamptz: return instant_of(text);
    case kTextArray:
    case kVarcharArray: return json_of_array(text);
    default: return text_of(text);
  }
}

std::vector<Row> rows_of(const PgRows& rows, const std::vector<const Field*>& fields) {
  std::vector<Row> out(rows.size());
  for (std::size_t at = 0; at < rows.size(); ++at)
    for (std::size_t column = 0; column < fields.size(); ++column) {
      const std::optional<std::string_view> text = rows.cell(at, column);
      out[at].push_back(text ? value_of_field(*text, rows.type(column), fields[column]->type)
                             : Value());
    }
  return out;
}

std::vector<Row> rows_by_type(const PgRows& rows, bool has_booleans) {
  std::vector<Row> out(rows.size());
  for (std::size_t at = 0; at < rows.size(); ++at)
    for (std::size_t column = 0; column < rows.width(); ++column) {
      const std::optional<std::string_view> text = rows.cell(at, column);
      out[at].push_back(text ? value_by_type(*text, rows.type(column), has_booleans) : Value());
    }
  return out;
}

std::vector<std::optional<std::string>> array_elements(std::string_view text) {
  std::vector<std::optional<std::string>> out;
  if (text.size() <= 2) return out;
  text = text.substr(1, text.size() - 2);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    std::string one;
    const bool is_quoted = at < text.size() && text[at] == '"';
    if (is_quoted) {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
        one += text[at];
      }
      ++at;
    } else {
      for (; at < text.size() && text[at] != ','; ++at) one += text[at];
    }
    if (!is_quoted && one == "NULL") {
      out.emplace_back();
    } else {
      out.emplace_back(std::move(one));
    }
  }
  return out;
}

}  // namespace alfred
