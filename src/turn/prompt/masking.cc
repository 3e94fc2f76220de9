#include "turn/prompt/masking.h"

#include <algorithm>
#include <optional>

#include "context/own_words.h"
#include "context/shown_text.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

constexpr std::size_t kUuidDigits = 32;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// A literal or a ref that was shown: a key that reads like a ref hides none.
bool is_issued(const RefRegistry& registry, std::string_view word) {
  if (registry.find(word) != kNoEntity || registry.find_type(word)) return true;
  const Result<std::string> restored = LiteralMask::restore(registry, word);
  return restored && *restored != word;
}

// Masks texts; counts what it hid. Registers inside somebody's transaction.
class Masker {
 public:
  Masker(RefRegistry& registry, const Scene& scene, bool leaves_uuids)
      : registry_(registry),
        pieces_(registry.keys()),
        own_words_(scene.world().schema, scene.own_texts()),
        leaves_uuids_(leaves_uuids) {}

  Result<std::string> text(std::string_view given) {
    const std::vector<TextSpan> spans = key_spans(given);
    if (spans.empty()) return std::string(given);
    return masked(given, spans);
  }

  // In place: most often there is nothing to hide.
  Result<void> mask(std::string& text) {
    const std::vector<TextSpan> spans = key_spans(text);
    if (spans.empty()) return {};
    Result<std::string> hidden = masked(text, spans);
    if (!hidden) return Unexpected(std::move(hidden).error());
    text = std::move(*hidden);
    return {};
  }

  Result<Json> json(const Json& given) {
    if (const JsonString* string = given.if_string()) {
      const Result<std::string> masked = text(*string);
      if (!masked) return Unexpected(masked.error());
      return Json(*masked);
    }
    if (const JsonArray* list = given.if_array()) {
      JsonArray out;
      for (const Json& one : *list) {
        Result<Json> masked = json(one);
        if (!masked) return masked;
        out.push_back(std::move(*masked));
      }
      return Json(std::move(out));
    }
    const JsonObject* object = given.if_object();
    if (object == nullptr) return given;
    JsonObject out;
    for (const auto& member : *object) {
      const Result<std::string> name = text(member.key());
      if (!name) return Unexpected(name.error());
      Result<Json> masked = json(member.value());
      if (!masked) return masked;
      out[*name] = std::move(*masked);
    }
    return Json(std::move(out));
  }

  // Whether a value that is written so may hold something. Where keys are long texts it always may:
  // those look otherwise when they are written.
  bool may_hide_in(std::string_view written) {
    return pieces_.has_long_texts() || !key_spans(written).empty();
  }

 private:
  std::vector<TextSpan> key_spans(std::string_view text) {
    std::vector<TextSpan> spans;
    find_key_spans(text, pieces_, spans);
    return spans;
  }

  Result<std::string> masked(std::string_view given, const std::vector<TextSpan>& spans) {
    std::string out;
    std::size_t copied = 0;
    for (const TextSpan& span : spans) {
      const std::string_view word = given.substr(span.from, span.upto - span.from);
      const bool is_uuid =
          static_cast<std::size_t>(std::count_if(word.begin(), word.end(), is_hex)) >= kUuidDigits;
      if (is_issued(registry_, word) || (leaves_uuids_ && is_uuid) || own_words_.contains(word))
        continue;
      const Result<std::uint32_t> number = registry_.register_literal(word);
      if (!number) return Unexpected(number.error());
      out.append(given.substr(copied, span.from - copied)).append(LiteralMask::name(*number));
      copied = span.upto;
    }
    out += given.substr(copied);
    return out;
  }

  RefRegistry& registry_;
  KeyPieces pieces_;
  OwnWords own_words_;
  bool leaves_uuids_;
};

}  // namespace

Result<Json> mask_answer(Scene& scene, const Json& answer) {
  Json out;
  const Result<void> told = scene.tell_refs([&](RefRegistry& registry) -> Result<void> {
    Result<Json> masked = Masker(registry, scene, false).json(answer);
    if (!masked) return Unexpected(std::move(masked).error());
    out = std::move(*masked);
    return {};
  });
  if (!told) return Unexpected(told.error());
  return out;
}

Result<std::string> mask_said(Scene& scene, std::string_view said) {
  Result<Json> masked = mask_answer(scene, Json(said));
  if (!masked) return Unexpected(std::move(masked).error());
  return std::string(masked->get_string());
}

std::string without_keys(Scene& scene, std::string_view reply) {
  Result<std::string> masked =
      mask_said(scene, scene.has_edition(2) ? with_joiners(reply) : std::string(reply));
  return masked ? std::move(*masked) : "The reply cannot be shown: " + masked.error().message;
}

Result<void> hide_late_keys(Scene& scene, Ask& ask) {
  std::optional<std::string> facts;
  Result<void> told = scene.tell_refs([&](RefRegistry& registry) -> Result<void> {
    Masker masker(registry, scene, true);
    if (Result<void> masked = masker.mask(ask.user); !masked) return masked;
    if (!masker.may_hide_in(ask.facts_json)) return {};
    const Result<Json> read = parse_json(ask.facts_json, JsonLimits::none());
    if (!read) return Unexpected(read.error());
    const Result<Json> masked = masker.json(*read);
    if (!masked) return Unexpected(masked.error());
    facts = write_json(*masked);
    return {};
  });
  if (!told) return told;
  if (facts) ask.facts_json = std::move(*facts);
  return {};
}

}  // namespace alfred
