// What people type and paste: telling an id's kind by its form, and forgiving how it was written.
#include <fmt/format.h>

#include "alfred/ids.h"
#include "base/ids/agent_name.h"
#include "base/quoted_text.h"

namespace alfred {
namespace {

constexpr std::size_t kPrefixSize = 4;  // three letters and `_`

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

char digit_meant(char c) {
  if (c == 'o') return '0';
  return c == 'i' || c == 'l' ? '1' : c;
}

// Where the token begins. An agent's words are no token: only what follows their second dash is.
std::size_t token_start(std::string_view text) {
  if (!text.starts_with("agt_")) return kPrefixSize;
  const std::size_t first = text.find('-');
  const std::size_t second = first == text.npos ? first : text.find('-', first + 1);
  return second == text.npos ? text.size() : second + 1;
}

}  // namespace

Result<IdKind> identify_id(std::string_view text) {
  const std::optional<IdKind> kind =
      text.size() < kPrefixSize ? std::nullopt : find_id_kind(text.substr(0, kPrefixSize));
  if (!kind || text[kPrefixSize - 1] != '_') {
    std::string prefixes;
    for (const IdKindRow& row : id_kinds()) prefixes += fmt::format(" {}_", row.prefix);
    return fail(ErrorCode::id_syntax, fmt::format("{} is no id: it has none of the prefixes{}.",
                                                  quoted_text(text), prefixes));
  }
  if (*kind == IdKind::agent) {
    if (is_generated_agent_name(text)) return *kind;
    return fail(
        ErrorCode::id_syntax,
        fmt::format("{} is no generated agent name. Expected agt_<word>-<word> or "
                    "agt_<word>-<word>-<short>, as in agt_copper-fox; an id that an agent's "
                    "owner chose has no form to check.",
                    quoted_text(text)));
  }
  Result<ShortIdText> parsed = parse_short_id_text(*kind, text);
  if (!parsed) return Unexpected(std::move(parsed).error());
  return *kind;
}

std::string normalize_typed_id(std::string_view text) {
  const std::string_view typed = trimmed(text);
  std::string meant(typed);
  for (char& c : meant) c = lower(c);
  for (std::size_t i = token_start(meant); i < meant.size(); ++i) meant[i] = digit_meant(meant[i]);
  return identify_id(meant) ? meant : std::string(typed);
}

}  // namespace alfred
