#include "base/json/json_fault.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/json/json.h"
#include "base/utf8.h"

namespace alfred {
namespace {

using Reason = boost::json::error;
constexpr std::string_view kWhiteSpace = " \t\n\r";
constexpr std::size_t kEscapeSize = 6;  // \uXXXX

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Does `\uXXXX` stand at `at`, with a backslash that is not itself escaped, and is it the
// first half of a pair, U+D800 to U+DBFF?
bool is_first_half(std::string_view text, std::size_t at) {
  const std::string_view escape = text.substr(std::min(at, text.size()), kEscapeSize);
  if (escape.size() != kEscapeSize || !escape.starts_with("\\u")) return false;
  if (!std::all_of(escape.begin() + 2, escape.end(), is_hex_digit)) return false;
  std::size_t backslashes = 0;
  while (backslashes < at && text[at - backslashes - 1] == '\\') ++backslashes;
  const auto second = static_cast<char>(escape[3] | 0x20);  // lower case; digits stay as they are
  return backslashes % 2 == 0 && (escape[2] | 0x20) == 'd' &&
         std::string_view("89ab").find(second) != std::string_view::npos;
}

// The parser reports half a pair with a reason of its own, except when the first half is followed
// by no escape at all; then it stops right behind that half, or behind the backslash after it.
std::optional<std::size_t> broken_surrogate(std::string_view text, std::size_t offset,
                                            Reason reason) {
  if (reason == Reason::syntax) {
    const bool is_past_backslash = offset > 0 && text[offset - 1] == '\\';
    const std::size_t back = kEscapeSize + (is_past_backslash ? 1 : 0);
    if (offset < back || !is_first_half(text, offset - back)) return std::nullopt;
    return offset - back;
  }
  if (reason != Reason::illegal_leading_surrogate && reason != Reason::illegal_trailing_surrogate)
    return std::nullopt;
  const std::size_t last = text.rfind("\\u", offset);
  if (last == std::string_view::npos) return offset;
  const bool has_first_half = last >= kEscapeSize && is_first_half(text, last - kEscapeSize);
  return has_first_half ? last - kEscapeSize : last;
}

std::string_view word_around(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  std::size_t end = at;
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(begin, std::min<std::size_t>(end - begin, 40));
}

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string unexpected_character(std::string_view text, std::size_t offset) {
  const CodePoint point = next_code_point(text, offset).value_or(CodePoint{});
  if (point.value < 0x20)
    return fmt::format(
        "A control character U+{:04X} stands where JSON has none; inside a string write \\u{:04x}.",
        static_cast<unsigned>(point.value), static_cast<unsigned>(point.value));
  if (point.value >= 0x7F)
    return fmt::format(
        "The character U+{:04X} stands outside a string; only space, tab and line ends may.",
        static_cast<unsigned>(point.value));
  return fmt::format("{} does not belong here; check commas, colons, brackets and quotes.",
                     quoted(text.substr(offset, 1)));
}

std::string explain_syntax(std::string_view text, std::size_t offset) {
  const char c = text[offset];
  const std::size_t before = text.substr(0, offset).find_last_not_of(kWhiteSpace);
  const char previous = before == std::string_view::npos ? '\0' : text[before];
  if ((c == ']' || c == '}') && previous == ',')
    return fmt::format("A comma stands before the closing {}; remove it.", quoted({&c, 1}));
  if (offset > 0 && text[offset - 1] == '\\')
    return R"(Unknown escape; JSON has \" \\ \/ \b \f \n \r \t and \u with four hex digits.)";
  if (c == '\'') return "Single quotes are not JSON; write strings and names in double quotes.";
  if (c == '/' || c == '#') return "Comments are not JSON; remove them.";
  if (is_word_char(c))
    return fmt::format(
        "{} is not JSON here: strings and member names need double quotes, numbers a plain decimal "
        "form, and the only words are true, false and null.",
        quoted(word_around(text, offset)));
  return unexpected_character(text, offset);
}

std::string explain_end(std::string_view text) {
  if (text.find_first_not_of(kWhiteSpace) == std::string_view::npos)
    return "The text is empty; send one JSON value.";
  return "The text ends in the middle of a JSON value; send all of it.";
}

}  // namespace

std::string byte_path(std::size_t offset) { return fmt::format("byte {}", offset); }

Error explain_json_fault(std::string_view text, std::size_t offset, Reason reason) {
  const auto at = [](std::size_t place, ErrorCode code, std::string message) {
    return Error{code, std::move(message), byte_path(place), {}, {}};
  };
  if (reason == Reason::incomplete || offset >= text.size())
    return at(text.size(), ErrorCode::json, explain_end(text));
  if (const auto escape = broken_surrogate(text, offset, reason))
    return at(*escape, ErrorCode::utf8,
              "Half a surrogate pair; write the character itself or both halves together.");
  if (reason == Reason::extra_data)
    return at(offset, ErrorCode::json,
              "More text follows the JSON value; send exactly one value and nothing after it.");
  if (reason == Reason::expected_hex_digit)
    return at(offset, ErrorCode::json, "\\u needs four hex digits after it.");
  if (reason == Reason::exponent_overflow)
    return at(offset, ErrorCode::json, "The exponent is too large; no double has it.");
  return at(offset, ErrorCode::json, explain_syntax(text, offset));
}

}  // namespace alfred
