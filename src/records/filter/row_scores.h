// RowScores: how well rows fit the searches of a call. A search on the label looks at all that the
// table says is searched: its own columns, those of linked and of nested rows.
//
// R1 linked and nested rows are looked at once for all rows, with one query per relation; only those that
//    fit are remembered.
// R2 a row sees the rows of its owner only, as every read does.
// R3 a row is looked at as a whole, once, before it is scored: only the searches that it may match are scored,
//    each once.
#pragma once

#include <functional>
#include <map>
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
  // Before score() is asked about this row (R3).
  void start_row(const RowFields& fields, const Row& row);
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
  void add_path(std::string_view path);
  Result<void> look_at(Tx& tx, Relative& relative);
  bool looks_further() const;
  WordSieve::Searches sieved(const Field& field, const Value& value);
  int scored(std::size_t search, const RowFields& fields, const Row& row);
  void look_at_column(const WordQuery& query, const Field* field, const Value& value,
                      WordQuery::Scores& best);

  const Schema& schema_;
  const Table& table_;
  std::span<const Search> searches_;
  std::vector<const Field*> own_;      // searched columns of this table
  std::vector<const Field*> columns_;  // these, and those that a search names; each once
  std::vector<Relative> relatives_;
  WordSieve sieve_;
  // Of the row that was started.
  WordSieve::Searches may_match_ = WordSieve::kNone;
  std::vector<std::optional<TextWords>> words_;  // of columns_, when asked for
  std::vector<std::optional<int>> scores_;       // of the searches, likewise
};

// A text that is the same for two values when they are equal: what keys of relations are found by.
std::string value_text(const Value& value);

}  // namespace alfred
