// Phrases: how people say something, as a pattern that a clause is held against.
//
//   (delete|remove|get rid of) {what:things} [from {where:rows}]
//
// R1 words stand for themselves, in any number (singular, plural); (a|b c) is one of them; [x] may be missing.
// R2 a slot is {name:kind} or {name:kind:argument}; {kind} alone is its own name. Kinds: thing, things, items, text
//    (any words), amount, number, code (a word with a digit: A3), address (of mail), rows, value,
//    field, noun (of the lexicon), place ("second one", "number 2"), it ("it", "that", "this"),
//    day, time, span (moments.h). `argument` is a table, or table.field; a thing of a table is one
//    whose name is known, an it of a table is said where a row of it was the last that was about.
// R3 a clause matches when all of it is used: words that say nothing may be passed over anywhere, and so may days, times
//    and extras that the intent takes.
// R4 the more words of a clause a phrase says itself, the better it fits; free words cost.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "interpreter/rules/words/amounts.h"
#include "interpreter/rules/words/lexicon.h"
#include "interpreter/rules/words/moments.h"

namespace alfred::rules {

// What may be said beside anything, with a number or a code: "for 4 people", "on shelf A3".
struct Extra {
  std::string name{};
  double number = 0;
  std::string code{};  // as typed; empty: it has a number
  std::size_t from = 0;
  std::size_t to = 0;
};

// A part of a message that says one thing, with all that is known of its words.
struct Clause {
  std::string_view message{};
  std::span<const Token> tokens{};
  const Lexicon* lexicon = nullptr;
  std::vector<Moment> moments{};
  std::vector<Extra> extras{};
  std::vector<std::vector<Span>> spans{};      // that begin at each token, the longest first
  std::set<std::string, std::less<>> words{};  // all of it, as typed and in the singular

  const Moment* moment_at(std::size_t at) const;
  const Extra* extra_at(std::size_t at) const;
  std::string typed_part(std::size_t from, std::size_t to) const {
    return typed(message, tokens.subspan(from, to - from));
  }
};

struct Captured {
  std::size_t from = 0;
  std::size_t to = 0;
  const Meaning* meaning = nullptr;  // of rows, value, field, noun
  const Moment* moment = nullptr;
  std::optional<Amount> amount{};
  double number = 0;
};

struct PhraseMatch {
  std::map<std::string, Captured, std::less<>> slots{};
  std::vector<const Moment*> moments{};  // passed over
  std::vector<const Extra*> extras{};
  int score = 0;
};

class Phrase {
 public:
  // Error: what is wrong with it.
  static Result<Phrase> compile(std::string_view text);

  // `takes`: the names of extras, and day, time, span, that may be passed over.
  std::optional<PhraseMatch> match(const Clause& clause,
                                   const std::vector<std::string>& takes) const;
  // What it says at this place, as far as it goes; for extras.
  std::optional<Extra> extra_at(const Clause& clause, std::size_t at) const;
  // The words it may begin with.
  std::vector<std::string> first_words() const;
  // The words that may stand behind the thing it begins with; empty: it begins otherwise.
  std::vector<std::string> words_behind_thing() const;
  const std::vector<std::string>& words() const { return words_; }

 private:
  struct Element;
  using Sequence = std::vector<Element>;
  struct Element {
    enum class Kind : std::uint8_t { word, choice, slot };
    Kind kind = Kind::word;
    std::string word{};  // its stem; of a slot the name
    std::string slot{};  // its kind
    std::string argument{};
    std::vector<Sequence> choices{};
  };
  friend class PhraseReader;
  friend class Matcher;
  static void collect_first(const Sequence& sequence, std::vector<std::string>& out);

  static void collect_needed(const Sequence& sequence, std::vector<std::string>& out);

  Sequence sequence_;
  std::vector<std::string> words_;
  std::vector<std::string> needed_;  // a clause without one of these does not match
};

// Words that say nothing here: "please", "just".
bool is_filler(const Token& token);

}  // namespace alfred::rules
