#include "records/json_column.h"

#include <algorithm>
#include <vector>

#include "base/decimal.h"
#include "base/json/json_scanner.h"

namespace alfred {
namespace {

// Reading keeps whole numbers or refuses them; a fraction it rounds to a double.
bool is_kept(std::string_view number) {
  if (number.find_first_of(".eE") == std::string_view::npos) return true;
  const std::optional<Decimal> decimal = read_decimal(number);
  return decimal && exact_double(*decimal);
}

// Precondition: `json` was read as JSON.
bool keeps_numbers(std::string_view json) {
  std::size_t at = 0;
  while ((at = json.find_first_of("\"-0123456789", at)) != std::string_view::npos) {
    std::size_t end = at + 1;
    if (json[at] == '"') {
      while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
      ++end;
    } else {
      end = std::min(json.find_first_not_of("0123456789+-.eE", at), json.size());
      if (!is_kept(json.substr(at, end - at))) return false;
    }
    at = end;
  }
  return true;
}

}  // namespace

std::optional<Json> with_sorted_members(const Json& json, std::size_t depth_left) {
  if (!json.is_array() && !json.is_object()) return json;
  if (depth_left == 0) return std::nullopt;
  if (json.is_array()) {
    JsonArray out;
    for (const Json& element : json.as_array()) {
      std::optional<Json> inner = with_sorted_members(element, depth_left - 1);
      if (!inner) return std::nullopt;
      out.push_back(std::move(*inner));
    }
    return out;
  }
  std::vector<const boost::json::key_value_pair*> members;
  for (const auto& member : json.as_object()) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return a->key() < b->key(); });
  JsonObject out;
  for (const auto* member : members) {
    std::optional<Json> inner = with_sorted_members(member->value(), depth_left - 1);
    if (!inner) return std::nullopt;
    out.emplace(member->key(), std::move(*inner));
  }
  return out;
}

std::optional<Json> exact_json(std::string_view text) {
  const Result<Json> json = parse_json(text, JsonLimits::none());
  if (!json || !keeps_numbers(text) || stored_text(*json) != nullptr) return std::nullopt;
  return with_sorted_members(*json, kJsonDepthCeiling);
}

const Json* stored_text(const Json& json) {
  const JsonObject* const object = json.if_object();
  return object != nullptr && object->size() == 1 ? object->if_contains(kStoredText) : nullptr;
}

bool is_json_text(std::string_view text, std::size_t max_depth) {
  JsonScanner scanner(text, max_depth, false);
  const char* const after =
      scanner.value(scanner.begin(), [](const char*, const char*, const StringTraits&) {});
  return after != nullptr && scanner.space(after) == scanner.end();
}

}  // namespace alfred
