#include "interpreter/rules/reading/openings.h"

#include <array>

#include "interpreter/rules/reading/clauses.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 10> kPolite{
    "can you",        "could you",           "would you",    "will you",    "i want you to",
    "please can you", "i would like you to", "go ahead and", "do you mind", "let me"};
constexpr std::array<std::string_view, 6> kCorrections{"sorry",   "i meant",   "i said",
                                                       "no wait", "make that", "wait"};
constexpr std::array<std::string_view, 8> kAsides{
    "sorry", "no wait", "wait", "oops", "actually no", "my mistake", "my bad", "my fault"};

}  // namespace

bool begins_with(std::span<const Token> tokens, std::string_view words, std::size_t& behind) {
  const Tokens wanted = read_tokens(words);
  std::size_t at = 0;
  while (at < tokens.size() && tokens[at].kind == Token::Kind::stop) ++at;
  if (at + wanted.size() > tokens.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (tokens[at + i].text != wanted[i].text) return false;
  behind = at + wanted.size();
  return true;
}

bool begins_order(std::span<const Token> tokens) {
  constexpr std::array<std::string_view, 8> kOrders{"add",  "put",    "delete", "remove",
                                                    "show", "remind", "move",   "save"};
  return !tokens.empty() && is_among(kOrders, tokens.front().text);
}

bool asks_for_any(std::span<const Token> tokens) {
  return tokens.size() > 2 && tokens[1].is("any") && (tokens[0].is("got") || tokens[0].is("have"));
}

void drop_no_of_question(Tokens& tokens) {
  const bool is_asked = tokens.size() > 3 && (tokens[0].is("is") || tokens[0].is("are")) &&
                        tokens[1].is("there") && tokens[2].is("no");
  if (is_asked) tokens.erase(tokens.begin() + 2);
}

// "add eggs to the list, thanks": said behind an order. "say thanks" is one.
std::span<const Token> without_thanks(std::span<const Token> tokens) {
  constexpr std::size_t kLeast = 3;  // "no thanks" is an answer
  constexpr std::array<std::string_view, 9> kGiving{"say",  "send", "give", "write", "with",
                                                    "many", "of",   "to",   "a"};
  const auto ends_with = [&](std::string_view word) {
    return tokens.size() > kLeast && tokens.back().is(word);
  };
  for (;;) {
    std::size_t less = 0;
    if (ends_with("asap") || ends_with("thanks") || ends_with("thx") || ends_with("cheers"))
      less = 1;
    else if (ends_with("you") && tokens[tokens.size() - 2].is("thank"))
      less = 2;
    if (less == 0 || tokens.size() < kLeast + less ||
        is_among(kGiving, tokens[tokens.size() - less - 1].text))
      return tokens;
    tokens = tokens.first(tokens.size() - less);
    while (!tokens.empty() && tokens.back().kind == Token::Kind::stop)
      tokens = tokens.first(tokens.size() - 1);
  }
}

std::span<const Token> without_politeness(std::span<const Token> tokens) {
  for (const std::string_view words : kPolite)
    if (std::size_t behind = 0; begins_with(tokens, words, behind)) tokens = tokens.subspan(behind);
  return without_thanks(tokens);
}

std::span<const Token> without_telling(std::span<const Token> tokens) {
  for (const std::string_view words : {"tell me", "show me", "let me know", "do you know"})
    if (std::size_t behind = 0; begins_with(tokens, words, behind) && behind < tokens.size() &&
                                is_question_word(tokens[behind]))
      return tokens.subspan(behind);
  return tokens;
}

std::span<const Token> without_asides(std::span<const Token> tokens) {
  for (const std::string_view words : kAsides)
    if (std::size_t behind = 0; begins_with(tokens, words, behind) && behind < tokens.size())
      tokens = without_joints(tokens.subspan(behind));
  return tokens;
}

std::span<const Token> without_correction(std::span<const Token> tokens) {
  for (const std::string_view words : kCorrections)
    if (std::size_t behind = 0; begins_with(tokens, words, behind)) tokens = tokens.subspan(behind);
  return tokens;
}

}  // namespace alfred::rules
