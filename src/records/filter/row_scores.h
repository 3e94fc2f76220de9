// RowScores: how well rows fit the searches of a call. A search on the label looks at all that the
// table says is searched: its own columns, those of linked and of nested rows.
//
// R1 linked and nested rows are looked at once for all rows, with one query per relation; only those that
//    fit are remembered.
// R2 a row sees the rows of its owner only, as every read does.
// R3 a row is looked at as a whole, once, before it is scored: only the searches that it may match are scored,
//    each once.
// R4 what a row can get at most is known without scoring it where its words are kept.
// R5 a row that the store keeps is left with its words as a note, so that the next call need not read them again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "records/filter/row_filter.h"
#include "records/search/word_sieve.h"
#include "storage/store.h"

namespace alfred {

class RowScores {
 public:
  RowScores(const Schema& schema, const Table& table, std::span<const Search> searches);
  Result<void> prepare(Tx& tx);

  // The columns that score() looks at.
  void add_fields(RowFields& fields) const;
  // Before score() is asked about this row (R3). `note` is where words are left with it; null:
  // nowhere.
  void start_row(const RowFields& fields, const Row& row, std::unique_ptr<RowNote>* note);
  // The sum of the searches' scores is not above this (R4).
  int most(const RowFields& fields, const Row& row, std::unique_ptr<RowNote>* note);
  // 0: the row does not match.
  int score(std::size_t search, const RowFields& fields, const Row& row);

 private:
  using ScoresByKey = std::map<std::string, WordQuery::Scores, std::less<>>;
  // Rows of another table that belong to a row: found by `here` in this row, `there` in those.
  struct Relative {
    const Table* table = nullptr;
    const Field* here = nullptr;
    const Field* there = nullptr;
    std::vector<const Field*> fields{};
    std::vector<ScoresByKey> found{};  // per search
  };
  // The words of a row's columns, each when asked for: one text, or one for each element of a list.
  struct RowWords final : RowNote {
    std::vector<std::optional<std::vector<TextWords>>> columns{};
  };
  struct Looked {  // at a row
    const RowFields& fields;
    const Row& row;
    RowWords& words;
    bool is_kept;
  };
  void add_path(std::string_view path);
  Result<void> look_at(Tx& tx, Relative& relative);
  bool looks_further() const;
  Looked looked(const RowFields& fields, const Row& row, std::unique_ptr<RowNote>* note);
  static const std::vector<TextWords>& words_of_column(const Looked& at, const Field* field);
  static bool look_at_column(const Looked& at, const WordQuery& query, const Field* field,
                             WordQuery::Scores& best);
  // The searches that something related to the row says something to, without those of `known`.
  void visit_related(const RowFields& fields, const Row& row, WordSieve::Searches known,
                     const std::function<void(std::size_t)>& visit) const;
  WordSieve::Searches sieved(const Looked& at, const Field* field);
  int scored(std::size_t search, const Looked& at);

  const Schema& schema_;
  const Table& table_;
  std::span<const Search> searches_;
  std::vector<const Field*> own_;      // searched columns of this table
  std::vector<const Field*> columns_;  // these, and those that a search names; each once
  std::vector<Relative> relatives_;
  WordSieve sieve_;
  // Of the row that was started.
  WordSieve::Searches may_match_ = WordSieve::kNone;
  std::unique_ptr<RowNote>* note_ = nullptr;
  RowWords words_;                          // of a row that is not kept
  std::vector<std::optional<int>> scores_;  // of the searches, when asked for
  WordQuery::Scores terms_;                 // room that is used again
  WordSieve::Most most_;                    // room that is used again
};

// A text that is the same for two values when they are equal: what keys of relations are found by.
std::string value_text(const Value& value);
// As value_text, of a key or of a link to it: the same where the database takes both for the same
// (Field::match).
std::string key_text(const Field& field, const Value& value);

}  // namespace alfred
