// The rows that our own batches left in a SQLite file, and the same rows inserted by hand: prepared
// statements on the bare driver, nothing else.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/value.h"

struct sqlite3;
struct sqlite3_stmt;

namespace alfred::bench {

struct SavedRow {
  bool is_item = false;  // else one of an item's rows
  Row values;            // of all columns, in the table's order
};

// Moves the log into the file, so that the file alone is the database.
void settle_file(const std::string& file);

// In the order in which they were inserted: each item, then its rows.
std::vector<SavedRow> saved_rows(const std::string& file);

// "INSERT INTO recipes VALUES (?1, …)"; with `is_numbered` as PostgreSQL has it.
std::string insert_text(const SavedRow& row, bool is_numbered);

class RawSqlite {
 public:
  explicit RawSqlite(const std::string& file);  // its log and its links as our store has them
  RawSqlite(const RawSqlite&) = delete;
  RawSqlite& operator=(const RawSqlite&) = delete;
  ~RawSqlite();
  void insert(std::span<const SavedRow> rows);  // one transaction

 private:
  void execute(const char* text);
  sqlite3_stmt* prepared(const SavedRow& row);

  sqlite3* database_ = nullptr;
  sqlite3_stmt* of_items_ = nullptr;
  sqlite3_stmt* of_children_ = nullptr;
};

}  // namespace alfred::bench
