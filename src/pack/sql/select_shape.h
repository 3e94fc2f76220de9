// SelectShape: where things stand in a SELECT: what each bracket is, which clause a word is in,
// what each SELECT gives. It reads words, so it errs on the side of `expression`, `call` and
// `none`.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "pack/sql/sql_words.h"

namespace alfred {

class SelectShape {
 public:
  using Place = std::ptrdiff_t;  // of a word; -1 and one past the last are words without text
  static constexpr Place kNone = -1;

  // What the brackets around a word are for.
  enum class Frame : std::uint8_t {
    whole,       // none: the statement itself
    rows,        // a SELECT that is a table: FROM (…), WITH x AS (…)
    compared,    // a SELECT whose values are only compared: IN (…), EXISTS (…), = (…)
    expression,  // any other SELECT: its value is a value of the one around it
    count,       // count(…)
    list,        // IN (…)
    names,       // the columns of WITH x(…) or of (…) AS x(…)
    group,       // brackets that only hold together
    places,      // USING (…), OVER (…), BY (…), ON (…): nothing in it is shown
    call,        // arguments of a function
  };
  enum class Clause : std::uint8_t { none, with, select, from, other };

  // One column that a SELECT gives: words [from, upto), its alias not among them.
  struct Item {
    Place from = 0;
    Place upto = 0;
    std::string alias;
  };
  struct Select {
    Place frame = kNone;  // the bracket it stands in
    std::vector<Item> items;
  };

  SelectShape(std::string_view sql, Brackets brackets);

  Place size() const { return static_cast<Place>(words_.size()); }
  const SqlWord& word(Place at) const;
  bool is(Place at, std::string_view text) const;  // a keyword or a sign
  bool is_one_of(Place at, std::initializer_list<std::string_view> texts) const;
  // A name, in quotes or not, that is no keyword.
  bool is_name(Place at) const;
  // A word that is read as one of SQL's own where it has no quotes. It may be somebody's name all
  // the same.
  bool is_keyword(Place at) const;
  bool ends_operand(Place at) const;
  bool ends_item(Place at) const;  // what cannot be part of a column stands here
  // Whether an alias may stand here, without AS: an operand before it, the end of it behind.
  bool is_alias(Place at) const;
  // Whether the bracket of DISTINCT ON (…) ends here: what follows is a column.
  bool ends_distinct_on(Place at) const;
  Place open(Place at) const;        // the bracket around it; kNone: none
  Place close(Place bracket) const;  // where an open bracket ends
  Frame frame(Place bracket) const;  // of kNone: whole
  static bool holds_select(Frame frame);
  Clause clause(Place at) const;
  // Where a name that ends at `at` begins, its table and schema included.
  Place start_of_name(Place at) const;
  const std::vector<Select>& selects() const { return selects_; }

 private:
  Frame frame_of_select(Place bracket) const;
  bool lists_names(Place bracket) const;
  Select read_select(Place at) const;
  Item read_item(Place from, Place upto) const;

  std::vector<SqlWord> words_;
  std::vector<Place> open_;
  std::vector<Place> close_;
  std::vector<Select> selects_;
};

}  // namespace alfred
