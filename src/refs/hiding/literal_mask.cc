#include "refs/hiding/literal_mask.h"

#include <algorithm>

#include <fmt/format.h>

#include "refs/hiding/literal_form.h"

namespace alfred {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view kName = "lit_";

// 0: it was never shown.
std::uint32_t issued_number(const RefRegistry& registry, std::string_view digits) {
  if (digits.size() > 9 || digits.front() == '0') return 0;
  std::uint32_t number = 0;
  for (const char c : digits) number = number * 10 + static_cast<unsigned>(c - '0');
  return number <= registry.literals().size() ? number : 0;
}

}  // namespace

std::string LiteralMask::name(std::uint32_t number) { return fmt::format("lit_{}", number); }

Result<MaskedText> LiteralMask::mask_text(std::string_view text, bool leaves_refs) {
  std::vector<TextSpan> spans;
  find_key_spans(text, pieces_, spans);
  std::string out;
  std::size_t copied = 0;
  for (const TextSpan& span : spans) {
    const std::string_view hidden = text.substr(span.from, span.upto - span.from);
    if (leaves_refs && is_issued_ref(hidden)) continue;
    const Result<std::uint32_t> number = registry_.register_literal(hidden);
    if (!number) return Unexpected(number.error());
    out += text.substr(copied, span.from - copied);
    out += name(*number);
    copied = span.upto;
  }
  out += text.substr(copied);
  return MaskedText(std::move(out));
}

std::optional<std::string> LiteralMask::hidden_number(const RefRegistry& registry,
                                                      std::string_view shown) {
  if (!shown.starts_with(kName)) return std::nullopt;
  const std::string_view digits = shown.substr(kName.size());
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  const std::uint32_t number = issued_number(registry, digits);
  if (number == 0) return std::nullopt;
  const auto hidden = number_of_kept(registry.literals().text(number, KeyDoor()));
  return hidden ? std::optional<std::string>(*hidden) : std::nullopt;
}

Result<std::string> LiteralMask::restore(const RefRegistry& registry, std::string_view masked) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = masked.find(kName); at != std::string_view::npos;
       at = masked.find(kName, at + 1)) {
    std::size_t upto = at + kName.size();
    while (upto < masked.size() && is_digit(masked[upto])) ++upto;
    const bool stands_alone = (at == 0 || !is_word(masked[at - 1])) && upto > at + kName.size() &&
                              (upto == masked.size() || !is_word(masked[upto]));
    if (!stands_alone) continue;
    const std::string_view digits = masked.substr(at + kName.size(), upto - at - kName.size());
    const std::uint32_t number = issued_number(registry, digits);
    if (number == 0)
      return fail(ErrorCode::literal_unknown,
                  fmt::format("lit_{} was never shown here, so it stands for no text. Copy a lit_ "
                              "name exactly as it was shown, or write the text itself.",
                              digits.substr(0, 12)));
    out += masked.substr(copied, at - copied);
    out += text_of_kept(registry.literals().text(number, KeyDoor()));
    copied = upto;
  }
  out += masked.substr(copied);
  return out;
}

std::string shown_label(const RefRegistry& registry, EntityNo entity, KeyPieces& pieces) {
  const std::string_view label = registry.label(entity);
  std::vector<TextSpan> spans;
  find_key_spans(label, pieces, spans);
  std::string out;
  std::size_t copied = 0;
  for (const TextSpan& span : spans) {
    const std::string_view word = label.substr(span.from, span.upto - span.from);
    const Result<std::string> restored = LiteralMask::restore(registry, word);
    if (restored && *restored != word) continue;  // one of our literals
    out += label.substr(copied, span.from - copied);
    out += "…";
    copied = span.upto;
  }
  out += label.substr(copied);
  return out;
}

}  // namespace alfred
