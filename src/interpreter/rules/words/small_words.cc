#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 16> kQuestionWords{
    "what", "which", "who", "where", "when", "how",  "is",   "are",
    "do",   "does",  "did", "can",   "show", "list", "find", "any"};
constexpr std::array<std::string_view, 13> kQueryWords{
    "have",   "has",     "got",  "count", "give",   "tell", "anything",
    "search", "display", "open", "see",   "number", "read"};
constexpr std::array<std::string_view, 5> kSentenceWords{"i", "we", "there", "give", "read"};

bool is_word_among(const auto& words, const Token& token) {
  return token.kind == Token::Kind::word && is_among(words, token.text);
}

}  // namespace

bool is_question_word(const Token& token) { return is_word_among(kQuestionWords, token); }

bool begins_question(const Token& token) {
  const bool is_asking = is_question_word(token) && !token.is("did") && !token.is("can");
  return is_asking || is_word_among(kQueryWords, token);
}

bool begins_sentence(const Token& token) {
  return is_question_word(token) || is_word_among(kSentenceWords, token);
}

}  // namespace alfred::rules
