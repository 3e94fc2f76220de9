#include "records/field_value.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/json/json_text.h"
#include "base/quoted_text.h"
#include "base/time/iso_time.h"
#include "base/time/time_zone.h"
#include "base/utf8.h"
#include "records/json_column.h"
#include "storage/exact_number.h"

namespace alfred {
namespace {

constexpr std::size_t kShownChoices = 10;

// One value on its way in: the column, its place in the call and the limits.
struct Reading {
  const Field& field;
  const std::string& path;
  const RecordLimits& limits;
};

std::string came(const Json& json) {
  if (json.is_string()) {
    const std::string shown = quoted_text(json.as_string());
    return shown.starts_with('`') ? "the text " + shown : shown;
  }
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  return "`" + write_json(json) + "`";
}

Unexpected wrong(const Reading& in, const Json& json, std::string_view takes) {
  return fail(ErrorCode::value,
              fmt::format("{} takes {}; this is {}.", in.field.name, takes, came(json)), in.path);
}

// A column of floats takes the whole numbers that are one (C10).
Unexpected rounded(const Reading& in, const Json& json) {
  return fail(ErrorCode::value,
              fmt::format("{} cannot keep all digits of {}. Give it with 15 digits at most.",
                          in.field.name, came(json)),
              in.path);
}

std::optional<double> same_double(const Json& json) {
  const double number = json.to_number<double>();
  if (json.is_int64() && number < 0x1p63 && static_cast<std::int64_t>(number) == json.get_int64())
    return number;
  if (json.is_uint64() && number < 0x1p64 &&
      static_cast<std::uint64_t>(number) == json.get_uint64())
    return number;
  return std::nullopt;
}

Result<Value> read_integer(const Reading& in, const Json& json) {
  if (json.is_int64() && !same_double(json) && holds_floats(in.field)) return rounded(in, json);
  if (json.is_int64()) return Value(json.as_int64());
  if (json.is_double()) {
    const double number = json.as_double();
    // Both ends are powers of two, so the comparison is exact.
    if (std::trunc(number) == number && number >= -0x1p63 && number < 0x1p63)
      return Value(static_cast<std::int64_t>(number));
  }
  return wrong(in, json, "a whole number of 64 bits, such as 2");
}

Result<Value> read_number(const Reading& in, const Json& json) {
  if (!json.is_number()) return wrong(in, json, "a number, such as 1.5");
  if (json.is_double()) {
    const double number = json.as_double();
    if (!std::isfinite(number))
      return fail(ErrorCode::value, fmt::format("{} takes a finite number.", in.field.name),
                  in.path);
    if (number == 0) return Value(0.0);  // one zero: not every database keeps the other
    // Up to here every column keeps it as it is.
    if (std::abs(number) <= 0x1p53) return Value(number);
    return holds_floats(in.field) ? Value(number) : exact_number(number);
  }
  if (holds_floats(in.field)) {
    const std::optional<double> number = same_double(json);
    return number ? Result<Value>(Value(*number)) : rounded(in, json);
  }
  Value number = json.is_int64() ? exact_number(json.as_int64()) : exact_number(write_json(json));
  if (std::holds_alternative<std::string>(number)) return rounded(in, json);
  return number;
}

Result<void> check_text(const Reading& in, std::string_view text) {
  constexpr std::size_t kMostOfAByte = 6;  // \u001f
  std::size_t bytes = text.size();
  if (bytes * kMostOfAByte > in.limits.text_bytes) {
    std::string shown;
    append_json_string(shown, text);
    bytes = shown.size() - 2;
  }
  if (bytes > in.limits.text_bytes)
    return fail(ErrorCode::limit,
                fmt::format("{} takes a text of at most {} bytes, as much as can be read again; "
                            "this one has {}. Shorten it, or keep it in several rows.",
                            in.field.name, in.limits.text_bytes, bytes),
                in.path);
  if (text.find('\0') != std::string_view::npos)
    return fail(ErrorCode::value,
                fmt::format("{} takes text without NUL characters; leave them out.", in.field.name),
                in.path);
  return {};
}

// The value of the column's list that a text means.
Result<std::string> read_choice(const Reading& in, std::string_view text) {
  const std::vector<std::string>& choices = in.field.enum_values;
  if (choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end())
    return std::string(text);
  const auto alias = in.field.value_aliases.find(text);
  if (alias != in.field.value_aliases.end()) return alias->second;
  std::vector<std::string> allowed(
      choices.begin(),
      choices.begin() + static_cast<std::ptrdiff_t>(std::min(choices.size(), kShownChoices)));
  return fail(ErrorCode::enum_value,
              fmt::format("{} takes one of its {} values; this is {}.", in.field.name,
                          choices.size(), quoted_text(text)),
              in.path, std::move(allowed));
}

Result<std::string> read_one_text(const Reading& in, const Json& json, std::string_view takes) {
  if (!json.is_string()) return wrong(in, json, takes);
  const std::string_view text = json.as_string();
  if (const Result<void> good = check_text(in, text); !good) return Unexpected(good.error());
  return read_choice(in, text);
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (is_dash ? c != '-' : !is_hex) return false;
  }
  return true;
}

Result<Value> read_uuid(const Reading& in, const Json& json) {
  constexpr std::string_view kTakes = "a uuid, as it was shown (lit_n)";
  if (!json.is_string()) return wrong(in, json, kTakes);
  std::string text(json.as_string());
  if (!is_uuid(text)) return wrong(in, json, kTakes);
  for (char& c : text)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  return Value(std::move(text));
}

Result<Value> read_date(const Reading& in, const Json& json) {
  if (json.is_string() && is_iso_date(json.as_string()))
    return Value(std::string(json.as_string()));
  return wrong(in, json, "a date such as 2026-02-28, without a time");
}

Result<Value> read_instant(const Reading& in, const Json& json) {
  if (json.is_string()) {
    if (std::optional<std::string> instant = read_iso_instant(json.as_string()))
      return Value(std::move(*instant));
    if (std::optional<ZonedTime> zoned = read_zoned_time(json.as_string()))
      return Value(std::move(zoned->instant));
  }
  return wrong(in, json,
               "a time with its zone such as 2026-02-28T17:05:00Z, …+01:00 or "
               "2026-02-28T17:05[Europe/Berlin]");
}

Result<void> check_size(const Reading& in, std::size_t bytes) {
  if (bytes <= in.limits.json_bytes) return {};
  return fail(ErrorCode::limit,
              fmt::format("{} holds at most {} bytes of JSON; this has {}. Shorten it.",
                          in.field.name, in.limits.json_bytes, bytes),
              in.path);
}

Result<Value> read_list(const Reading& in, const Json& json) {
  constexpr std::string_view kTakes = "a list of texts such as [\"a\",\"b\"]";
  if (!json.is_array()) return wrong(in, json, kTakes);
  JsonArray texts;
  for (const Json& element : json.as_array()) {
    Result<std::string> text = read_one_text(in, element, kTakes);
    if (!text) {
      text.error().path = fmt::format("{}[{}]", in.path, texts.size());
      return Unexpected(std::move(text).error());
    }
    texts.emplace_back(*text);
  }
  std::string out = write_json(texts);
  if (const Result<void> fits = check_size(in, out.size()); !fits) return Unexpected(fits.error());
  return Value(std::move(out));
}

bool has_nul(const Json& json) {
  if (json.is_string()) return json.as_string().find('\0') != JsonString::npos;
  if (json.is_array()) return std::any_of(json.as_array().begin(), json.as_array().end(), has_nul);
  if (!json.is_object()) return false;
  return std::any_of(json.as_object().begin(), json.as_object().end(), [](const auto& member) {
    return member.key().find('\0') != boost::json::string_view::npos || has_nul(member.value());
  });
}

// A text that was shown as it is stored, since no JSON value says all of it.
Result<Value> read_stored_text(const Reading& in, const Json& json) {
  if (!json.is_string() || !is_json_text(json.as_string(), in.limits.json_depth))
    return fail(ErrorCode::value,
                fmt::format("{0} takes JSON, and stored_text its text, of at most {1} levels; this "
                            "is none. Leave {0} out to keep what is stored, or give JSON.",
                            in.field.name, in.limits.json_depth),
                in.path);
  const std::string_view text = json.as_string();
  if (const Result<void> fits = check_size(in, text.size()); !fits) return Unexpected(fits.error());
  return Value(std::string(text));
}

Result<Value> read_json(const Reading& in, const Json& json) {
  if (const Json* const text = stored_text(json)) return read_stored_text(in, *text);
  const std::optional<Json> canonical = with_sorted_members(json, in.limits.json_depth);
  if (!canonical)
    return fail(ErrorCode::limit,
                fmt::format("{} holds JSON of at most {} levels; this is deeper. Flatten it.",
                            in.field.name, in.limits.json_depth),
                in.path);
  std::string text = write_json(*canonical);
  if (const Result<void> fits = check_size(in, text.size()); !fits) return Unexpected(fits.error());
  if (has_nul(json))
    return fail(ErrorCode::value,
                fmt::format("{} takes JSON without NUL characters; leave them out.", in.field.name),
                in.path);
  return Value(std::move(text));
}

// Text from a database, where bytes that are no UTF-8 show as \xNN (E19).
void append_text(std::string_view text, std::string& out) {
  if (is_utf8(text)) return append_json_string(out, text);
  std::string shown;
  while (!text.empty()) {
    const std::size_t good = std::min(first_invalid_utf8(text).value_or(text.size()), text.size());
    shown += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) break;
    shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(1);
  }
  append_json_string(out, shown);
}

