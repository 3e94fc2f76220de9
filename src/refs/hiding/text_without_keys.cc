#include "refs/hiding/text_without_keys.h"

#include <vector>

#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {

std::string text_without_keys(const RefRegistry& registry, std::string_view text) {
  KeyPieces pieces(registry.keys());
  std::vector<TextSpan> spans;
  find_key_spans(text, pieces, spans);
  std::string out;
  std::size_t done = 0;
  for (const TextSpan& span : spans) {
    const std::string_view word = text.substr(span.from, span.upto - span.from);
    const bool is_literal = word.starts_with("lit_") && LiteralMask::restore(registry, word);
    if (is_literal || registry.find(word) != kNoEntity) continue;
    out.append(text, done, span.from - done).append("[key]");
    done = span.upto;
  }
  return out.append(text, done);
}

}  // namespace alfred
