// RowWriter: the statements of one call (or of one item of a batch), and what they changed.
//
// R1 every changed row is kept with what it was and what it became, read back from the database.
// R2 uuid keys are made before the insert; others come back from it. Children get the parent's key.
// R3 times of creation and change are set here; a change's time is later than the one before, so that it
//    can serve as the row's version.
// R4 a link to a row that is not there (for this caller) is refused before anything is written (C19).
// R5 rows are inserted together, up to one whose key only the insert tells and whose nested rows need it;
//    those of several items table by table, parents first, so that a store may take many at once.
// R6 note() tells the registry, all rows at once, after the last statement: it cannot be undone in part.
// R7 put_back() creates rows as they were, keys and times included; where the database makes other rows
//    of them, it is refused. A link to a row that is not back yet is empty until relink().
// R8 remove() and change() are refused where the database would touch other rows by itself
//    (own_actions.h).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "records/record_context.h"
#include "records/write/link_check.h"
#include "records/write/row_payload.h"

namespace alfred {

inline constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);

struct WrittenRow {
  RowEffect effect;
  std::string saved_from{};
  const Relation* relation = nullptr;  // of a nested row: what it is in its parent
  std::size_t parent = kNoParent;      // of a nested row: the parent's place among the rows
  EntityNo entity = kNoEntity;         // after note(); none for a row that nobody was shown
};

class RowWriter {
 public:
  RowWriter(Tx& tx, RecordContext& context, std::string item = {})
      : tx_(tx), context_(context), item_(std::move(item)) {}

  Result<void> check_links(std::span<const NewRow> rows,
                           LinkCheck::Scope scope = LinkCheck::Scope::all_links);
  Result<void> check_links(const Table& table, const std::vector<FieldValue>& values,
                           const std::string& path);
  // What is created from here on belongs to this item of a batch.
  void start_item(std::string_view item) { item_ = item; }
  // Makes room for these and what is nested in them.
  void reserve(std::span<const NewRow> rows);
  // Takes the rows' values.
  Result<void> create(std::span<NewRow> rows);
  // The same in two steps, for rows of several items; a planned row lives until it is written.
  // Which of several that cannot be written is told is open.
  Result<void> plan(NewRow& row) { return create_at(row, {}); }
  Result<void> write_items();
  Result<void> change(const Table& table, const RecordKey& key, const Row& before,
                      std::vector<FieldValue> values);
  struct Doomed {
    RecordKey key;
    Row row;
  };
  // All rows that go, by table.
  using Going = std::map<const Table*, std::vector<Doomed>>;
  // Those of this table.
  Result<void> remove(const Table& table, const Going& going);
  // Whether the row that a link of rows[row] leads to comes back only after that one.
  using IsAwaited = std::function<bool(std::size_t row, const Table& target, const RecordKey& key)>;
  // The rows live until relink(), which comes when all are back.
  Result<void> put_back(const Table& table, std::span<const Row* const> rows,
                        const IsAwaited& is_awaited);
  Result<void> relink();

  Result<void> note();
  std::span<const WrittenRow> rows() const { return rows_; }
  std::vector<RowEffect> take_effects();

 private:
  struct Place {
    std::optional<FieldValue> link{};
    const Relation* relation = nullptr;
    std::size_t parent = kNoParent;
  };
  struct Columns {  // of one table
    FieldList all;
    const Field* key;  // the first of them
    const Field* created_at;
    const Field* updated_at;
  };
  const Columns& columns_of(const Table& table);
  Result<void> check_saved_from(const NewRow& row) const;
  Result<void> create_at(NewRow& row, const Place& place);
  Result<void> create_nested(NewRow& row, std::size_t at);
  Result<void> write_planned();
  void put_tables_together();
  Result<void> written(WrittenRow& row, const InsertRow& plan, Row stored);
  std::optional<RecordKey> add_key(const Table& table, std::vector<FieldValue>& values);
  std::optional<Value> time_value(const Field& field, std::int64_t wall_ms);
  void add_times(const Table& table, std::vector<FieldValue>& values, const Row* before);
  struct Unlinked {  // put back without links that lead to rows which come later
    std::size_t at;  // its place among rows_
    const Row* whole;
    std::vector<FieldValue> links;
  };
  std::vector<FieldValue> take_awaited_links(std::size_t row, InsertRow& plan,
                                             const IsAwaited& is_awaited) const;
  Result<const std::vector<ActingLink>*> links_to(const Table& table);
  Result<Row> read_back(const Table& table, const RecordKey& key);
  Result<void> note_row(WrittenRow& row);

  Tx& tx_;
  RecordContext& context_;
  std::string item_;
  std::vector<WrittenRow> rows_;
  // Of rows_ that are not written yet: how, where among rows_, and what they come from.
  std::vector<InsertRow> planned_;
  std::vector<std::size_t> planned_at_;
  std::vector<const NewRow*> planned_from_;
  std::vector<Unlinked> unlinked_;
  std::unordered_map<const Table*, Columns> columns_;
  std::unordered_map<const Table*, std::vector<ActingLink>> links_to_;  // of tables that change
  const Table* last_table_ = nullptr;  // who was asked for last, and what was found
  const Columns* last_columns_ = nullptr;
  std::int64_t instant_ms_ = -1;  // what instant_ spells
  std::string instant_;
};

// An error of a statement, which may name a column, with the place of its row in the call.
Unexpected at_row(Error error, const std::string& path);
std::vector<const Field*> all_fields(const Table& table);
// The value of a field in a row that was read with all fields.
const Value& value_in(const Table& table, const Row& row, const Field& field);

}  // namespace alfred
