#include "inbox/filter/script/script_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/utf8.h"
#include "inbox/filter/script/script_number.h"

namespace alfred::inbox {
namespace {

using Kind = ScriptValue::Kind;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Arrays and objects become texts, the rest stays.
ScriptValue primitive(const ScriptValue& value, std::string& room) {
  if (value.kind != Kind::tree) return value;
  room = text_of(value);
  return ScriptValue::of_text(room);
}

std::u16string units(std::string_view text) {
  std::u16string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    if (!point) break;
    if (point->value < 0x10000) {
      out += static_cast<char16_t>(point->value);
    } else {
      out += static_cast<char16_t>(0xD800 + ((point->value - 0x10000) >> 10U));
      out += static_cast<char16_t>(0xDC00 + ((point->value - 0x10000) & 0x3FFU));
    }
    at += point->size;
  }
  return out;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

int compare_texts(std::string_view a, std::string_view b) {
  if (is_ascii(a) && is_ascii(b)) return a.compare(b);
  return units(a).compare(units(b));
}

// A whole number as a property's name: 0, 1, 2 … without leading zeros.
std::optional<std::size_t> index_in(std::string_view key) {
  std::size_t out = 0;
  const auto [end, wrong] = std::from_chars(key.data(), key.data() + key.size(), out);
  if (wrong != std::errc() || end != key.data() + key.size()) return std::nullopt;
  if (key.size() > 1 && key[0] == '0') return std::nullopt;
  return out;
}

std::size_t unit_count(std::string_view text) {
  return is_ascii(text) ? text.size() : units(text).size();
}

}  // namespace

ScriptValue ScriptValue::of(const Json& json) {
  switch (json.kind()) {
    case boost::json::kind::null: return {Kind::null, false, 0, {}, nullptr};
    case boost::json::kind::bool_: return of_flag(json.get_bool());
    case boost::json::kind::int64: return of_number(static_cast<double>(json.get_int64()));
    case boost::json::kind::uint64: return of_number(static_cast<double>(json.get_uint64()));
    case boost::json::kind::double_: return of_number(json.get_double());
    case boost::json::kind::string: return of_text(json.get_string());
    default: return {Kind::tree, false, 0, {}, &json};
  }
}

ScriptValue Scratch::keep(std::string text) {
  return ScriptValue::of_text(texts_.emplace_front(std::move(text)));
}
ScriptValue Scratch::keep(Json tree) {
  return ScriptValue::of(trees_.emplace_front(std::move(tree)));
}

Json json_of(const ScriptValue& value) {
  switch (value.kind) {
    case Kind::flag: return value.flag;
    case Kind::number: return std::isfinite(value.number) ? Json(value.number) : Json();
    case Kind::text: return Json(value.text);
    case Kind::tree: return *value.tree;
    default: return {};
  }
}

bool is_truthy(const ScriptValue& value) {
  switch (value.kind) {
    case Kind::flag: return value.flag;
    case Kind::number: return value.number != 0 && !std::isnan(value.number);
    case Kind::text: return !value.text.empty();
    case Kind::tree: return true;
    default: return false;
  }
}

double number_of(const ScriptValue& value) {
  switch (value.kind) {
    case Kind::undefined: return kNan;
    case Kind::null: return 0;
    case Kind::flag: return value.flag ? 1 : 0;
    case Kind::number: return value.number;
    case Kind::text: return number_in(value.text);
    case Kind::tree: return number_in(text_of(value));
  }
  return kNan;
}

std::string text_of(const ScriptValue& value) {
  switch (value.kind) {
    case Kind::undefined: return "undefined";
    case Kind::null: return "null";
    case Kind::flag: return value.flag ? "true" : "false";
    case Kind::number: return number_text(value.number);
    case Kind::text: return std::string(value.text);
    case Kind::tree: break;
  }
  const JsonArray* const array = value.array();
  if (array == nullptr) return "[object Object]";
  std::string out;
  for (std::size_t i = 0; i < array->size(); ++i) {
    if (i > 0) out += ',';
    if (const ScriptValue one = ScriptValue::of((*array)[i]); !one.is_missing())
      out += text_of(one);
  }
  return out;
}

bool is_identical(const ScriptValue& a, const ScriptValue& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::flag: return a.flag == b.flag;
    case Kind::number: return a.number == b.number;
    case Kind::text: return a.text == b.text;
    case Kind::tree: return a.tree == b.tree;
    default: return true;
  }
}

