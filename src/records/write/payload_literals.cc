#include "records/write/payload_literals.h"

#include <algorithm>
#include <optional>

#include "refs/hiding/literal_mask.h"

namespace alfred {

std::optional<Json> hidden_number(std::string_view text) {
  if (!text.starts_with('+')) return std::nullopt;
  const Result<Json> number = parse_json(text.substr(1), JsonLimits::none());
  return number && number->is_number() ? std::optional(*number) : std::nullopt;
}

bool may_name_literal(const Json& json) {
  const auto is_in = [](std::string_view text) { return text.find("lit_") != text.npos; };
  if (json.is_string()) return is_in(json.get_string());
  if (json.is_array())
    return std::any_of(json.get_array().begin(), json.get_array().end(), may_name_literal);
  if (!json.is_object()) return false;
  return std::any_of(json.get_object().begin(), json.get_object().end(), [&](const auto& member) {
    return is_in(member.key()) || may_name_literal(member.value());
  });
}

Result<Json> with_literals(const RefRegistry& registry, const Json& json) {
  if (json.is_string()) {
    if (const auto digits = LiteralMask::hidden_number(registry, json.as_string()))
      if (Result<Json> number = parse_json(*digits, JsonLimits::none())) return number;
    Result<std::string> text = LiteralMask::restore(registry, json.as_string());
    if (!text) return Unexpected(std::move(text).error());
    return Json(*text);
  }
  if (json.is_array()) {
    JsonArray out;
    for (const Json& element : json.as_array()) {
      Result<Json> inner = with_literals(registry, element);
      if (!inner) return inner;
      out.push_back(std::move(*inner));
    }
    return Json(std::move(out));
  }
  if (!json.is_object()) return json;
  JsonObject out;
  for (const auto& member : json.as_object()) {
    const Result<std::string> name = LiteralMask::restore(registry, member.key());
    Result<Json> inner = with_literals(registry, member.value());
    if (!inner) return inner;
    out[name ? std::string_view(*name) : std::string_view(member.key())] = std::move(*inner);
  }
  return Json(std::move(out));
}

}  // namespace alfred
