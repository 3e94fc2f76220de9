// ModelText: text that a model may read. It can only be made of our own fixed words, numbers, refs
// and masked text; a key, a raw string or a durable id does not compile.
//
// R1 what comes from outside cannot make structure: in a cell, line ends, `|`, backquotes and control
//    characters are escaped.
// R2 invisible text (tags, bidi controls, zero-width characters) is shown as its code point.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "alfred/refs.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {

// Words that stand in our own source: made at compile time only.
class FixedText {
 public:
  template <std::size_t N>
  consteval FixedText(const char (&text)[N]) : text_(text, N - 1) {}  // NOLINT: meant to convert
  std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

class ModelText {
 public:
  ModelText& add(FixedText words) { return append(words.view()); }
  ModelText& add(const Ref& ref) { return append(ref.text()); }
  ModelText& add_number(std::uint64_t number) { return append(std::to_string(number)); }
  ModelText& add_cell(const MaskedText& text) { return append_cell(text.view()); }
  ModelText& add_type(const RefRegistry& registry, EntityNo entity) {
    return append(registry.type_of(entity));
  }
  ModelText& add_label(const RefRegistry& registry, EntityNo entity, KeyPieces& pieces) {
    return append_cell(shown_label(registry, entity, pieces));
  }
  ModelText& add_status(RefStatus status) { return append(status_name(status)); }

  ModelText& add(const RecordKey&) = delete;  // D4: no key in any prompt
  ModelText& add(const KeyView&) = delete;

  std::string_view view() const { return text_; }

 private:
  ModelText& append(std::string_view text) {
    text_ += text;
    return *this;
  }
  friend std::string quoted_name(std::string_view name);
  ModelText& append_cell(std::string_view text);

  std::string text_;
};

// Characters that are not seen, or not as what they are (R2); they are shown as their code point,
// and bytes that are no UTF-8 as bytes.
bool is_invisible(char32_t point);
void append_visible(std::string& out, std::string_view bytes);

// Text that was escaped for a cell, in quotes that nothing in it ends.
std::string quoted_cell(std::string_view cell);
// Any text as such a cell, in quotes.
std::string quoted_name(std::string_view name);

// Every live entity as a table of refs, types, labels and statuses; never a key (000, 001 §5.1).
ModelText format_for_prompt(const RefRegistry& registry);

}  // namespace alfred
