// RowScores: how well rows fit the searches of a call. A search on the label looks at all that the
// table says is searched: its own columns, those of linked and of nested rows.
//
// R1 linked and nested rows are looked at once for all rows, with one query per relation; only those that
//    fit are remembered.
// R2 a row sees the rows of its owner only, as every read does.
// R3 a row is looked at as a whole, once, before it is scored: only the searches that it may match are scored,
//    each once.
// R4 what a row can get at most is known without scoring it where its words are kept; what a search for one
//    word gives such a row is known exactly.
// R5 a row that the store keeps is left with its words as a note (RowLook R2).
// R6 builds with assertions compare what is known from notes with what the texts say.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "records/filter/row_look.h"

namespace alfred {

class RowScores {
 public:
  RowScores(const Schema& schema, const Table& table, std::span<const Search> searches);
  Result<void> prepare(Tx& tx);

  // The columns that score() looks at.
  void add_fields(RowFields& fields) const;
  // Rows with these columns come (add_fields). They must stay until others come.
  void start_rows(const RowFields& fields) { look_.start_rows(fields, own_); }
  // Before most() and score() are asked about this row (R3). `notes` is where words are left with
  // it; null: nowhere. What is given must stay until the next row.
  void start_row(const Row& row, NotePlaces* notes);
  // The sum of the searches' scores is not above this (R4).
  int most();
  // 0: the row does not match.
  int score(std::size_t search);

 private:
  // What rows with one key say to the searches; without terms: nothing.
  using Related = std::vector<WordQuery::Scores>;
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  // Rows of another table that belong to a row: found by `here` in this row, `there` in those.
  struct Relative {
    const Table* table = nullptr;
    const Field* here = nullptr;
    const Field* there = nullptr;
    std::vector<RowLook::Column> columns{};
    std::unordered_map<std::string, Related, TextHash, std::equal_to<>> found{};
    const Related* of_row = nullptr;  // that was started; null: nothing
  };
  void add_path(std::string_view path);
  RowLook::Column& own_column(const Field* field);
  Result<void> look_at(Tx& tx, Relative& relative);
  void look_at_related(Relative& relative);
  bool finds(std::size_t search, std::span<const RowLook::Column> columns);
  static const WordQuery::Scores* related(const Relative& relative, std::size_t search);
  int most(std::size_t search);
  int scored(std::size_t search);

  const Schema& schema_;
  const Table& table_;
  std::span<const Search> searches_;
  RowLook::Flags is_on_label_;        // of the searches
  RowLook::Flags is_plain_;           // of the searches
  std::vector<RowLook::Column> own_;  // columns of this table that they look at; each once
  std::vector<Relative> relatives_;
  RowLook look_;
  bool is_silent_ = false;  // nothing is said to any search by the row that was started
  std::vector<std::optional<int>> scores_;  // of the searches, when asked for
  WordQuery::Scores terms_;                 // room that is used again
};

}  // namespace alfred
