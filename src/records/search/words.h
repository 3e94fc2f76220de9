// Lexical search of our own: what a person typed against the words of a row, as a score. No
// database takes part in it, so the answer is the same on all of them.
//
// R1 words are folded (case_fold.h), accents and apostrophes taken off; `air-fryer` is two words.
// R2 a term is a word of the query or a category that stands in it; words that say nothing (`the`, the
//    table's own name) are no terms, unless they are all there is.
// R3 per term, the best that a text offers: the word itself, its plural or singular, a member of the
//    category, a word that begins with it (3 letters or more), a slip of the pen (5 letters or
//    more). A member counts only where it stands in no longer name that is none: fish sauce is no
//    fish. A name of several words that is known is one term.
// R4 a row matches when at least half of the terms do; its score is their mean, and a text that is the
//    query word for word gets a little more.
// R5 intent: `literal` looks for the text as it is, folded; `category` for the members of one category
//    and nothing else; `similar` for all of R3.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "records/record_context.h"

namespace alfred {

enum class SearchIntent : std::uint8_t { literal, category, similar };

// The words of a text (R1), in their order.
std::vector<std::string> words_of(std::string_view text);
// The same, one after the other; `word` is room that is used again.
void visit_words(std::string_view text, std::string& word,
                 const std::function<void(std::string_view)>& visit);

// How many letters must be changed, added, left out or swapped with their neighbour to get from one
// to the other; `most` + 1 when it is more than `most`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

// Of names that exist, the ten nearest to one that does not: for `allowed`.
std::vector<std::string> nearest_names(std::string_view wanted, std::vector<std::string> names);

// A text's words and their singulars, for who holds it against several queries.
struct TextWords {
  TextWords() = default;
  explicit TextWords(std::string_view text);
  std::vector<std::string> words;
  std::vector<std::string> singulars;
};

class WordQuery {
 public:
  static constexpr std::size_t kMaxBytes = 200;
  static constexpr std::size_t kMaxTerms = 16;
  static constexpr int kFull = 100;  // of one term
  static constexpr int kWhole = 10;  // more for a text that is the query

  struct Given {
    std::string_view text;
    SearchIntent intent = SearchIntent::similar;
    const WordCategories* categories = nullptr;
    std::string_view table;  // whose name says nothing
    std::string path;        // in the call, for errors
  };
  static Result<WordQuery> make(const Given& given);

  // The best of each term so far, and whether a text was the query word for word.
  struct Scores {
    std::vector<int> terms;
    bool is_whole = false;
    friend bool operator==(const Scores&, const Scores&) = default;
  };
  Scores none() const { return {std::vector<int>(terms_.size(), 0), false}; }
  void clear(Scores& scores) const {  // makes none() of it
    scores.terms.assign(terms_.size(), 0);
    scores.is_whole = false;
  }
  // Raises the scores to what this text offers. False when it offers nothing.
  bool look_at(std::string_view text, Scores& best) const;
  bool look_at(const TextWords& text, Scores& best) const;  // not for a literal query
  // Whether a text with this word (R1), whose singular is given, may offer something; a text
  // without such a word offers nothing, unless the query is literal.
  bool may_find(std::string_view word, std::string_view singular) const {
    return most_for(word, singular) > 0;
  }
  // What such a word can be to the total at most; a text that is the query has kWhole more.
  int most_for(std::string_view word, std::string_view singular) const;
  // Bytes that such a word may begin with: most words begin otherwise.
  std::bitset<256> first_bytes() const;
  bool is_literal() const { return !literal_.empty(); }
  // Whether one word is all it looks for, so that a text gets the best of what most_for() says of
  // its words, and kWhole more where these are words().
  bool is_plain() const {
    return literal_.empty() && terms_.size() == 1 && !terms_.front().word.empty() &&
           terms_.front().members.empty() && terms_.front().others.empty();
  }
  std::span<const std::string> words() const { return words_; }
  static void merge(const Scores& from, Scores& into);
  // R4; 0 when the row does not match.
  static int total(const Scores& scores);

 private:
  using Phrase = std::vector<std::string>;  // words in the singular
  struct Term {
    std::string word;      // empty: members only
    std::string singular;  // of it
    std::vector<Phrase> members;
    std::vector<Phrase> others;  // names that hold a member and are none
  };
  Result<void> read_literal(const Given& given);
  Result<void> read_category(const Given& given);
  Result<void> read_terms(const Given& given);
  static Term category_term(const WordCategories* categories, std::span<const std::string> words);
  static bool is_in_other(const Term& term, std::span<const std::string> singulars, std::size_t at,
                          std::size_t size);
  static bool has_member(const Term& term, std::span<const std::string> singulars);
  static int score(const Term& term, std::span<const std::string> words,
                   std::span<const std::string> singulars);

  std::string literal_;  // folded; empty: by terms
  std::vector<std::string> words_;
  std::vector<Term> terms_;
};

}  // namespace alfred
