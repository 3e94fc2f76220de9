// Rows that a caller wants written, read against the schema: what each column gets, refs as keys,
// lit_n as the text it stands for, nested rows under their parent.
//
// R1 a column that is unknown or hidden is refused with the known ones (C2); keys, owners, times and what
//    is declared read-only are refused as such (C18).
// R2 a new row has a value for every column that needs one: its own, our default or the database's
//    (C19); null only where the column may be null.
// R3 a link takes a live ref of its table, or null; a nested row may name its parent's own ref there
//    and nothing else.
// R4 `ref` (or `_ref`, where the table has a column `ref`) is the gen_ ref a new row is made from.
// R5 nested rows of one parent are at most limits.nested_rows (C28).
// R6 an error never shows what a lit_n stands for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "records/record_context.h"
#include "records/write/payload_columns.h"

namespace alfred {

struct NewRow {
  const Table* table = nullptr;
  std::string path{};                 // of a row that is not nested
  const std::string* list = nullptr;  // of a nested row: the path of the list it stands in
  std::size_t at = 0;                 // and where
  std::string saved_from{};           // the gen_ ref it is made from; empty: none
  std::vector<FieldValue> values{};   // in the table's order; without key, times and parent
  struct Nested {
    const Relation* relation = nullptr;
    std::unique_ptr<const std::string> path{};
    std::vector<NewRow> rows{};
  };
  std::vector<Nested> nested{};

  std::string place() const;  // in the call: "data[2]", "data[2].lines[0]"
};

// Reads the rows of one call; what it finds out for one of them serves all. Refs and links are
// looked up as they are now, and the rows it reads live as long as it does.
class PayloadReader {
 public:
  explicit PayloadReader(const RecordContext& context) : context_(context) {}

  Result<NewRow> new_row(const Table& table, const JsonObject& object, const std::string& path);
  // A row of a batch: the name of its item is a gen_ ref that it is made from, or just a name.
  Result<NewRow> item_row(const Table& table, const JsonObject& object, const std::string& path);
  // What an update says of a row; `object` without the members that name the row itself.
  Result<std::vector<FieldValue>> changes(const Table& table, const JsonObject& object,
                                          const std::string& path);

 private:
  // The column that the row's parent fills in, with the ref it has.
  struct Parent {
    const Field* link = nullptr;
    std::string ref{};
    bool is_item = false;  // no parent, and a name that need not be a ref
  };

  const PayloadColumns& columns_of(const Table& table);
  // Fills in a row whose table and place are known.
  Result<NewRow> row(NewRow out, const JsonObject& object, const Parent& parent);
  Result<void> take_members(const NewRow& row, const JsonObject& object, const Parent& parent);
  Result<void> take_item(const JsonObject& object, const Parent& parent, NewRow& row);
  void add_zones(const Table& table, std::vector<FieldValue>& values);
  Result<Value> value(const Field& field, const Json& json);
  Result<Value> link(const Field& field, const Json& json);
  bool take_plain(const PayloadColumns::Column& column, const Field& field, const Json& json,
                  std::vector<FieldValue>& values) const;
  Result<std::optional<Value>> column(const Table& table, const Field& field, const Json* json);
  static Result<void> check_parent(const Parent& parent, const JsonObject& object,
                                   const NewRow& row);
  Result<NewRow::Nested> nested(const NewRow& parent, const Relation& relation, const Json& json);

  const RecordContext& context_;
  bool is_new_ = true;
  std::unordered_map<const Table*, PayloadColumns> columns_;
  const Table* last_table_ = nullptr;  // who was asked for last, and what was found
  const PayloadColumns* last_columns_ = nullptr;
  std::vector<const Json*> given_;  // of the row at hand, by the place of the field
};

}  // namespace alfred
