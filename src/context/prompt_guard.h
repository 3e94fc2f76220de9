// The guard: the last look at everything that is about to leave for a model. It knows all keys of
// the session and the secrets of the installation, and refuses rather than repairs.
//
// R1 no uuid in any form, no key of eight characters or more that the registry knows, no piece of one
//    of eight characters from either end (I-3).
// R2 no secret it was given (I-4).
// R3 a literal that was issued, `lit_n`, is no key.
// R4 the error says which section and of what kind, never the text itself.
// R5 a ref that was issued, the type of one and a word of ours (own_words.h) are no keys, although a database may have
//    a key that reads the same: a row with the key `product_2` hides no other row's ref.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "context/own_words.h"
#include "refs/hiding/key_shapes.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

// The text with [secret] for every secret of eight characters or more: what people paste is masked
// before it is stored, since nothing that holds it could be shown again (I-4).
std::string without_secrets(std::string_view text, std::span<const std::string> secrets);

class PromptGuard {
 public:
  // The words live as long as the guard; null: none are ours.
  PromptGuard(const RefRegistry& registry, std::vector<std::string> secrets,
              const OwnWords* own_words = nullptr);

  // Error: bug, since a prompt that would leak is our own fault. `what` names the text: "act
  // prompt".
  Result<void> check(std::string_view text, std::string_view what);

 private:
  bool is_ours(std::string_view word) const;

  const RefRegistry& registry_;
  KeyPieces pieces_;
  std::vector<std::string> secrets_;
  const OwnWords* own_words_;
};

}  // namespace alfred
