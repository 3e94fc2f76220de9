#include "base/json/json_members.h"

#include <set>
#include <string>
#include <vector>

#include "base/json/json_scanner.h"

namespace alfred {
namespace {

struct Level {
  bool is_object = false;
  bool awaits_name = false;
  std::set<std::string> names{};
};

// The closing quote of the string whose opening quote stands at `at`.
std::size_t string_end(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return at;
}

// The text with halves of surrogate pairs written as other characters, byte for byte as long.
std::string without_surrogates(std::string_view json) {
  std::string out(json);
  for (std::size_t at = out.find('\\'); at != std::string::npos && at + 3 < out.size();
       at = out.find('\\', at + 2)) {
    const bool is_unit = out[at + 1] == 'u' && (out[at + 2] == 'd' || out[at + 2] == 'D');
    if (is_unit && out[at + 3] >= '8') out[at + 2] = '1';
  }
  return out;
}

}  // namespace

const char* find_repeated_member(std::string_view json) {
  std::vector<Level> levels;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '{' || c == '[') {
      levels.push_back({c == '{', c == '{'});
    } else if (c == '}' || c == ']') {
      if (!levels.empty()) levels.pop_back();
    } else if (c == ',' && !levels.empty()) {
      levels.back().awaits_name = levels.back().is_object;
    } else if (c == '"') {
      const std::size_t end = string_end(json, at);
      if (!levels.empty() && levels.back().awaits_name) {
        levels.back().awaits_name = false;
        const std::string_view raw = json.substr(at + 1, end - at - 1);
        if (!levels.back().names.insert(decode_json_string(raw)).second) return json.data() + at;
      }
      at = end;
    }
  }
  return nullptr;
}

std::optional<std::vector<JsonMember>> outline_members(std::string_view json) {
  const std::string text = without_surrogates(json);
  JsonScanner scanner(text, text.size() + 1, false);
  const auto ignore = [](const char*, const char*, const StringTraits&) {};
  std::vector<JsonMember> members;
  std::set<std::string> names;
  const char* at = scanner.punctuation(scanner.begin(), '{');
  for (bool is_first = true; at != nullptr; is_first = false) {
    at = scanner.space(at);
    if (scanner.peek(at) == '}' && at != scanner.end()) {
      const bool is_all = scanner.space(at + 1) == scanner.end();
      return is_all ? std::optional(std::move(members)) : std::nullopt;
    }
    if (!is_first) at = scanner.punctuation(at, ',');
    if (at != nullptr) at = scanner.space(at);
    if (at == nullptr || scanner.peek(at) != '"') return std::nullopt;
    const char* const quote = at;
    StringTraits traits;
    const char* const end = scanner.string(at, traits);
    const char* const colon = end == nullptr ? nullptr : scanner.punctuation(end, ':');
    if (colon == nullptr) return std::nullopt;
    const char* const begin = scanner.space(colon);
    at = scanner.value(begin, ignore, 1);
    if (at == nullptr) return std::nullopt;
    std::string name = decode_json_string({quote + 1, static_cast<std::size_t>(end - quote - 2)});
    if (!names.insert(name).second) return std::nullopt;
    members.push_back({std::move(name),
                       json.substr(scanner.offset(begin), static_cast<std::size_t>(at - begin))});
  }
  return std::nullopt;
}

}  // namespace alfred
