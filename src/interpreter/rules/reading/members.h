// Members of JSON objects that a pack or a fact may have; what is missing or of another kind is
// empty.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace alfred::rules {

inline const Json* member(const JsonObject& object, std::string_view name) {
  return object.if_contains(name);
}
inline std::string text_of(const JsonObject& object, std::string_view name) {
  const Json* value = member(object, name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}
inline bool flag_of(const JsonObject& object, std::string_view name) {
  const Json* value = member(object, name);
  return value != nullptr && value->is_bool() && value->get_bool();
}
inline std::vector<std::string> texts_of(const JsonObject& object, std::string_view name) {
  std::vector<std::string> out;
  const Json* value = member(object, name);
  const JsonArray* list = value == nullptr ? nullptr : value->if_array();
  if (list == nullptr) return out;
  for (const Json& one : *list)
    if (one.is_string()) out.emplace_back(one.get_string());
  return out;
}
inline double number_of(const JsonObject& object, std::string_view name, double otherwise) {
  const Json* value = member(object, name);
  return value != nullptr && value->is_number() ? value->to_number<double>() : otherwise;
}

}  // namespace alfred::rules
