#include "dom_translation.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

namespace alfred::bench {
namespace {

namespace json = boost::json;

class Refs {
 public:
  // The ref of a key, a new one when the key was not seen before.
  const std::string& ref_of(std::string_view type, std::string_view key) {
    const auto [found, is_new] = ref_of_key_.try_emplace(std::string(key));
    if (is_new) {
      found->second = fmt::format("{}_{}", type, ++counters_[std::string(type)]);
      key_of_ref_.emplace(found->second, found->first);
    }
    return found->second;
  }

 private:
  boost::unordered_flat_map<std::string, std::string> ref_of_key_;
  boost::unordered_flat_map<std::string, std::string> key_of_ref_;
  boost::unordered_flat_map<std::string, std::uint32_t> counters_;
};

// The type of the key a column holds; empty when it holds none.
std::string_view type_of_column(std::string_view own_type, std::string_view column) {
  if (column == "id") return own_type;
  if (column == "recipe_id" || column == "parent_recipe_id") return "recipe";
  if (column == "ingredient_id") return "ingredient";
  if (column == "user_id") return "user";
  return {};
}

void translate_row(Refs& refs, std::string_view own_type, json::object& row) {
  for (auto& member : row) {
    json::value& value = member.value();
    if (json::string* text = value.if_string()) {
      const std::string_view type = type_of_column(own_type, member.key());
      if (!type.empty()) *text = refs.ref_of(type, std::string_view(*text));
    } else if (member.key() == "recipe_ingredients") {
      for (json::value& nested : value.as_array()) translate_row(refs, "ri", nested.as_object());
    }
  }
}

}  // namespace

std::string translate_with_dom(std::string_view rows) {
  json::monotonic_resource memory;
  json::value document = json::parse(rows, &memory);
  Refs refs;
  for (json::value& row : document.as_array()) translate_row(refs, "recipe", row.as_object());
  return json::serialize(document);
}

}  // namespace alfred::bench
