#include "records/read/masked_json.h"

#include <algorithm>
#include <vector>

#include "refs/hiding/key_shapes.h"

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

namespace {

// The literal it is shown as; empty: it shows no key.
Result<std::string> literal_of(RefRegistry& registry, KeyPieces& pieces, std::string_view number) {
  if (!has_key_shape(number)) return std::string();
  std::vector<TextSpan> spans;
  find_key_spans(number, pieces, spans);
  if (spans.empty()) return std::string();
  const Result<std::uint32_t> literal = registry.register_hidden_number(number);
  if (!literal) return Unexpected(literal.error());
  return std::string(LiteralMask::name(*literal));
}

std::size_t after_string(std::string_view text, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

constexpr std::string_view kNumber = "+-.0123456789Ee";

}  // namespace

Result<std::string> with_hidden_numbers(RefRegistry& registry, KeyPieces& pieces,
                                        std::string_view json_text) {
  if (!has_key_shape(json_text)) return std::string(json_text);
  std::string out;
  out.reserve(json_text.size());
  for (std::size_t at = 0; at < json_text.size();) {
    const bool is_number = json_text[at] == '-' || (json_text[at] >= '0' && json_text[at] <= '9');
    const std::size_t end = json_text[at] == '"' ? after_string(json_text, at)
                            : is_number          ? json_text.find_first_not_of(kNumber, at)
                                                 : at + 1;
    const std::string_view part = json_text.substr(at, end - at);
    at += part.size();
    const Result<std::string> literal =
        is_number ? literal_of(registry, pieces, part) : std::string();
    if (!literal) return Unexpected(literal.error());
    if (literal->empty())
      out += part;
    else
      ((out += '"') += *literal) += '"';
  }
  return out;
}

Result<Json> with_hidden_numbers(RefRegistry& registry, KeyPieces& pieces, const Json& json) {
  if (json.is_number()) {
    const Result<std::string> literal = literal_of(registry, pieces, write_json(json));
    if (!literal) return Unexpected(literal.error());
    return literal->empty() ? json : Json(*literal);
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