bool is_loosely_equal(const ScriptValue& a, const ScriptValue& b) {
  if (a.is_missing() || b.is_missing()) return a.is_missing() && b.is_missing();
  if (a.kind == b.kind) return is_identical(a, b);
  if (a.kind == Kind::flag) return is_loosely_equal(ScriptValue::of_number(a.flag ? 1 : 0), b);
  if (b.kind == Kind::flag) return is_loosely_equal(a, ScriptValue::of_number(b.flag ? 1 : 0));
  std::string room;
  if (a.kind == Kind::tree) return is_loosely_equal(primitive(a, room), b);
  if (b.kind == Kind::tree) return is_loosely_equal(a, primitive(b, room));
  return number_of(a) == number_of(b);
}

bool is_deeply_equal(const ScriptValue& a, const ScriptValue& b) {
  if (a.kind == Kind::tree && b.kind == Kind::tree) {
    if (const JsonArray* const x = a.array()) {
      const JsonArray* const y = b.array();
      return y != nullptr &&
             std::equal(x->begin(), x->end(), y->begin(), y->end(),
                        [](const Json& one, const Json& other) {
                          return is_deeply_equal(ScriptValue::of(one), ScriptValue::of(other));
                        });
    }
    const JsonObject* const x = a.object();
    const JsonObject* const y = b.object();
    if (y == nullptr || x->size() != y->size()) return false;
    return std::all_of(x->begin(), x->end(), [&](const auto& member) {
      const Json* const other = y->if_contains(member.key());
      return other != nullptr &&
             is_deeply_equal(ScriptValue::of(member.value()), ScriptValue::of(*other));
    });
  }
  return is_identical(a, b);
}

Order order_of(const ScriptValue& left, const ScriptValue& right) {
  std::string left_room;
  std::string right_room;
  const ScriptValue a = primitive(left, left_room);
  const ScriptValue b = primitive(right, right_room);
  if (a.kind == Kind::text && b.kind == Kind::text) {
    const int order = compare_texts(a.text, b.text);
    return order < 0 ? Order::less : order > 0 ? Order::more : Order::equal;
  }
  const double x = number_of(a);
  const double y = number_of(b);
  if (std::isnan(x) || std::isnan(y)) return Order::none;
  return x < y ? Order::less : x > y ? Order::more : Order::equal;
}

std::int64_t weight_of(const ScriptValue& value, std::int64_t most) {
  if (value.kind == Kind::text) return static_cast<std::int64_t>(value.text.size() / kBytesOfStep);
  if (value.kind != Kind::tree) return 0;
  std::int64_t sum = 0;
  const auto add = [&](const Json& one) {
    sum += 1 + weight_of(ScriptValue::of(one), most - sum);
    return sum <= most;
  };
  if (const JsonArray* const array = value.array()) {
    for (const Json& one : *array)
      if (!add(one)) break;
  } else {
    for (const auto& member : *value.object())
      if (!add(member.value())) break;
  }
  return sum;
}

bool has_text(std::string_view in, std::string_view what) {
  return what.empty() || ::memmem(in.data(), in.size(), what.data(), what.size()) != nullptr;
}

ScriptValue property_of(const ScriptValue& value, std::string_view key, Scratch& scratch) {
  if (const JsonObject* const object = value.object()) {
    const Json* const member = object->if_contains(key);
    return member == nullptr ? ScriptValue() : ScriptValue::of(*member);
  }
  const std::optional<std::size_t> index = index_in(key);
  if (const JsonArray* const array = value.array()) {
    if (key == "length") return ScriptValue::of_number(static_cast<double>(array->size()));
    return index && *index < array->size() ? ScriptValue::of((*array)[*index]) : ScriptValue();
  }
  if (value.kind != Kind::text) return {};
  if (key == "length") return ScriptValue::of_number(static_cast<double>(unit_count(value.text)));
  if (!index) return {};
  if (is_ascii(value.text))
    return *index < value.text.size() ? ScriptValue::of_text(value.text.substr(*index, 1))
                                      : ScriptValue();
  // Beyond ASCII a unit is not always a character: only whole characters are given.
  std::size_t unit = 0;
  for (std::size_t at = 0; at < value.text.size();) {
    const std::size_t size = std::max<std::size_t>(1, utf8_size(value.text.substr(at)));
    if (unit == *index && size < 4) return scratch.keep(std::string(value.text.substr(at, size)));
    unit += size == 4 ? 2 : 1;
    at += size;
  }
  return {};
}

}  // namespace alfred::inbox
