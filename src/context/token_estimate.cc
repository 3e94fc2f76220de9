#include "context/token_estimate.h"

namespace alfred {
namespace {

enum class Kind : unsigned char { letter, digit, space, line_end, mark, wide };

Kind kind_of(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Kind::letter;
  if (c >= '0' && c <= '9') return Kind::digit;
  if (c == '\n' || c == '\r') return Kind::line_end;
  if (c == ' ' || c == '\t') return Kind::space;
  return (static_cast<unsigned char>(c) & 0x80) != 0 ? Kind::wide : Kind::mark;
}

// In hundredths of a token.
std::size_t run_cost(Kind kind, std::size_t size) {
  switch (kind) {
    case Kind::letter: return size <= 7 ? 100 : 100 + (size - 7) * 14;
    case Kind::digit: return (size + 2) / 3 * 100;
    case Kind::space: return size == 1 ? 0 : 100;  // one belongs to the word behind it
    case Kind::line_end: return 60;                // marks before it often take it along
    case Kind::mark: return size <= 2 ? 90 : 90 + (size - 2) * 40;
    case Kind::wide: return size * 42;
  }
  return 0;
}

}  // namespace

std::size_t estimate_tokens(std::string_view text) {
  std::size_t hundredths = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Kind kind = kind_of(text[at]);
    std::size_t end = at + 1;
    while (end < text.size() && kind_of(text[end]) == kind) ++end;
    hundredths += run_cost(kind, end - at);
    at = end;
  }
  return (hundredths + 99) / 100;
}

}  // namespace alfred
