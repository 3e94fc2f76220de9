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

}  // namespace alfred
