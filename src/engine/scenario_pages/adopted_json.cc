#include "engine/scenario_pages/adopted_json.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {
namespace {

constexpr std::size_t kWholeText = 500;  // of a text that no part is known of, in bytes

std::vector<std::string_view> parts_of(std::string_view text, char seam) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(seam), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The line that has most words in common with the part; empty: none has any.
std::string_view line_like(std::string_view part, std::string_view text) {
  const std::vector<std::string_view> words = parts_of(part, ' ');
  std::string_view best;
  std::size_t most = 0;
  for (const std::string_view line : parts_of(text, '\n')) {
    const std::vector<std::string_view> there = parts_of(line, ' ');
    const std::set<std::string_view> known(there.begin(), there.end());
    const auto count = static_cast<std::size_t>(std::count_if(
        words.begin(), words.end(), [&](std::string_view word) { return known.contains(word); }));
    if (count <= most) continue;
    most = count;
    best = line;
  }
  return best;
}

// The beginning of a text, up to the end of a line.
std::string_view beginning(std::string_view text) {
  if (text.size() <= kWholeText) return text;
  const std::size_t end = text.rfind('\n', kWholeText);
  return text.substr(0, end == std::string_view::npos || end == 0 ? text.find('\n') : end);
}

bool is_word(const Json& json, std::string_view word) {
  return json.is_string() && std::string_view(json.get_string()) == word;
}

const Json* only(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  return object != nullptr && object->size() == 1 ? object->if_contains(name) : nullptr;
}

const JsonArray* list_in(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  const Json* list = object == nullptr ? nullptr : object->if_contains(name);
  return list == nullptr ? nullptr : list->if_array();
}

class Adopter {
 public:
  explicit Adopter(const AdoptRules& rules) : rules_(rules) {}

  Json adopt(const Json& expected, const Json& actual) const {
    if (rules_.fits(expected, actual)) return expected;
    if (only(expected, "$count") != nullptr && actual.is_array()) return count(actual.get_array());
    if (only(expected, "$has") != nullptr && actual.is_array())
      return has(*list_in(expected, "$has"), actual.get_array());
    if (list_in(expected, "$says") != nullptr || list_in(expected, "$lacks") != nullptr)
      return actual.is_string() ? text(expected, actual.get_string()) : taken(actual);
    if (expected.is_object() && actual.is_object())
      return object(expected.get_object(), actual.get_object());
    if (expected.is_array() && actual.is_array())
      return array(expected.get_array(), actual.get_array());
    return taken(actual);
  }

  // What nobody expected, said of as much as of its neighbour.
  Json shaped(const Json* like, const Json& actual) const {
    const JsonObject* named = like == nullptr ? nullptr : like->if_object();
    if (named == nullptr || !actual.is_object()) return taken(actual);
    JsonObject out;
    for (const auto& member : *named)
      if (const Json* value = actual.get_object().if_contains(member.key()))
        out[member.key()] = taken(*value);
    return out.empty() ? taken(actual) : Json(std::move(out));
  }

 private:
  Json taken(const Json& actual) const { return rules_.is_loose ? Json("$any") : actual; }

  Json count(const JsonArray& actual) const {
    if (rules_.is_loose) return "$any";
    return JsonObject{{"$count", static_cast<std::int64_t>(actual.size())}};
  }

  Json has(const JsonArray& expected, const JsonArray& actual) const {
    JsonArray left;
    for (const Json& one : expected)
      if (std::any_of(actual.begin(), actual.end(),
                      [&](const Json& element) { return rules_.fits(one, element); }))
        left.push_back(one);
    if (left.empty()) return count(actual);
    return JsonObject{{"$has", std::move(left)}};
  }

  Json text(const Json& expected, std::string_view actual) const {
    JsonArray says;
    JsonArray lacks;
    const auto add = [&](std::string_view part) {
      if (std::find(says.begin(), says.end(), Json(part)) == says.end()) says.emplace_back(part);
    };
    if (const JsonArray* parts = list_in(expected, "$says"))
      for (const Json& part : *parts) {
        if (!part.is_string()) continue;
        const std::string_view said = part.get_string();
        if (actual.find(said) != std::string_view::npos) {
          add(said);
        } else if (const auto like = line_like(said, actual); !like.empty() && !rules_.is_loose) {
          add(like);
        }
      }
    if (const JsonArray* parts = list_in(expected, "$lacks"))
      for (const Json& part : *parts)
        if (part.is_string() && actual.find(part.get_string()) == std::string_view::npos)
          lacks.push_back(part);
    if (says.empty() && lacks.empty() && rules_.is_loose) return "$any";
    if (says.empty() && lacks.empty()) add(beginning(actual));
    JsonObject out;
    if (!says.empty()) out["$says"] = std::move(says);
    if (!lacks.empty()) out["$lacks"] = std::move(lacks);
    return out;
  }

  Json object(const JsonObject& expected, const JsonObject& actual) const {
    JsonObject out;
    for (const auto& member : expected) {
      const Json* const value = actual.if_contains(member.key());
      if (value == nullptr)
        out[member.key()] = "$absent";
      else
        out[member.key()] =
            is_word(member.value(), "$absent") ? taken(*value) : adopt(member.value(), *value);
    }
    return out;
  }

  Json array(const JsonArray& expected, const JsonArray& actual) const {
    if (rules_.is_loose && expected.size() != actual.size()) return "$any";
    JsonArray out;
    for (std::size_t at = 0; at < actual.size(); ++at)
      out.push_back(at < expected.size()
                        ? adopt(expected[at], actual[at])
                        : shaped(expected.empty() ? nullptr : &expected[0], actual[at]));
    return out;
  }

  const AdoptRules& rules_;
};

}  // namespace

Json adopted(const Json& expected, const Json& actual, const AdoptRules& rules) {
  return Adopter(rules).adopt(expected, actual);
}

Json adopted_rows(const Json& expected, const JsonArray& actual, const AdoptRules& rules) {
  const Adopter adopter(rules);
  if (!expected.is_array()) return adopter.adopt(expected, actual);
  const JsonArray& wanted = expected.get_array();
  std::vector<const Json*> left;  // rows that nothing is said of yet
  for (const Json& row : actual) left.push_back(&row);
  std::vector<const Json*> match(wanted.size(), nullptr);
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const auto found = std::find_if(left.begin(), left.end(),
                                    [&](const Json* row) { return rules.fits(wanted[at], *row); });
    if (found == left.end()) continue;
    match[at] = *found;
    left.erase(found);
  }
  JsonArray out;
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    if (match[at] != nullptr) {
      out.push_back(wanted[at]);
    } else if (!left.empty()) {
      out.push_back(adopter.adopt(wanted[at], *left.front()));
      left.erase(left.begin());
    }
  }
  for (const Json* row : left)
    out.push_back(adopter.shaped(wanted.empty() ? nullptr : &wanted[0], *row));
  return out;
}

}  // namespace alfred
