// Key-shaped text in prose: shown as `lit_n`, restored byte for byte on the way back (D7).
//
// R1 restore(mask(x)) == x for every x, also one that holds `lit_1` already.
// R2 a mask shows no key shape, no known key and no piece of one.
//    `mask_around_refs` leaves refs that stand for an entity here, which are shown anyway, also
//    where a key reads the same.
// R3 a `lit_n` that was never issued is refused: it stands for no text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "refs/hiding/key_shapes.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

// Text that was masked: the only text from outside that may stand in a prompt.
class MaskedText {
 public:
  std::string_view view() const { return text_; }

 private:
  friend class LiteralMask;
  explicit MaskedText(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// A label as it may be shown now: what a key that became known after it was masked would give away
// is left out.
std::string shown_label(const RefRegistry& registry, EntityNo entity, KeyPieces& pieces);

// Lives no longer than the registry, and not across a rollback of it.
class LiteralMask {
 public:
  explicit LiteralMask(RefRegistry& registry) : registry_(registry), pieces_(registry.keys()) {}

  // Registers what it hides; needs an open transaction.
  Result<MaskedText> mask(std::string_view text) { return mask_text(text, false); }
  // What a person types: a ref in it is that ref.
  Result<MaskedText> mask_around_refs(std::string_view text) { return mask_text(text, true); }
  // Whether this is a ref that stands for an entity here, which is no text to be masked.
  bool is_issued_ref(std::string_view text) const { return registry_.find(text) != kNoEntity; }

  static Result<std::string> restore(const RefRegistry& registry, std::string_view masked);
  // The digits of the number that this is the literal of, and nothing else; none: it is not one.
  static std::optional<std::string> hidden_number(const RefRegistry& registry,
                                                  std::string_view shown);
  static std::string name(std::uint32_t number);

 private:
  Result<MaskedText> mask_text(std::string_view text, bool leaves_refs);

  RefRegistry& registry_;
  KeyPieces pieces_;
};

}  // namespace alfred
