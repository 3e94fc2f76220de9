// RowsOutput: the writing half of a translation. Keys are handed in as they are met; a few dozen
// wait, so that the memory their lookups need is near when they are settled: registered and
// written, in order.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "records/ref_writer.h"
#include "records/row_plan.h"
#include "refs/ref_registry.h"

namespace alfred {

// The row that a key names, as far as it is known.
struct RowEntity {
  EntityNo entity = kNoEntity;  // once its key is settled
  int waiting = -1;             // its key's place among those that wait
};

class RowsOutput {
 public:
  RowsOutput(RefRegistry& registry, std::string_view text, ByteBuffer& out)
      : registry_(registry), writer_(text, out) {}

  // Each replaces [from, upto) of the text. The key may point into the text. False: error().
  bool own_key(RowEntity& row, TypeNo type, const KeyView& key, const char* from, const char* upto);
  bool link(ColumnPlan& column, const KeyView& key, const char* from, const char* upto);
  bool same_link(ColumnPlan& column, const char* from, const char* upto);
  bool replace(const char* from, const char* upto, std::string_view with);

  // The row is over; label is the plain text that names it, in the text, or empty. Of two labels
  // for one entity, that of the row that ends later stays.
  bool end_row(RowEntity& row, std::string_view label);

  bool settle();
  // Copies everything up to here, and says where in the output that is.
  bool copy_upto(const char* at, std::size_t& out_at);
  void insert(std::size_t out_at, std::string_view text) { writer_.insert(out_at, text); }
  bool finish();
  // Whether a link led to a row that was deleted: should it be read again, it has a new ref.
  bool met_tombstone() const { return met_tombstone_; }
  const Error& error() const { return *error_; }

 private:
  enum class Kind : std::uint8_t { own_key, link, same_link };
  struct Waiting {
    const char* from;
    const char* upto;
    RowEntity* row;      // own_key, while its row is being read
    ColumnPlan* column;  // link, same_link
    KeyView key = KeyView::integer(0);
    KeyStore::Hint hint;
    TypeNo type;
    Kind kind;
    EntityNo entity;  // own_key, once it is settled
  };
  struct Ended {  // a row that is over and has a label
    std::string_view label;
    EntityNo entity;
    int waiting;  // its key's place; -1: the entity is known
  };
  static constexpr std::size_t kMostWaiting = 48;

  Waiting& add(Kind kind, const char* from, const char* upto) {
    Waiting& waiting = waiting_[count_++];
    waiting.from = from;
    waiting.upto = upto;
    waiting.kind = kind;
    return waiting;
  }
  bool settle_one(Waiting& waiting);
  void settle_labels();

  RefRegistry& registry_;
  RefWriter writer_;
  std::array<Waiting, kMostWaiting> waiting_;
  std::size_t count_ = 0;
  std::array<Ended, kMostWaiting> ended_;
  std::size_t ended_count_ = 0;
  bool met_tombstone_ = false;
  std::optional<Error> error_;
};

inline bool RowsOutput::own_key(RowEntity& row, TypeNo type, const KeyView& key, const char* from,
                                const char* upto) {
  if (count_ == kMostWaiting && !settle()) return false;
  row.waiting = static_cast<int>(count_);
  Waiting& waiting = add(Kind::own_key, from, upto);
  waiting.row = &row;
  waiting.type = type;
  waiting.key = key;
  waiting.hint = registry_.keys().hint(type, key);
  return true;
}

inline bool RowsOutput::link(ColumnPlan& column, const KeyView& key, const char* from,
                             const char* upto) {
  if (count_ == kMostWaiting && !settle()) return false;
  Waiting& waiting = add(Kind::link, from, upto);
  waiting.column = &column;
  waiting.type = column.type;
  waiting.key = key;
  waiting.hint = registry_.keys().hint(column.type, key);
  return true;
}

inline bool RowsOutput::same_link(ColumnPlan& column, const char* from, const char* upto) {
  if (count_ == kMostWaiting && !settle()) return false;
  add(Kind::same_link, from, upto).column = &column;
  return true;
}

inline bool RowsOutput::end_row(RowEntity& row, std::string_view label) {
  if (ended_count_ == kMostWaiting && !settle()) return false;
  if (row.waiting >= 0) waiting_[static_cast<std::size_t>(row.waiting)].row = nullptr;
  const bool has_entity = row.waiting >= 0 || row.entity != kNoEntity;
  if (has_entity && !label.empty()) ended_[ended_count_++] = {label, row.entity, row.waiting};
  return true;
}

}  // namespace alfred
