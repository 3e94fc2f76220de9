#include "saved_rows.h"

#include <sqlite3.h>

#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "kitchen.h"

namespace alfred::bench {
namespace {

void must(sqlite3* database, int code) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    throw std::runtime_error(fmt::format("SQLite: {}", sqlite3_errmsg(database)));
}

Value cell(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_NULL: return std::monostate();
    default:
      return std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
                         static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  }
}

std::vector<Row> rows_of(sqlite3* database, const char* text) {
  sqlite3_stmt* statement = nullptr;
  must(database, sqlite3_prepare_v2(database, text, -1, &statement, nullptr));
  std::vector<Row> rows;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    Row& row = rows.emplace_back();
    for (int column = 0; column < sqlite3_column_count(statement); ++column)
      row.push_back(cell(statement, column));
  }
  sqlite3_finalize(statement);
  return rows;
}

struct Binder {
  sqlite3_stmt* statement;
  int index;
  int operator()(std::monostate) const { return sqlite3_bind_null(statement, index); }
  int operator()(std::int64_t number) const { return sqlite3_bind_int64(statement, index, number); }
  int operator()(double number) const { return sqlite3_bind_double(statement, index, number); }
  int operator()(bool flag) const { return sqlite3_bind_int(statement, index, flag ? 1 : 0); }
  int operator()(const std::string& text) const {
    return sqlite3_bind_text64(statement, index, text.data(), text.size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  }
  int operator()(const Bytes& blob) const { return (*this)(blob.bytes); }
};

}  // namespace

void settle_file(const std::string& file) {
  sqlite3* database = nullptr;
  must(nullptr, sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr));
  must(database,
       sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr));
  sqlite3_close(database);
}

std::vector<SavedRow> saved_rows(const std::string& file) {
  sqlite3* database = nullptr;
  must(nullptr, sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr));
  std::vector<Row> items = rows_of(database, "SELECT * FROM recipes ORDER BY rowid");
  std::vector<Row> children = rows_of(database, "SELECT * FROM recipe_ingredients ORDER BY rowid");
  sqlite3_close(database);
  std::vector<SavedRow> rows;
  for (std::size_t item = 0; item < items.size(); ++item) {
    rows.push_back({true, std::move(items[item])});
    for (std::size_t child = 0; child < kBatchChildren; ++child)
      rows.push_back({false, std::move(children[item * kBatchChildren + child])});
  }
  return rows;
}

std::string insert_text(const SavedRow& row, bool is_numbered) {
  std::string text = row.is_item ? "INSERT INTO recipes VALUES ("
                                 : "INSERT INTO "
                                   "recipe_ingredients VALUES (";
  for (std::size_t i = 0; i < row.values.size(); ++i)
    text += fmt::format("{}{}{}", i == 0 ? "" : ", ", is_numbered ? '$' : '?', i + 1);
  return text + ")";
}

RawSqlite::RawSqlite(const std::string& file) {
  must(nullptr, sqlite3_open_v2(file.c_str(), &database_,
                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr));
  execute("PRAGMA journal_mode=WAL");
  execute("PRAGMA synchronous=FULL");
  execute("PRAGMA foreign_keys=ON");
}

RawSqlite::~RawSqlite() {
  sqlite3_finalize(of_items_);
  sqlite3_finalize(of_children_);
  sqlite3_close(database_);
}

void RawSqlite::execute(const char* text) {
  must(database_, sqlite3_exec(database_, text, nullptr, nullptr, nullptr));
}

sqlite3_stmt* RawSqlite::prepared(const SavedRow& row) {
  sqlite3_stmt*& statement = row.is_item ? of_items_ : of_children_;
  if (statement == nullptr)
    must(database_, sqlite3_prepare_v3(database_, insert_text(row, false).c_str(), -1,
                                       SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  return statement;
}

void RawSqlite::insert(std::span<const SavedRow> rows) {
  execute("BEGIN IMMEDIATE");
  for (const SavedRow& row : rows) {
    sqlite3_stmt* const statement = prepared(row);
    for (std::size_t i = 0; i < row.values.size(); ++i)
      must(database_, std::visit(Binder{statement, static_cast<int>(i + 1)}, row.values[i]));
    must(database_, sqlite3_step(statement));
    sqlite3_reset(statement);
  }
  execute("COMMIT");
}

}  // namespace alfred::bench
