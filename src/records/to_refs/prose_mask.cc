#include "records/to_refs/prose_mask.h"

#include "refs/hiding/literal_mask.h"

namespace alfred {

bool ProseMask::mask_string(std::string_view raw, const StringTraits& traits, RowsOutput& output) {
  // The keys before this text are to be known, if it may hold one of them.
  if (traits.is_suspicious && !output.settle()) {
    error_ = output.error();
    return false;
  }
  std::string decoded;
  std::string_view text = raw;
  if (traits.has_escape) {
    positions_.clear();
    text = decoded = decode_json_string(raw, &positions_);
  }
  spans_.clear();
  find_key_spans(text, pieces_, spans_, &unknown_hex_);
  for (const TextSpan& span : spans_) {
    const Result<std::uint32_t> number =
        registry_.register_literal(text.substr(span.from, span.upto - span.from));
    if (!number) {
      error_ = number.error();
      return false;
    }
    const std::size_t from = traits.has_escape ? positions_[span.from] : span.from;
    const std::size_t upto = traits.has_escape ? positions_[span.upto] : span.upto;
    if (!output.replace(raw.data() + from, raw.data() + upto, LiteralMask::name(*number))) {
      error_ = output.error();
      return false;
    }
  }
  return true;
}

Result<std::string> ProseMask::masked_text(std::string_view raw, const StringTraits& traits) {
  const std::string text = traits.has_escape ? decode_json_string(raw) : std::string(raw);
  spans_.clear();
  find_key_spans(text, pieces_, spans_);
  std::string shown;
  std::size_t copied = 0;
  for (const TextSpan& span : spans_) {
    const Result<std::uint32_t> number =
        registry_.register_literal(std::string_view(text).substr(span.from, span.upto - span.from));
    if (!number) return Unexpected(number.error());
    shown.append(text, copied, span.from - copied);
    shown += LiteralMask::name(*number);
    copied = span.upto;
  }
  shown.append(text, copied);
  return shown;
}

bool ProseMask::knows_more_now() {
  for (const std::uint32_t word : unknown_hex_)
    if (pieces_.knows_hex(word)) return true;
  return false;
}

}  // namespace alfred
