#include "base/json/same_json.h"

#include <algorithm>

namespace alfred {
namespace {

bool are_same(const JsonObject& a, const JsonObject& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const auto& member) {
    const Json* const other = b.if_contains(member.key());
    return other != nullptr && is_same_json(member.value(), *other);
  });
}

}  // namespace

bool is_same_json(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object()) return are_same(a.get_object(), b.get_object());
  if (!a.is_array() || !b.is_array()) return a == b;
  return std::equal(a.get_array().begin(), a.get_array().end(), b.get_array().begin(),
                    b.get_array().end(), is_same_json);
}

}  // namespace alfred
