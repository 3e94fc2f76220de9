// What a message begins with before it says what is wanted: politeness, a mistake that is owned, a
// correction.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/rules/words/tokens.h"

namespace alfred::rules {

// Whether the tokens begin with these words; `behind` is then where they end.
bool begins_with(std::span<const Token> tokens, std::string_view words, std::size_t& behind);
// "add X that expires on friday" is no sentence about a thing called "add X that".
bool begins_order(std::span<const Token> tokens);
// "got any milk?" asks, whatever else "got" may say.
bool asks_for_any(std::span<const Token> tokens);
// "is there no milk?" asks for milk.
void drop_no_of_question(Tokens& tokens);
// "can you …", "I would like you to …".
std::span<const Token> without_politeness(std::span<const Token> tokens);
// "tell me what …": the question alone.
std::span<const Token> without_telling(std::span<const Token> tokens);
// "sorry, …", "oops, …", where something follows.
std::span<const Token> without_asides(std::span<const Token> tokens);
// "I meant …", "make that …": what was meant.
std::span<const Token> without_correction(std::span<const Token> tokens);

}  // namespace alfred::rules
