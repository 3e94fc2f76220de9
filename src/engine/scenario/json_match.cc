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
  if (json.is_int64()) return static_cast<double>(json.get_int64());
  return json.is_uint64() ? static_cast<double>(json.get_uint64()) : json.get_double();
}

// The value of an object's only member of this name; null: it is not such an object.
const Json* only(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  return object != nullptr && object->size() == 1 ? object->if_contains(name) : nullptr;
}

bool is_word(const Json& json, std::string_view word) {
  return json.is_string() && std::string_view(json.get_string()) == word;
}

std::string object_mismatch(const JsonObject& expected, const JsonObject& actual,
                            const std::string& path) {
  for (const auto& member : expected) {
    const std::string place = path + "." + std::string(member.key());
    const Json* const value = actual.if_contains(member.key());
    if (is_word(member.value(), "$absent")) {
      if (value != nullptr) return place + ": expected nothing, got " + write_json(*value);
      continue;
    }
    if (value == nullptr)
      return fmt::format("{}: expected {}, got nothing in {}", place, write_json(member.value()),
                         write_json(actual));
    if (std::string found = mismatch(member.value(), *value, place); !found.empty()) return found;
  }
  return "";
}

std::string array_mismatch(const JsonArray& expected, const Json& actual, const std::string& path) {
  if (!actual.is_array() || actual.get_array().size() != expected.size())
    return differs(expected, actual, path);
  for (std::size_t at = 0; at < expected.size(); ++at) {
    const std::string place = fmt::format("{}[{}]", path, at);
    if (std::string found = mismatch(expected[at], actual.get_array()[at], place); !found.empty())
      return found;
  }
  return "";
}

std::string has_mismatch(const Json& expected, const Json& actual, const std::string& path) {
  if (!expected.is_array()) return path + ": \"$has\" takes a list of what is expected";
  for (const Json& one : expected.get_array()) {
    const bool is_there =
        actual.is_array() &&
        std::any_of(actual.get_array().begin(), actual.get_array().end(),
                    [&](const Json& element) { return mismatch(one, element).empty(); });
    if (!is_there)
      return fmt::format("{}: expected one like {}, got {}", path, write_json(one),
                         write_json(actual));
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

bool is_texts(const Json& json) {
  return json.is_array() && std::all_of(json.get_array().begin(), json.get_array().end(),
                                        [](const Json& one) { return one.is_string(); });
}

std::string text_mismatch(const JsonObject& expected, const Json& actual, const std::string& path) {
  const std::string shown = path.empty() ? "the text" : path;
  if (!actual.is_string()) return shown + ": expected a text, got " + write_json(actual);
  const std::string_view text = actual.get_string();
  for (const auto& member : expected) {
    if (!is_texts(member.value())) return shown + ": \"$says\" and \"$lacks\" take lists of texts";
    for (const Json& part : member.value().get_array()) {
      const bool is_said = text.find(part.get_string()) != std::string_view::npos;
      if (is_said == (member.key() == "$says")) continue;
      return fmt::format("{}: expected {}{}, got:\n{}", shown, is_said ? "no " : "",
                         write_json(part), text);
    }
  }
  return "";
}

}  // namespace

std::string mismatch(const Json& expected, const Json& actual, const std::string& path) {
  if (is_word(expected, "$any")) return "";
  if (const Json* count = only(expected, "$count"))
    return actual.is_array() && *count == static_cast<std::int64_t>(actual.get_array().size())
               ? ""
               : differs(expected, actual, path);
  if (const Json* has = only(expected, "$has")) return has_mismatch(*has, actual, path);
  if (is_about_text(expected)) return text_mismatch(expected.get_object(), actual, path);
  if (expected.is_object() && actual.is_object())
    return object_mismatch(expected.get_object(), actual.get_object(), path);
  if (expected.is_array()) return array_mismatch(expected.get_array(), actual, path);
  if (expected.is_number() && actual.is_number())
    return number_of(expected) == number_of(actual) ? "" : differs(expected, actual, path);
  return expected == actual ? "" : differs(expected, actual, path);
}

std::string rows_mismatch(const JsonArray& expected, const JsonArray& actual) {
  std::vector<bool> is_taken(actual.size(), false);
  for (const Json& row : expected) {
    std::size_t at = 0;
    while (at < actual.size() && (is_taken[at] || !mismatch(row, actual[at]).empty())) ++at;
    if (at == actual.size())
      return fmt::format("rows: expected {}, got none such in {}", write_json(row),
                         write_json(actual));
    is_taken[at] = true;
  }
  if (expected.size() == actual.size()) return "";
  return fmt::format("rows: expected {}, got {}: {}", expected.size(), actual.size(),
                     write_json(actual));
}

}  // namespace alfred
