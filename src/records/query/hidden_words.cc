#include "records/query/hidden_words.h"

#include <algorithm>
#include <string>

#include "records/key_part.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

bool is_in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-' || static_cast<unsigned char>(c) >= 0x80;
}

bool joins_words(std::string_view text, std::size_t at) {
  return std::string_view("./#+@").find(text[at]) != std::string_view::npos && at > 0 &&
         at + 1 < text.size() && is_in_word(text[at + 1]);
}

Result<Json> hidden_in_text(RefRegistry& registry, std::string_view text, bool may_hold_parts) {
  std::string shown;
  while (!text.empty()) {
    std::size_t size = 0;
    while (size < text.size() &&
           (is_in_word(text[size]) || (may_hold_parts && joins_words(text, size))))
      ++size;
    const std::string_view word = text.substr(0, std::max<std::size_t>(size, 1));
    text.remove_prefix(word.size());
    if (!has_key_shape(word) && !(may_hold_parts && looks_like_key(word))) {
      shown += word;
      continue;
    }
    const Result<std::uint32_t> number = registry.register_literal(word);
    if (!number) return Unexpected(number.error());
    shown += LiteralMask::name(*number);
  }
  return Json(shown);
}

Result<Json> hidden_number(RefRegistry& registry, const Json& number) {
  const Result<std::optional<std::string>> literal =
      literal_of_part_number(registry, write_json(number));
  if (!literal) return Unexpected(literal.error());
  return *literal ? Json(**literal) : number;
}

}  // namespace

Result<Json> with_hidden_words(RefRegistry& registry, const Json& json, bool may_hold_parts) {
  if (json.is_string())
    return hidden_in_text(registry, std::string_view(json.get_string()), may_hold_parts);
  if (json.is_number() && may_hold_parts) return hidden_number(registry, json);
  Json out = json;
  if (JsonArray* const list = out.if_array()) {
    for (Json& element : *list) {
      Result<Json> one = with_hidden_words(registry, element, may_hold_parts);
      if (!one) return one;
      element = std::move(*one);
    }
  } else if (JsonObject* const object = out.if_object()) {
    for (auto& member : *object) {
      Result<Json> one = with_hidden_words(registry, member.value(), may_hold_parts);
      if (!one) return one;
      member.value() = std::move(*one);
    }
  }
  return out;
}

}  // namespace alfred
