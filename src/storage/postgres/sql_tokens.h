// SQL cut into tokens as PostgreSQL does, without understanding it: enough to replace a word and to
// see which names a text holds. Joined together again, the tokens are the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

struct SqlToken {
  enum class Kind : std::uint8_t {
    word,    // an unquoted name or keyword
    quoted,  // "a name"
    string,  // 'text'
    number,
    parameter,  // :name
    symbol,     // one character, or ::
    space,
    comment,
    odd,  // an open quote or comment, $…, E'…', U&…: what we do not read
  };
  Kind kind = Kind::symbol;
  std::string_view text;
};

std::vector<SqlToken> sql_tokens(std::string_view sql);

// The name that a word or a quoted name means: folded to lower case, or without its quotes.
std::string name_of(const SqlToken& token);

}  // namespace alfred
