// ProseMask: hides key-shaped text in the strings of a JSON text while it is copied (D7). Works on
// raw strings, so that what is not hidden keeps its exact bytes, escapes included.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_scanner.h"
#include "records/to_refs/rows_output.h"
#include "refs/hiding/key_shapes.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

class ProseMask {
 public:
  explicit ProseMask(RefRegistry& registry) : registry_(registry), pieces_(registry.keys()) {}

  // Cheap: false when a string of these traits has nothing to hide.
  bool may_hide(const StringTraits& traits) const {
    return traits.is_suspicious || traits.has_unicode_escape || pieces_.has_long_texts();
  }
  // Whether that is never so: any text may hold a piece of a key that is a text itself.
  bool hides_anywhere() const { return pieces_.has_long_texts(); }
  // Whether something of a member's name may have to be hidden.
  bool hides_name(std::string_view name) {
    return is_key_name(name, pieces_) || name.find("lit_") != std::string_view::npos;
  }
  // Masks a raw string of the text on its way to the output. False: error().
  bool mask(std::string_view raw, const StringTraits& traits, RowsOutput& output) {
    return !may_hide(traits) || mask_string(raw, traits, output);
  }
  // The masked text of a raw string, unescaped.
  Result<std::string> masked_text(std::string_view raw, const StringTraits& traits);

  // Whether text that was let through holds a key that has become known since.
  bool knows_more_now();
  const Error& error() const { return *error_; }

 private:
  bool mask_string(std::string_view raw, const StringTraits& traits, RowsOutput& output);

  RefRegistry& registry_;
  KeyPieces pieces_;
  std::vector<TextSpan> spans_;
  std::vector<std::size_t> positions_;
  std::vector<std::uint32_t> unknown_hex_;
  std::optional<Error> error_;
};

}  // namespace alfred
