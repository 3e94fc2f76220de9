// RowsOutput: the writing half of a translation. Keys are handed in as they are met; some dozens
// wait, so that the memory their lookups need is near when they are settled: registered and
// written, in order.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "records/to_refs/ref_writer.h"
#include "records/to_refs/row_plan.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

// The row that a key names, as far as it is known.
struct RowEntity {
  EntityNo entity = kNoEntity;  // once its key is settled
  int waiting = -1;             // its key's place among those that wait
};

class RowsOutput {
 public:
  RowsOutput(RefRegistry& registry, std::string_view text, ByteBuffer& out)
      : registry_(registry), begin_(text.data()), writer_(text, out), known_(registry.size()) {}

  // Each replaces [from, upto) of the text by the ref of a key of column's type. False: error().
  bool own_key(RowEntity& row, ColumnPlan& column, const KeyView& key, const char* from,
               const char* upto);
  bool link(ColumnPlan& column, const KeyView& key, const char* from, const char* upto);
  bool same_link(ColumnPlan& column, const char* from, const char* upto);
  bool known_link(ColumnPlan& column, RefEnd end, const char* from, const char* upto);
  // The same for keys whose bytes cannot wait. row: the key is its own, else a link.
  bool text_key(RowEntity* row, ColumnPlan& column, const KeyView& key, const char* from,
                const char* upto);
  bool replace(const char* from, const char* upto, std::string_view with);

  // The row is over; label is the plain text that names it, in the text, or empty. Of two labels
  // for one entity, that of the row that ends later stays. False: error().
  bool end_row(RowEntity& row, std::string_view label);

  bool settle();
  // Settles what waits of a text that cannot be read to its end: an error there comes first.
  bool settle_before_fault();
  // Copies everything up to here, and says where in the output that is.
  bool copy_upto(const char* at, std::size_t& out_at);
  void insert(std::size_t out_at, std::string_view text) { writer_.insert(out_at, text); }
  bool finish();
  const Error& error() const { return *error_; }
  bool has_failed() const { return error_.has_value(); }
  // A link to a row that was deleted, and may be read again yet.
  bool met_tombstone() const { return met_tombstone_; }

 private:
  enum class Kind : std::uint8_t { own_key, link, same_link, known_link };
  struct Waiting {  // a line of the cache each
    union Text {
      KeyDigest key;  // own_key, link: until they are settled
      RefEnd end;     // known_link; all of them once they are settled
      Text() : end() {}
    };
    union Row {
      RowEntity* open;  // own_key: the row that is being read, if it still is
      EntityNo entity;  // own_key, once it is settled
    };
    const char* from;
    ColumnPlan* column;
    Text text;
    KeyStore::Hint hint;
    Row row;
    std::uint32_t size;  // of what is replaced
    Kind kind;
  };
  static_assert(sizeof(Waiting) == 64);
  struct Ended {  // a row that is over and has a label
    std::string_view label;
    RowEntity row;
  };
  static constexpr std::size_t kMostWaiting = 128;

  [[gnu::always_inline]] Waiting& add(Kind kind, ColumnPlan& column, const char* from,
                                      const char* upto) {
    Waiting& waiting = *free_++;
    waiting.from = from;
    waiting.column = &column;
    waiting.size = static_cast<std::uint32_t>(upto - from);
    waiting.kind = kind;
    return waiting;
  }
  [[gnu::always_inline]] void add_key(Waiting& waiting, ColumnPlan& column, const KeyView& key) {
    waiting.text.key = KeyDigest(key);
    waiting.hint = registry_.keys().hint(column.type, key);
    registry_.keys().expect(waiting.hint);
  }
  bool is_full() const { return free_ == waiting_.data() + kMostWaiting; }
  void bring_near() const;
  bool enter(Waiting& waiting);
  bool enter_all();
  void write_all();
  void settle_labels();
  void expect_more(const char* at);

  RefRegistry& registry_;
  const char* begin_;
  RefWriter writer_;
  EntityNo known_;  // to the registry when we began
  std::array<Waiting, kMostWaiting> waiting_;
  Waiting* free_ = waiting_.data();  // those before it are taken
  bool knows_most_ = false;          // the registry, of the keys that were settled last
  std::array<Ended, kMostWaiting> ended_;
  std::size_t ended_count_ = 0;
  bool has_looked_ahead_ = false;
  bool met_tombstone_ = false;
  std::optional<Error> error_;
};

[[gnu::always_inline]] inline bool RowsOutput::own_key(RowEntity& row, ColumnPlan& column,
                                                       const KeyView& key, const char* from,
                                                       const char* upto) {
  if (is_full() && !settle()) return false;
  row.waiting = static_cast<int>(free_ - waiting_.data());
  Waiting& waiting = add(Kind::own_key, column, from, upto);
  waiting.row.open = &row;
  add_key(waiting, column, key);
  return true;
}

[[gnu::always_inline]] inline bool RowsOutput::link(ColumnPlan& column, const KeyView& key,
                                                    const char* from, const char* upto) {
  if (is_full() && !settle()) return false;
  add_key(add(Kind::link, column, from, upto), column, key);
  return true;
}

[[gnu::always_inline]] inline bool RowsOutput::same_link(ColumnPlan& column, const char* from,
                                                         const char* upto) {
  if (is_full() && !settle()) return false;
  add(Kind::same_link, column, from, upto);
  return true;
}

[[gnu::always_inline]] inline bool RowsOutput::known_link(ColumnPlan& column, RefEnd end,
                                                          const char* from, const char* upto) {
  if (is_full() && !settle()) return false;
  add(Kind::known_link, column, from, upto).text.end = end;
  return true;
}

[[gnu::always_inline]] inline bool RowsOutput::end_row(RowEntity& row, std::string_view label) {
  if (row.waiting >= 0) waiting_[static_cast<std::size_t>(row.waiting)].row.open = nullptr;
  if (label.empty() || (row.waiting < 0 && row.entity == kNoEntity)) return true;
  ended_[ended_count_++] = {label, row};
  return ended_count_ < kMostWaiting || settle();
}

}  // namespace alfred
