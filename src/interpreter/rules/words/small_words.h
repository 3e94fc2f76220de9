// The small words of English that tell what kind of a sentence it is, in one place.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "interpreter/rules/words/tokens.h"

namespace alfred::rules {

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "what", "is", "show": a sentence that begins so asks, and changes nothing.
bool is_question_word(const Token& token);
// These, and others that may begin a question about rows: "got", "count".
bool begins_question(const Token& token);
// These, and what else may begin a clause that no phrase begins: "I", "there".
bool begins_sentence(const Token& token);

}  // namespace alfred::rules
