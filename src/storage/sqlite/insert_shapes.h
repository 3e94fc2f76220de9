// InsertShapes: the inserts of one transaction, by table and columns: built and prepared for the
// first row, bound anew for those after it.
//
// R1 the row that comes back is read from the table after its insert: RETURNING would make and drop a
//    table for every row. Where the table has no row numbers, or hides them, RETURNING it is.
// R2 what a trigger kept from being stored comes back as a row without values.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/sqlite/connection.h"
#include "storage/store.h"

namespace alfred {

// The row that a statement stands on.
Row row_of(const LentStatement& statement, const std::vector<const Field*>& fields);

class InsertShapes {
 public:
  InsertShapes(SqliteConnection& connection, const Caller& caller)
      : connection_(connection), caller_(caller) {}

  struct Shape {
    const Table* table;
    std::vector<const Field*> given;
    std::vector<const Field*> returning;
    std::optional<Value> owner;
    LentStatement insert;
    std::optional<LentStatement> read;  // none: the insert returns the row itself
  };
  Shape* find(const InsertRow& plan);                // null: not yet
  Result<Shape*> add(const InsertRow& plan);         // a plan that can be built
  static Result<void> check(const InsertRow& plan);  // of its values
  Result<Row> insert(Shape& shape, const InsertRow& plan);

 private:
  Result<std::unique_ptr<Shape>> make(const InsertRow& plan);

  SqliteConnection& connection_;
  const Caller& caller_;
  std::vector<std::unique_ptr<Shape>> shapes_;
};

}  // namespace alfred
