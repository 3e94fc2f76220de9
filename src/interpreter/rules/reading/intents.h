// The intents a message is held against: those that every domain has, and the pack's own.
//
// R1 of several that match, the one with the highest score counts; of equal ones the pack's come first, then the one
//    that was declared first.
#pragma once

#include <string>
#include <vector>

#include "interpreter/rules/reading/doing.h"
#include "interpreter/rules/reading/phrase.h"

namespace alfred::rules {

struct Intent {
  Verb verb = Verb::unknown;
  std::string table{};
  JsonObject with{};
  std::vector<Phrase> phrases{};
  std::vector<std::string> texts{};  // of the phrases
  std::vector<std::string> takes{};  // what may be said beside it
};

struct IntentMatch {
  const Intent* intent = nullptr;
  PhraseMatch match{};
  std::string phrase{};
};

class Intents {
 public:
  // Error: pack, with the place of what is wrong.
  static Result<Intents> make(const Lexicon& lexicon);

  // The best first.
  std::vector<IntentMatch> match(const Clause& clause) const;
  bool begins_clause(const Token& token) const;
  // Whether the pack says something of a thing with this word behind it: "… expires on friday".
  bool follows_thing(const Token& token) const;
  std::vector<Extra> extras_in(const Clause& clause) const;
  const std::vector<std::string>& words() const { return words_; }

 private:
  Result<void> add(const RuleIntent& rule, int bonus);

  std::vector<Intent> intents_;
  std::vector<int> bonuses_;
  std::vector<std::pair<std::string, Phrase>> extras_;
  std::vector<std::string> first_words_;
  std::vector<std::string> next_words_;  // behind a thing that a phrase begins with
  std::vector<std::string> words_;
};

// The intents of every domain, as a pack would declare them.
const std::vector<RuleIntent>& english_intents();
std::optional<Verb> verb_named(std::string_view name);

}  // namespace alfred::rules