// Whether it is a list of texts as write_json has it, without an escape: as most lists are stored.
bool is_plain_list(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 2) return false;
  if (text == "[]") return true;
  std::size_t at = 1;
  for (;;) {
    if (text[at] != '"') return false;
    at = next_json_escape(text, at + 1);
    if (at + 1 >= text.size() || text[at] != '"') return false;
    ++at;
    if (at + 1 == text.size()) return is_utf8(text);
    if (text[at] != ',') return false;
    ++at;
  }
}

void append_list(std::string_view text, std::string& out) {
  if (is_plain_list(text)) {
    out += text;
  } else if (const std::optional<Json> list = exact_json(text)) {
    append_json(out, *list);
  } else {
    append_text(text, out);
  }
}

void append_stored_text(std::string_view text, std::string& out) {
  out += '{';
  append_json_name(out, kStoredText);
  append_text(text, out);
  out += '}';
}

void append_json_text(std::string_view text, std::string& out) {
  if (is_plain_list(text)) {
    out += text;
  } else if (const std::optional<Json> json = exact_json(text)) {
    append_json(out, *json);
  } else {
    append_stored_text(text, out);
  }
}

void append_double(double number, std::string& out) {
  if (std::isfinite(number))
    out += write_json(Json(number));
  else
    out += std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
}

}  // namespace

