#include "pack/sql/sql_words.h"

#include <algorithm>
#include <array>

namespace alfred {
namespace {

using Kind = SqlWord::Kind;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_in_name(char c) { return starts_name(c) || is_digit(c) || c == '$'; }
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

class Cutter {
 public:
  Cutter(std::string_view sql, Brackets brackets) : sql_(sql), brackets_(brackets) {}

  std::vector<SqlWord> run() {
    while (at_ < sql_.size()) {
      const char c = sql_[at_];
      if (is_space(c))
        ++at_;
      else if (!skip_comment())
        cut(c);
    }
    return std::move(words_);
  }

 private:
  bool skip_comment() {
    const std::string_view rest = sql_.substr(at_);
    if (rest.starts_with("--")) {
      at_ = std::min(sql_.find('\n', at_), sql_.size());
      return true;
    }
    if (!rest.starts_with("/*")) return false;
    const std::size_t end = sql_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? sql_.size() : end + 2;
    return true;
  }

  void cut(char c) {
    if (c == '\'') return quoted(c, Kind::text);
    if (c == '"' || c == '`') return quoted(c, Kind::quoted);
    if (c == '[' && brackets_ == Brackets::quote_names) return quoted(']', Kind::quoted);
    const std::size_t from = at_;
    if (starts_name(c) || is_digit(c)) {
      while (at_ < sql_.size() && (is_in_name(sql_[at_]) || (is_digit(c) && sql_[at_] == '.')))
        ++at_;
      const std::string_view word = sql_.substr(from, at_ - from);
      // PostgreSQL's own way to write a text: a backslash takes the next character.
      if ((word == "e" || word == "E") && at_ < sql_.size() && sql_[at_] == '\'')
        return escaped_text();
      return add(is_digit(c) ? Kind::number : Kind::name, folded(word));
    }
    constexpr std::array<std::string_view, 12> kTwo{"<>", "!=", "<=", ">=", "==", "||",
                                                    "::", "->", "<<", ">>", "=>", ":="};
    const std::string_view two = sql_.substr(at_, 2);
    const bool is_two = std::find(kTwo.begin(), kTwo.end(), two) != kTwo.end();
    at_ += is_two ? 2 : 1;
    add(Kind::sign, std::string(sql_.substr(from, at_ - from)));
  }

  // A quote inside is written twice; ] never is.
  void quoted(char quote, Kind kind) {
    std::string text;
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] == quote) {
        const bool is_twice = quote != ']' && sql_.substr(at_ + 1).starts_with(quote);
        if (!is_twice) break;
        ++at_;
      }
      text += sql_[at_];
    }
    at_ = std::min(at_ + 1, sql_.size());
    add(kind, folded(text));
  }

  void escaped_text() {
    std::string text;
    for (++at_; at_ < sql_.size() && sql_[at_] != '\''; ++at_) {
      if (sql_[at_] == '\\') ++at_;
      if (at_ < sql_.size()) text += sql_[at_];
    }
    at_ = std::min(at_ + 1, sql_.size());
    add(Kind::text, folded(text));
  }

  void add(Kind kind, std::string text) { words_.push_back({kind, std::move(text)}); }

  std::string_view sql_;
  Brackets brackets_;
  std::size_t at_ = 0;
  std::vector<SqlWord> words_;
};

}  // namespace

std::vector<SqlWord> sql_words(std::string_view sql, Brackets brackets) {
  return Cutter(sql, brackets).run();
}

}  // namespace alfred
