// A SELECT cut into words and signs: enough to see where a name stands, without understanding it.
// Comments and spaces are left out, names are folded to lower case whatever quotes they have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

struct SqlWord {
  enum class Kind : std::uint8_t {
    end,     // behind the last word; its text is empty
    name,    // a name or a keyword
    quoted,  // a name in quotes, without them
    text,    // what stands between two '
    number,
    sign,  // one character, or an operator of two
  };
  Kind kind = Kind::end;
  std::string text;
};

// What [ and ] are: SQLite reads a name between them, PostgreSQL a place in an array.
enum class Brackets : std::uint8_t { quote_names, hold_places };

std::vector<SqlWord> sql_words(std::string_view sql, Brackets brackets);

}  // namespace alfred
