// InsertShapes: the inserts of one transaction, by table and columns: built and prepared for the
// first row, bound anew for those after it.
//
// R1 the row that comes back is the one that is stored. Where all of it is known to be kept as given
//    (stored_form.h) it is not read; builds with assertions read it all the same and compare.
// R2 other rows are read by their number after the insert: RETURNING would make and drop a table for every
//    row. Where the table has no row numbers, or hides them, RETURNING it is.
// R3 what a trigger kept from being stored comes back as a row without values.
// R4 many rows that are known to be kept go several to a statement; when it fails, one by one, to say which.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
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
    FieldList returning;
    std::optional<Value> owner;
    LentStatement insert;
    std::string read_text;              // empty: the insert returns the row itself
    std::optional<LentStatement> read;  // once it is needed
    // Where each cell of `returning` is from, and what each of `given` makes of its value; empty:
    // the row is always read.
    std::vector<int> sources{};
    std::vector<const ColumnForm*> forms{};
    bool is_plain = false;  // an insert stores its row or fails
  };
  // Whether the row is stored as the plan says, without looking; and that row, from its values.
  static bool is_known(const Shape& shape, const InsertRow& plan);
  // The same of a plan that nobody checked: false also where check() has something to say.
  static bool is_known_and_fits(const Shape& shape, const InsertRow& plan);
  static Row take_row(const Shape& shape, InsertRow& plan);
  Shape* find(const InsertRow& plan);                // null: not yet
  Result<Shape*> add(const InsertRow& plan);         // an error: its own, or the database's
  static Result<void> check(const InsertRow& plan);  // of its values
  // Takes the plan's values.
  Result<Row> insert(Shape& shape, InsertRow& plan);
  // Rows that are known to be kept, by one statement, which stores all of them or none. They live
  // until the next of these.
  Result<void> insert_known(const Table& table, const FieldList& fields, std::span<const Row> rows);
  // Whether the row that was inserted last is this one, in builds with assertions (R1).
  Result<void> check_last(Shape& shape, const Row& row);

 private:
  Result<std::unique_ptr<Shape>> make(const InsertRow& plan);
  static void take_forms(const TableForm& form, Shape& shape);
  Result<Row> read_back(Shape& shape);

  SqliteConnection& connection_;
  const Caller& caller_;
  std::vector<std::unique_ptr<Shape>> shapes_;
  std::size_t last_ = 0;  // where the last one was found: rows of a call are much alike
  struct Run {
    const Table* table;
    FieldList fields;
    std::size_t rows;
    LentStatement insert;
  };
  Result<LentStatement*> run_of(const Table& table, const FieldList& fields, std::size_t rows);
  std::vector<std::unique_ptr<Run>> runs_;
};

}  // namespace alfred
