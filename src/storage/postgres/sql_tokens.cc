#include "storage/postgres/sql_tokens.h"

namespace alfred {
namespace {

using Kind = SqlToken::Kind;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_word(char c) { return begins_word(c) || is_digit(c) || c == '$'; }

class Cutter {
 public:
  explicit Cutter(std::string_view sql) : sql_(sql) {}

  std::vector<SqlToken> cut() {
    std::vector<SqlToken> out;
    while (at_ < sql_.size()) {
      const std::size_t start = at_;
      const Kind kind = step();
      out.push_back({kind, sql_.substr(start, at_ - start)});
    }
    return out;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
  }

  template <class Fits>
  void skip(Fits fits) {
    while (at_ < sql_.size() && fits(sql_[at_])) ++at_;
  }

  template <class Fits>
  Kind run_of(Fits fits, Kind kind) {
    skip(fits);
    return kind;
  }

  Kind step() {
    const char c = peek();
    if (is_space(c)) return run_of(is_space, Kind::space);
    if (c == '-' && peek(1) == '-')
      return run_of([](char one) { return one != '\n'; }, Kind::comment);
    if (c == '/' && peek(1) == '*') return block_comment();
    if (c == '\'') return quoted('\'', Kind::string);
    if (c == '"') return quoted('"', Kind::quoted);
    if (begins_word(c)) return word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    ++at_;
    if (c == ':' && begins_word(peek())) return run_of(continues_word, Kind::parameter);
    if (c == ':' && peek() == ':') ++at_;
    return c == '$' || c == '\0' ? Kind::odd : Kind::symbol;
  }

  Kind quoted(char quote, Kind kind) {
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] != quote) continue;
      if (peek(1) != quote) {
        ++at_;
        return kind;
      }
      ++at_;
    }
    return Kind::odd;
  }

  Kind word() {
    const std::size_t start = at_;
    skip(continues_word);
    if (at_ - start != 1) return Kind::word;
    // E'…' has escapes of its own, U&'…' and U&"…" too.
    const char one = sql_[start];
    const bool is_escape = (one == 'e' || one == 'E') && peek() == '\'';
    const bool is_unicode = (one == 'u' || one == 'U') && peek() == '&';
    return is_escape || is_unicode ? Kind::odd : Kind::word;
  }

  Kind number() {
    skip([](char c) { return is_digit(c) || c == '.' || begins_word(c); });
    return Kind::number;
  }

  Kind block_comment() {
    int depth = 0;
    while (at_ < sql_.size()) {
      if (peek() == '/' && peek(1) == '*') {
        ++depth;
        at_ += 2;
      } else if (peek() == '*' && peek(1) == '/') {
        at_ += 2;
        if (--depth == 0) return Kind::comment;
      } else {
        ++at_;
      }
    }
    return Kind::odd;
  }

  std::string_view sql_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<SqlToken> sql_tokens(std::string_view sql) { return Cutter(sql).cut(); }

std::string name_of(const SqlToken& token) {
  std::string out;
  if (token.kind != SqlToken::Kind::quoted) {
    for (const char c : token.text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return out;
  }
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  for (std::size_t at = 0; at < inside.size(); ++at) {
    out += inside[at];
    if (inside[at] == '"') ++at;
  }
  return out;
}

}  // namespace alfred
