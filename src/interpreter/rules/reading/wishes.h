// What a person wants of things that are to be made: "2 vegetarian dinners, max 30 minutes", "use
// cod, serve with rice", "actually make it spicy".
//
// R1 it is about making where a word for making and one for the kind of thing are there, or a number after it is clear
//    what is wanted; "I want short novels" only says what is wanted. "2 novels with a map" begins
//    with how many.
// R2 while something is wanted, a message of nothing but wishes adds to it.
// R3 which words are wishes of which type is declared: values of fields (`tags`), nouns (`required`, `excluded`), numbers
//    (extras called as a constraint type).
// R4 "not", "no", "without" turn the next wish round; "instead of" and "actually" replace.
// R5 a template's name ("soup") says which shape is wanted where it is what is to be made; behind "with" it is a part.
#pragma once

#include "interpreter/rules/reading/query.h"

namespace alfred::rules {

// Whether rows of `table` are filled with things of the other (`fill` of the pack).
bool is_filled_with(const ReadingWorld& world, std::string_view table, std::string_view things);

// The name of a template whose words begin here, and where they end; null: none.
std::pair<const std::string*, std::size_t> shape_at(const ReadingWorld& world,
                                                    std::string_view type,
                                                    std::span<const Token> tokens, std::size_t at);

// What is said in wishes of every domain: no typing errors for other words.
std::vector<std::string_view> words_of_wishes();
// `is_going_on`: it goes on with an order to make things, whose words it leaves out: "… and one
// with beans".
std::optional<ScoredDoing> read_wishes(const ReadingWorld& world, const Clause& clause,
                                       bool is_going_on = false);
// A noun as a wish: what it is called in the pack's terms. `is_side`: it goes with the main thing.
Constraint noun_wish(const ReadingWorld& world, const std::string& noun, bool is_not, bool is_side);

}  // namespace alfred::rules
