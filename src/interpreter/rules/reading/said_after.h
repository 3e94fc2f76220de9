// What is said behind a change, of what it changes: "…, it expires in 10 days", "…, expires
// friday", "…, both on A3".
//
// R1 what begins with a word that points is a value of what was just said, or of each of it; where nobody said among
//    which rows it is to be, the place that is said behind it tells.
// R2 what the pack says of a thing may stand without the word that points: "…, expires friday".
// R3 each of several things may get a value of its own: "4 pears, 1 kg pork. Pork goes in the freezer".
// R4 more of the things that are added somewhere: "add A to the list, and B".
// R5 an exception to what is never wanted is not kept to, and that is said: it is no wish to leave it out, either.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// Reads a sentence by itself.
using ReadSentence = std::function<std::vector<Doing>(const std::string&)>;

// Takes what is said `behind` into the doing; false, and nothing taken, when it says something
// else.
bool says_more_of(const ReadingWorld& world, std::string_view message, Doing& doing,
                  std::span<const Token> behind, const ReadSentence& read);

// R4 alone.
bool adds_items(const ReadingWorld& world, std::string_view message, Doing& doing,
                std::span<const Token> behind);

}  // namespace alfred::rules
