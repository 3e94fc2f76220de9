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

}  // namespace alfred
