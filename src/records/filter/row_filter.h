// RowFilter: a tree of conditions on the rows of one table, and its two readings: what a database
// is asked (pushed) and what our own code decides on the rows that come back (rest).
//
// R1 pushed lets through every row that the tree holds for; where it is exact it lets through no other,
//    and nothing is left to decide.
// R2 pushed and rest together are the tree: no predicate is ever dropped (I-9).
// R3 a test on null is false, is_null and similar apart; so != and not_in leave out rows without a value.
// R4 text compares by its bytes, times of day and spans as what they are (clock_text.h); `contains` on
//    text is a part of it, case folded, on a list a member, exactly.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/filter/filter_ops.h"
#include "records/filter/like_pattern.h"
#include "records/search/words.h"
#include "storage/row_plans.h"

namespace alfred {

struct FilterNode {
  enum class Kind : std::uint8_t { all, any, test };
  Kind kind = Kind::all;
  std::vector<FilterNode> parts{};  // all, any

  FilterOp op = FilterOp::eq;
  const Field* field = nullptr;
  std::vector<const Field*> key_fields{};  // instead of field: a key of several columns
  std::vector<Value> values{};             // of key_fields: one key after the other
  std::vector<std::string> texts{};        // contains: of text folded, of lists as they are
  std::optional<LikePattern> pattern{};
  std::size_t search = 0;  // similar: which one
};

// One `similar` of a call.
struct Search {
  WordQuery query;
  const Field* field = nullptr;  // null: all that the table says is searched
};

// Which columns rows were read with.
class RowFields {
 public:
  explicit RowFields(const Table& table) : table_(&table), slots_(table.fields.size() + 1, kNone) {}
  void add(const Field* field);  // once or more
  const Table& table() const { return *table_; }
  std::span<const Field* const> list() const { return fields_; }
  bool has(const Field* field) const { return slots_[index(field)] != kNone; }
  // Precondition: it was added.
  const Value& of(const Row& row, const Field* field) const { return row[slots_[index(field)]]; }
  std::size_t slot_of(const Field* field) const { return slots_[index(field)]; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t index(const Field* field) const {
    if (table_->row_number && field == &*table_->row_number) return table_->fields.size();
    return static_cast<std::size_t>(field - table_->fields.data());
  }
  const Table* table_;
  std::vector<std::size_t> slots_;
  std::vector<const Field*> fields_;
};

// How well a row fits a search; 0: not at all.
using ScoreFn = std::function<int(std::size_t search, const Row& row)>;

struct PushedFilter {
  Condition condition;
  bool is_exact = true;
};

class RowFilter {
 public:
  RowFilter() = default;
  RowFilter(FilterNode root, std::vector<Search> searches);

  const PushedFilter& pushed() const { return pushed_; }
  const FilterNode& root() const { return root_; }
  std::span<const Search> searches() const { return searches_; }
  // The columns that rest() and matches() look at.
  void add_fields(RowFields& fields) const;

  // Whether no row is meant that no search gives a score.
  bool needs_search() const { return needs_search_; }
  // Whether a row that was let through by pushed() is one of those meant.
  bool rest(const RowFields& fields, const Row& row, const ScoreFn& score) const;
  // The same for a row that no database let through.
  bool matches(const FilterNode& node, const RowFields& fields, const Row& row,
               const ScoreFn& score) const;

 private:
  FilterNode root_;
  std::vector<Search> searches_;
  PushedFilter pushed_;
  std::vector<std::size_t> left_;  // parts of the root that pushed_ does not decide
  bool needs_search_ = false;
};

// -1, 0, 1; nothing when they cannot be compared. Numbers of both kinds can.
std::optional<int> compare_values(const Value& a, const Value& b);
// The same of two values of a column, whose texts may be times (Field::clock).
std::optional<int> compare_values(const Field& field, const Value& a, const Value& b);

// The elements of a list column's value; a text is a list of one.
std::vector<std::string> list_elements(const Value& value);

}  // namespace alfred
