#include "inbox/filter/shortcut.h"

#include <algorithm>

namespace alfred::inbox {
namespace {

bool is_same(const Json& expected, const Json& actual) {
  if (expected.is_number() && actual.is_number()) {
    if (expected.is_double() || actual.is_double())
      return expected.to_number<double>() == actual.to_number<double>();
    return expected == actual;
  }
  return expected == actual;
}

// The value at a dotted path; null when a step of it is not there.
const Json* value_at(const Json& object, std::string_view path) {
  const Json* value = &object;
  for (;;) {
    const JsonObject* const members = value->if_object();
    if (members == nullptr) return nullptr;
    if (const Json* const whole = members->if_contains(path)) return whole;
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) return nullptr;
    value = members->if_contains(path.substr(0, dot));
    if (value == nullptr) return nullptr;
    path.remove_prefix(dot + 1);
  }
}

bool matches_value(const Json& expected, const Json& actual, std::int64_t& left) {
  if (expected.is_object()) return actual.is_object() && matches_shortcut(expected, actual, left);
  const JsonArray* const wanted = expected.if_array();
  const JsonArray* const found = actual.if_array();
  const auto is_in = [&](const Json& one, const JsonArray& many) {
    return std::any_of(many.begin(), many.end(),
                       [&](const Json& other) { return --left < 0 || is_same(one, other); });
  };
  if (wanted != nullptr && found != nullptr)
    return std::all_of(wanted->begin(), wanted->end(),
                       [&](const Json& one) { return left >= 0 && is_in(one, *found); });
  if (wanted != nullptr) return is_in(actual, *wanted);
  if (found != nullptr) return is_in(expected, *found);
  return is_same(expected, actual);
}

}  // namespace

bool matches_shortcut(const Json& expected, const Json& actual, std::int64_t& left) {
  const JsonObject& members = expected.as_object();
  return std::all_of(members.begin(), members.end(), [&](const auto& member) {
    const Json* const value = value_at(actual, member.key());
    return value != nullptr && matches_value(member.value(), *value, left);
  });
}

}  // namespace alfred::inbox
