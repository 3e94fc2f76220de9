#include "engine/scenario/json_match.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace alfred {
namespace {

std::string differs(const Json& expected, const Json& actual, const std::string& path) {
  return fmt::format("{}: expected {}, got {}", path.empty() ? "answer" : path,
                     write_json(expected), write_json(actual));
}

double number_of(const Json& json) {
  if (json.is_int64()) return static_cast<double>(json.as_int64());
  return json.is_uint64() ? static_cast<double>(json.as_uint64()) : json.as_double();
}

// The value of an object's only member of this name; null: it is not such an object.
const Json* only(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  return object != nullptr && object->size() == 1 ? object->if_contains(name) : nullptr;
}

bool is_word(const Json& json, std::string_view word) {
  return json.is_string() && std::string_view(json.as_string()) == word;
}

std::string object_mismatch(const JsonObject& expected, const JsonObject& actual,
                            const std::string& path) {
  for (const auto& member : expected) {
    const std::string place = path + "." + std::string(member.key());
    const Json* const value = actual.if_contains(member.key());
    if (is_word(member.value(), "$absent")) {
      if (value != nullptr) return place + ": is there: " + write_json(*value);
      continue;
    }
    if (value == nullptr) return place + ": is not there in " + write_json(actual);
    if (std::string found = mismatch(member.value(), *value, place); !found.empty()) return found;
  }
  return "";
}

std::string array_mismatch(const JsonArray& expected, const Json& actual, const std::string& path) {
  if (!actual.is_array() || actual.as_array().size() != expected.size())
    return differs(expected, actual, path);
  for (std::size_t at = 0; at < expected.size(); ++at) {
    const std::string place = fmt::format("{}[{}]", path, at);
    if (std::string found = mismatch(expected[at], actual.as_array()[at], place); !found.empty())
      return found;
  }
  return "";
}

std::string has_mismatch(const JsonArray& expected, const Json& actual, const std::string& path) {
  for (const Json& one : expected) {
    const bool is_there =
        actual.is_array() &&
        std::any_of(actual.as_array().begin(), actual.as_array().end(),
                    [&](const Json& element) { return mismatch(one, element).empty(); });
    if (!is_there) return path + ": has no " + write_json(one) + " in " + write_json(actual);
  }
  return "";
}

bool is_about_text(const Json& expected) {
  const JsonObject* object = expected.if_object();
  return object != nullptr && !object->empty() &&
         std::all_of(object->begin(), object->end(), [](const auto& member) {
           return member.key() == "$says" || member.key() == "$lacks";
         });
}

std::string text_mismatch(const JsonObject& expected, const Json& actual, const std::string& path) {
  const std::string shown = path.empty() ? "the text" : path;
  if (!actual.is_string()) return shown + ": is no text: " + write_json(actual);
  const std::string_view text = actual.as_string();
  for (const auto& member : expected)
    for (const Json& part : member.value().as_array()) {
      const bool is_said = text.find(part.as_string()) != std::string_view::npos;
      if (is_said == (member.key() == "$says")) continue;
      return shown + (is_said ? ": says " : ": does not say ") + write_json(part) + ":\n" +
             std::string(text);
    }
  return "";
}

}  // namespace

std::string mismatch(const Json& expected, const Json& actual, const std::string& path) {
  if (is_word(expected, "$any")) return "";
  if (const Json* count = only(expected, "$count"))
    return actual.is_array() && *count == static_cast<std::int64_t>(actual.as_array().size())
               ? ""
               : differs(expected, actual, path);
  if (const Json* has = only(expected, "$has")) return has_mismatch(has->as_array(), actual, path);
  if (is_about_text(expected)) return text_mismatch(expected.as_object(), actual, path);
  if (expected.is_object() && actual.is_object())
    return object_mismatch(expected.as_object(), actual.as_object(), path);
  if (expected.is_array()) return array_mismatch(expected.as_array(), actual, path);
  if (expected.is_number() && actual.is_number())
    return number_of(expected) == number_of(actual) ? "" : differs(expected, actual, path);
  return expected == actual ? "" : differs(expected, actual, path);
}

std::string rows_mismatch(const JsonArray& expected, const JsonArray& actual) {
  std::vector<bool> is_taken(actual.size(), false);
  for (const Json& row : expected) {
    std::size_t at = 0;
    while (at < actual.size() && (is_taken[at] || !mismatch(row, actual[at]).empty())) ++at;
    if (at == actual.size()) return "no row " + write_json(row) + " among " + write_json(actual);
    is_taken[at] = true;
  }
  if (expected.size() == actual.size()) return "";
  return fmt::format("{} rows are expected, {} are there: {}", expected.size(), actual.size(),
                     write_json(actual));
}

}  // namespace alfred
