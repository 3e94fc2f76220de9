#include "interpreter/rules/reading/comparisons.h"

#include <array>

#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 6> kBelow{"under",   "below", "less",
                                                 "shorter", "fewer", "faster"};
constexpr std::array<std::string_view, 4> kAtMost{"max", "maximum", "within", "most"};
constexpr std::array<std::string_view, 4> kAbove{"over", "above", "more", "longer"};
constexpr std::array<std::string_view, 3> kAtLeast{"least", "min", "minimum"};

// Empty: the word compares nothing.
std::string operator_of(std::string_view word, bool is_denied) {
  if (is_among(kBelow, word)) return is_denied ? ">=" : "<";
  if (is_among(kAbove, word)) return is_denied ? "<=" : ">";
  if (is_among(kAtMost, word)) return "<=";
  return is_among(kAtLeast, word) ? ">=" : "";
}

}  // namespace

std::optional<Comparison> comparison_at(const ReadingWorld& world, std::span<const Token> tokens,
                                        std::size_t at) {
  const bool is_denied = (tokens[at].is("no") || tokens[at].is("not")) && at + 1 < tokens.size();
  if (is_denied) ++at;
  const std::string op = operator_of(tokens[at].text, is_denied);
  std::size_t number = at + 1;
  if (number < tokens.size() && tokens[number].is("than")) ++number;
  if (op.empty() || number + 1 >= tokens.size() || tokens[number].kind != Token::Kind::number)
    return std::nullopt;
  const std::optional<Span> span = world.lexicon.span_at(tokens, number + 1);
  const Meaning* field = span ? span->find(Meaning::Kind::field) : nullptr;
  if (field == nullptr) return std::nullopt;
  return Comparison{field->table, {field->field, op, Json(tokens[number].number)}, span->to};
}

}  // namespace alfred::rules
