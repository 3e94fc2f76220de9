// Categories: words that stand for other words, so that a search for "citrus" finds the lemon.
//
// R1 the members of a category are its own, its name and the words for it, and those of the
//    categories it includes.
// R2 a category that includes itself, on whatever way, is refused; so is one that is not there.
// R3 words are compared in lower case, with single spaces, the last one in the singular; in names of categories a
//    hyphen is a space.
// R4 answers are in alphabetical order, each word once.
// R5 in a text the longest run of words that is a member counts, from the left: "coconut milk" is no
//    milk.
// R6 a word that is no category is found where it stands, each word in the singular; inside a longer member
//    it counts only where both are of a kind: "cod fillet" is cod, "oyster mushroom" is no oyster.
// R7 who avoids a category avoids also the one it names with `avoid`, which may hold what nobody means
//    who looks for it: no dish is called a fish dish for its fish sauce.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"

namespace alfred {

struct Category {
  std::string name;
  std::vector<std::string> members;
  std::vector<std::string> includes;
  std::vector<std::string> words;  // what people say for the category itself
  std::string place;               // file:line:column
  std::string avoid{};             // a category that goes where this one is avoided (R6)
};

class Categories {
 public:
  Categories() = default;
  static Result<Categories> make(std::vector<Category> declared);

  // All members (R1); empty when there is no such category. The name or one of its words.
  std::vector<std::string> members_of(std::string_view name) const;
  bool is_category(std::string_view name) const;
  // The categories a word is a member of, also through includes.
  std::vector<std::string> categories_of(std::string_view word) const;
  // The same for the words of a text (R5): "two lemons, halved".
  std::vector<std::string> categories_in(std::string_view text) const;
  // Whether a text speaks of the category, or of a word that is none (R5, R6).
  bool is_meant(std::string_view text, std::string_view wanted) const;
  // Whether somebody who avoids the category avoids this text (R7). Who avoids a word that is no
  // category avoids whatever has it in its name.
  bool is_avoided(std::string_view text, std::string_view avoided) const;
  // Words of other categories that hold a member of this one and are none: "coconut milk" for milk.
  std::vector<std::string> near_misses(std::string_view name) const;

  std::span<const Category> all() const { return declared_; }  // in the order declared

  // The form in which words are compared (R3).
  static std::string plain_word(std::string_view word);

 private:
  const Category* find(std::string_view name) const;
  // The text as members (R5), and words that are in none.
  std::vector<std::string> runs_in(std::string_view text) const;
  void note_wide();
  bool is_of_a_kind(std::string_view one, std::string_view other) const;

  std::vector<Category> declared_;
  std::map<std::string, std::size_t, std::less<>> by_word_;
  std::map<std::string, std::set<std::string>, std::less<>> members_;  // by category
  std::map<std::string, std::set<std::string>, std::less<>> of_word_;
  std::set<std::string> wide_;  // categories that `avoid` names, and those that include one
  std::size_t longest_ = 0;     // member, in words
};

}  // namespace alfred
