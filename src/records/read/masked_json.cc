#include "records/read/masked_json.h"

namespace alfred {

Result<Json> masked_json(LiteralMask& mask, const Json& json) {
  if (json.is_string()) {
    const Result<MaskedText> text = mask.mask(std::string_view(json.get_string()));
    if (!text) return Unexpected(text.error());
    return Json(text->view());
  }
  if (const JsonArray* const list = json.if_array()) {
    JsonArray out;
    for (const Json& element : *list) {
      Result<Json> one = masked_json(mask, element);
      if (!one) return one;
      out.push_back(std::move(*one));
    }
    return Json(std::move(out));
  }
  const JsonObject* const object = json.if_object();
  if (object == nullptr) return json;
  JsonObject out;
  for (const auto& member : *object) {
    Result<Json> one = masked_json(mask, member.value());
    if (!one) return one;
    const Result<MaskedText> name = mask.mask(std::string_view(member.key()));
    if (!name) return Unexpected(name.error());
    out.insert_or_assign(name->view(), std::move(*one));
  }
  return Json(std::move(out));
}

Result<Json> with_hidden_numbers(RefRegistry& registry, KeyPieces& pieces, const Json& json) {
  if (json.is_int64() || json.is_uint64()) {
    const std::string text = write_json(json);
    std::vector<TextSpan> spans;
    find_key_spans(text, pieces, spans);
    if (spans.empty()) return json;
    const Result<std::uint32_t> number = registry.register_literal("+" + text);
    if (!number) return Unexpected(number.error());
    return Json(LiteralMask::name(*number));
  }
  Json out = json;
  if (JsonArray* const list = out.if_array()) {
    for (Json& element : *list) {
      Result<Json> one = with_hidden_numbers(registry, pieces, element);
      if (!one) return one;
      element = std::move(*one);
    }
  } else if (JsonObject* const object = out.if_object()) {
    for (auto& member : *object) {
      Result<Json> one = with_hidden_numbers(registry, pieces, member.value());
      if (!one) return one;
      member.value() = std::move(*one);
    }
  }
  return out;
}

}  // namespace alfred