Result<Value> read_field_value(const Field& field, const Json& json, const std::string& path,
                               const RecordLimits& limits) {
  const Reading in{field, path, limits};
  switch (field.type) {
    case FieldType::integer: return read_integer(in, json);
    case FieldType::number: return read_number(in, json);
    case FieldType::boolean:
      if (json.is_bool()) return Value(json.as_bool());
      return wrong(in, json, "true or false");
    case FieldType::date: return read_date(in, json);
    case FieldType::instant: return read_instant(in, json);
    case FieldType::uuid: return read_uuid(in, json);
    case FieldType::list: return read_list(in, json);
    case FieldType::json: return read_json(in, json);
    case FieldType::bytes:
      return fail(ErrorCode::column_readonly,
                  fmt::format("{} holds bytes, which are shown by their size only. Leave it out.",
                              field.name),
                  path);
    case FieldType::text: break;
  }
  Result<std::string> text = read_one_text(in, json, "a text");
  if (!text) return Unexpected(std::move(text).error());
  return Value(std::move(*text));
}

void append_field_json(const Field& field, const Value& value, std::string& out) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    out += std::to_string(*number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    append_double(*real, out);
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    out += *truth ? "true" : "false";
  } else if (const auto* bytes = std::get_if<Bytes>(&value)) {
    const std::string shown = fmt::format("<{} bytes>", bytes->bytes.size());
    if (field.type == FieldType::json)
      append_stored_text(shown, out);
    else
      append_text(shown, out);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    if (field.type == FieldType::json)
      append_json_text(*text, out);
    else if (field.type == FieldType::list)
      append_list(*text, out);
    else
      append_text(*text, out);
  } else {
    out += "null";
  }
}

}  // namespace alfred
