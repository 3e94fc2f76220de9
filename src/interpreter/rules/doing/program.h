// What a turn is to do: its message, read in the light of what it answers.
//
// R1 an answer to a question is read together with what led to it: a yes or a no, one of those that were asked
//    about, or what was missing. A message that is whole by itself is taken by itself.
// R2 it is the same in every node of a turn, and in the turn that goes on with its plan.
// R3 an order or a question of its own, typed where an answer was expected, is carried out; what was asked about is
//    dropped, and that is said.
#pragma once

#include "interpreter/rules/doing/facts.h"
#include "interpreter/rules/reading/read_message.h"

namespace alfred::rules {

// What the interpreter knows of its pack.
struct Book {
  Lexicon lexicon;
  Intents intents;
};

struct TurnProgram {
  Program program{};
  bool is_yes = false;      // to what was proposed
  bool is_unclear = false;  // neither a yes nor a no to what was proposed: it is proposed again
  bool is_no = false;       // the user wants none of it
  bool is_picked = false;   // by place, of those that were asked about
  std::string choice{};     // words for one of those that were asked about
  std::string base{};       // the message the program was read from
  bool is_other = false;    // no answer: an order of its own (R3)
};

// How many of those that may be meant a question names.
inline constexpr std::size_t kMostChoices = 5;

ReadingWorld world_of(const Book& book, const Facts& facts);
TurnProgram program_of(const Book& book, const Facts& facts);

}  // namespace alfred::rules
