// RowLook: what the searches of a call find in the columns of one row after the other.
//
// R1 a search that may_match() leaves out finds nothing in the columns that it looks at.
// R2 a row that the store keeps is left with its words as a note, so that the next call need not read them again.
// R3 of such a row said() is known without scoring it (NumberedSieve R1, R2): what each search gets of the columns
//    at most, and exactly where one word is all it looks for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/filter/row_filter.h"
#include "records/filter/row_words.h"
#include "records/search/numbered_sieve.h"
#include "records/search/word_sieve.h"
#include "storage/store.h"

namespace alfred {

class RowLook {
 public:
  using Flags = NumberedSieve::Flags;
  struct Column {
    const Field* field = nullptr;
    Flags asks{};  // which of the searches look at it
  };

  explicit RowLook(std::span<const Search> searches);

  // Rows of a plan come, whose words in these columns are looked at. What is given must stay until
  // rows of another come.
  void start_rows(const RowFields& fields, std::span<const Column> columns);
  // `notes` is where words are left; null: nowhere. What is given must stay until the next row.
  void start(const Row& row, NotePlaces* notes);
  bool is_kept() const { return words_ != nullptr; }
  // Of a row that is kept: no search may match.
  bool is_silent() const { return is_silent_; }
  bool may_match(std::size_t search) const {
    return is_kept() ? said_.most[search] != 0 : (may_match_ & WordSieve::bit(search)) != 0;
  }
  const NumberedSieve::Said& said() const {
    return said_;
  }  // R3; of a row that is not kept: nothing
  // The long way: raises the scores to what the column offers. False when it offers nothing.
  bool look_at(std::size_t search, const Field* field, WordQuery::Scores& best);
  // What relations find the row by in this column (key_text); valid until the next row.
  const std::string& key(const Field* field);

 private:
  // A column's words: of one text, or one for each element of a list.
  using Texts = std::vector<TextWords>;
  void find_words(NotePlaces& notes, PlanWords& plan);
  void read_words(RowWords& words, WordNumbers& numbers) const;
  void look_at_words();
  WordSieve::Searches sieved(const Field* field);
  const Texts& texts(const Field* field);

  std::span<const Search> searches_;
  std::vector<const WordQuery*> queries_;
  WordSieve sieve_;
  bool has_literal_ = false;
  // Of the rows that come:
  const RowFields* fields_ = nullptr;
  std::span<const Column> columns_;
  std::vector<std::size_t> slots_;  // of the columns
  std::optional<NumberedSieve> numbered_;
  PlanWords* plan_ = nullptr;  // that these columns were compared with
  // Of the row:
  const Row* row_ = nullptr;
  RowWords* words_ = nullptr;  // null: it is not kept, or a word has no number
  WordSieve::Searches may_match_ = WordSieve::kNone;
  NumberedSieve::Said said_;
  bool is_silent_ = false;
  std::vector<std::optional<Texts>> texts_;  // by column, when asked for
  std::string key_;
};

// A text that is the same for two values when they are equal: what keys of relations are found by.
std::string value_text(const Value& value);
// As value_text, of a key or of a link to it: the same where the database takes both for the same
// (Field::match).
std::string key_text(const Field& field, const Value& value);

}  // namespace alfred
