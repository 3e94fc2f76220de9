// In which form the registry keeps what a literal stands for: a number has a + in front, and a text
// that would be taken for one has one more than it has itself.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace alfred {

// Whether it is pluses and then what a number begins with.
inline bool has_number_form(std::string_view text) {
  const std::size_t at = std::min(text.find_first_not_of('+'), text.size());
  return at > 0 && at < text.size() && (text[at] == '-' || (text[at] >= '0' && text[at] <= '9'));
}

inline std::string kept_number(std::string_view digits) { return "+" + std::string(digits); }
inline std::string kept_text(std::string_view text) {
  return has_number_form(text) ? "+" + std::string(text) : std::string(text);
}

// The number that is kept so; nothing: a text is.
inline std::optional<std::string_view> number_of_kept(std::string_view kept) {
  if (!has_number_form(kept) || kept.starts_with("++")) return std::nullopt;
  return kept.substr(1);
}
// What stands for it inside a text.
inline std::string_view text_of_kept(std::string_view kept) {
  return has_number_form(kept) && kept.starts_with("++") ? kept.substr(1) : kept;
}

}  // namespace alfred
