#include "inbox/filter/tokens.h"

#include <charconv>

#include <fmt/format.h>

namespace alfred::inbox {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Unexpected bad_token(std::size_t at, std::string_view what) {
  return fail(ErrorCode::value,
              fmt::format("The expression does not parse at byte {}: {}.", at, what),
              fmt::format("byte {}", at));
}

class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> all() {
    std::vector<Token> out;
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      Token token;
      token.at = at_;
      if (at_ == text_.size()) {
        out.push_back(std::move(token));
        return out;
      }
      if (Result<void> read = one(token); !read) return Unexpected(read.error());
      out.push_back(std::move(token));
    }
  }

 private:
  Result<void> one(Token& token) {
    const char c = text_[at_];
    if (c == '\'' || c == '"') return quoted(token);
    if (is_digit(c)) return number(token);
    if (is_name_start(c)) return name(token);
    return sign(token);
  }

  // A backslash hides a quote or a backslash; before anything else it is itself, as patterns like
  // it.
  Result<void> quoted(Token& token) {
    const char quote = text_[at_];
    token.kind = Token::Kind::text;
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == quote) {
        at_ = i + 1;
        return {};
      }
      const bool hides = text_[i] == '\\' && i + 1 < text_.size() &&
                         (text_[i + 1] == quote || text_[i + 1] == '\\');
      if (hides) ++i;
      token.text += text_[i];
    }
    return bad_token(at_, "a text that does not end");
  }

  Result<void> number(Token& token) {
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) {
      ++end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
    }
    if (end < text_.size() && is_name_start(text_[end]))
      return bad_token(end, "a number with letters behind it");
    token.kind = Token::Kind::number;
    std::from_chars(text_.data() + at_, text_.data() + end, token.number);
    at_ = end;
    return {};
  }

  Result<void> name(Token& token) {
    std::size_t end = at_;
    while (end < text_.size() && (is_name_start(text_[end]) || is_digit(text_[end]))) ++end;
    token.text = text_.substr(at_, end - at_);
    token.kind = token.text == "true" || token.text == "false" ? Token::Kind::flag
                 : token.text == "in"                          ? Token::Kind::sign
                                                               : Token::Kind::name;
    at_ = end;
    return {};
  }

  Result<void> sign(Token& token) {
    token.kind = Token::Kind::sign;
    for (const std::string_view two : {"//", "==", "!=", ">=", "<=", "&&", "||"})
      if (text_.substr(at_).starts_with(two)) {
        token.text = two;
        at_ += 2;
        return {};
      }
    if (std::string_view(".[]|{}:,()?+-*/%^><!").find(text_[at_]) == std::string_view::npos)
      return bad_token(at_, "a sign that the language does not have");
    token.text = text_.substr(at_++, 1);
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<Token>> read_tokens(std::string_view text) { return TokenReader(text).all(); }

}  // namespace alfred::inbox
