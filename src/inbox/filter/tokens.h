// The words of an expression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"

namespace alfred::inbox {

struct Token {
  enum class Kind : std::uint8_t { text, number, flag, name, sign, end };
  Kind kind = Kind::end;
  std::string text;  // of a text: what it says; of a sign or name: itself
  double number = 0;
  std::size_t at = 0;  // byte in the expression
};

// The last token is `end`. A minus stays a sign; the parser makes numbers negative.
Result<std::vector<Token>> read_tokens(std::string_view text);

}  // namespace alfred::inbox
