// What is in play while a message is read: names of entities, the clock, what was said before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/rules/reading/doing.h"
#include "interpreter/rules/reading/intents.h"
#include "interpreter/rules/words/moments.h"

namespace alfred::rules {

struct Known {
  std::string ref{};
  std::string type{};
  std::string label{};
  std::string status{};
  std::uint32_t turn = 0;  // when it was last spoken of
  bool is_generated = false;
  bool is_background = false;
  bool is_looked_at = false;         // a turn read it, and nobody spoke of it
  std::vector<std::string> words{};  // of the label
};

struct ReadingWorld {
  const Lexicon& lexicon;
  const Intents& intents;
  Now now{};
  std::vector<Known> known{};
  std::string previous{};    // what the user said before
  std::string going_on{};    // whose list “more” went on with, where that was said before
  std::string last_table{};  // the one table that was about; empty: none or several
  // Words that point, and the type of whom the turn found for them. They hold when a row is gone.
  std::vector<std::pair<std::string, std::string>> pointed{};
  bool has_goal = false;
  bool has_saved = false;  // this turn made rows: before, what it saved was not saved
  bool is_asked = false;   // a proposal or a question waits for an answer
  std::string makes{};  // the table of what the words before have made: "make two, and save them"
  int made = 0;         // and how many; 0: that is not known yet

  const Pack& pack() const { return lexicon.pack(); }
  const Schema& schema() const { return lexicon.schema(); }
  bool has_generated() const;
  // How many things were made at once, last.
  std::size_t made_last() const;
  // Whether what was spoken of last, of this type, was made and is not saved.
  bool is_made_latest(std::string_view type) const;
  // The type spoken of last, of what is generated when that is asked for; empty: none.
  std::string last_type(bool is_generated = false) const;
  // The same, but of rows that the last turn wrote and that only lead to it: a plan for it.
  std::string written_last() const;
  // Of what a ref stands for; empty: no ref.
  std::string type_of_ref(std::string_view ref) const;
  // Of a table's main subdomain entry.
  std::string table_of(std::string_view type) const;
  std::string type_of(std::string_view table) const;
  // Those that these words may mean; `type` empty: of any.
  std::vector<const Known*> find(std::string_view said, std::string_view type) const;
  // Those that the last turn spoke of, and that are called by exactly these words.
  std::vector<const Known*> named_last(std::string_view said) const;
};

// The days and times that are said, but for those that belong to a name that is known: "Sunday
// Fish".
std::vector<Moment> moments_in(const ReadingWorld& world, std::span<const Token> tokens);
// Whether a word is written as a ref is: "book_2", "gen_book_1".
bool is_ref_word(std::string_view word);
// Whether the words point at what was spoken of: "it", "the first two", "all of them", or
// by their refs.
bool is_pointing(std::string_view said);
// Whether one pronoun stands for all that was spoken of: "it", "them".
bool is_pronoun(std::string_view said);
// Whether they do so by a place: "the third", "the last one", "number 2".
bool says_place(std::string_view said);
// Rows by the words for them. `table` empty: by whose names fit.
Target make_target(const ReadingWorld& world, std::string said, std::string_view table);
// Every word of the message that tells one thing from another, in the singular.
std::vector<std::string> telling_words(std::string_view said);

}  // namespace alfred::rules
