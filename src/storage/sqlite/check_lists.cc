#include "storage/sqlite/check_lists.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/sqlite/guard.h"

namespace alfred {
namespace {

struct Token {
  enum class Kind : std::uint8_t { word, text, sign, end };
  Kind kind = Kind::end;
  std::string text;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Tokens {
 public:
  explicit Tokens(std::string_view sql) : sql_(sql) {}

  Token next() {
    skip_space();
    if (at_ >= sql_.size()) return {};
    const char c = sql_[at_];
    if (c == '\'') return {Token::Kind::text, quoted('\'')};
    if (c == '"' || c == '`') return {Token::Kind::word, quoted(c)};
    if (c == '[') return {Token::Kind::word, quoted(']')};
    if (!is_word(c)) return {Token::Kind::sign, std::string(1, sql_[at_++])};
    std::string word;
    while (at_ < sql_.size() && is_word(sql_[at_])) word += sql_[at_++];
    return {Token::Kind::word, std::move(word)};
  }
  std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }

 private:
  void skip_space() {
    for (;;) {
      while (at_ < sql_.size() && std::isspace(static_cast<unsigned char>(sql_[at_])) != 0) ++at_;
      if (sql_.substr(at_).starts_with("--"))
        at_ = std::min(sql_.find('\n', at_), sql_.size());
      else if (sql_.substr(at_).starts_with("/*"))
        at_ = std::min(sql_.find("*/", at_ + 2), sql_.size() - 2) + 2;
      else
        return;
    }
  }
  std::string quoted(char end) {
    std::string out;
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] == end) {
        if (at_ + 1 >= sql_.size() || sql_[at_ + 1] != end || end == ']') break;
        ++at_;
      }
      out += sql_[at_];
    }
    ++at_;
    return out;
  }

  std::string_view sql_;
  std::size_t at_ = 0;
};

bool is_keyword(const Token& token, std::string_view word) {
  return token.kind == Token::Kind::word && folded_name(token.text) == word;
}
bool is_sign(const Token& token, std::string_view sign) {
  return token.kind == Token::Kind::sign && token.text == sign;
}

struct CheckList {
  std::string column;
  std::vector<std::string> values;
};

// After CHECK: ( column IN ( 'a' , 'b' ) )
std::optional<CheckList> read_list(Tokens& tokens) {
  CheckList list;
  if (!is_sign(tokens.next(), "(")) return std::nullopt;
  const Token column = tokens.next();
  if (column.kind != Token::Kind::word || !is_keyword(tokens.next(), "in")) return std::nullopt;
  list.column = column.text;
  if (!is_sign(tokens.next(), "(")) return std::nullopt;
  for (;;) {
    Token value = tokens.next();
    if (value.kind != Token::Kind::text) return std::nullopt;
    list.values.push_back(std::move(value.text));
    const Token after = tokens.next();
    if (is_sign(after, ")")) break;
    if (!is_sign(after, ",")) return std::nullopt;
  }
  if (!is_sign(tokens.next(), ")")) return std::nullopt;
  return list;
}

}  // namespace

void read_check_lists(std::string_view create_table, CatalogueTable& table) {
  Tokens tokens(create_table);
  for (Token token = tokens.next(); token.kind != Token::Kind::end; token = tokens.next()) {
    if (!is_keyword(token, "check")) continue;
    const std::size_t after = tokens.at();
    std::optional<CheckList> list = read_list(tokens);
    if (!list) {
      tokens.go_to(after);
      continue;
    }
    for (CatalogueColumn& column : table.columns)
      if (folded_name(column.name) == folded_name(list->column))
        column.enum_values = std::move(list->values);
  }
}

}  // namespace alfred
