#include "storage/sqlite/errors.h"

#include <sqlite3.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "storage/check_rule.h"

namespace alfred {
namespace {

bool is_hidden(const Table* table, std::string_view column) {
  if (table == nullptr) return false;
  return std::any_of(table->fields.begin(), table->fields.end(),
                     [&](const Field& field) { return field.name == column && field.is_hidden; });
}

// The columns of "UNIQUE constraint failed: books.isbn, books.shelf".
std::vector<std::string> columns_of(std::string_view text, const Table* table) {
  std::vector<std::string> out;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || text.substr(colon + 2).starts_with("index ")) return out;
  text.remove_prefix(colon + 2);
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    std::string_view one = text.substr(0, comma);
    one.remove_prefix(std::min(one.size(), one.rfind('.') + 1));
    if (!one.empty() && !is_hidden(table, one)) out.emplace_back(one);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 2);
  }
  return out;
}

Error conflict(std::string message, std::string path = {}) {
  return Error{ErrorCode::conflict, std::move(message), std::move(path), {}, {}};
}

Error unique_conflict(std::string_view text, const Table* table) {
  const std::vector<std::string> columns = columns_of(text, table);
  if (columns.empty())
    return conflict("Another row is the same where rows have to differ. Change it or that row.");
  return conflict(
      fmt::format("Another row has the same {}. Give another value, or change that row.",
                  fmt::join(columns, ", ")),
      columns.front());
}

Error constraint_error(int code, std::string_view text, const Table* table) {
  switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID: return unique_conflict(text, table);
    case SQLITE_CONSTRAINT_NOTNULL: {
      const std::vector<std::string> columns = columns_of(text, table);
      if (columns.empty()) return conflict("A column that needs a value has none.");
      return conflict(fmt::format("{} needs a value. Give one.", columns.front()), columns.front());
    }
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return conflict(
          "A row that this one points at does not exist, or rows still point at one that would go. "
          "Look at the linked rows first.");
    case SQLITE_CONSTRAINT_CHECK: {
      constexpr std::string_view kFailed = "CHECK constraint failed: ";
      return check_conflict(text.starts_with(kFailed) ? text.substr(kFailed.size()) : "", table);
    }
    default: return conflict("A rule of the database refuses this row. Give other values.");
  }
}

Error plain_error(ErrorCode code, std::string message) {
  return Error{code, std::move(message), {}, {}, {}};
}

Error base_error(int code) {
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return plain_error(ErrorCode::busy,
                         "Somebody else holds the database. Nothing was done; try again.");
    case SQLITE_INTERRUPT:
      return plain_error(
          ErrorCode::busy,
          "This took more work than is allowed and was stopped. Ask for less, or try "
          "again.");
    case SQLITE_FULL:
      return plain_error(ErrorCode::storage,
                         "The disk is full. Nothing was written; make room and try again.");
    case SQLITE_READONLY:
      return plain_error(ErrorCode::storage, "The database can only be read. Nothing was written.");
    case SQLITE_IOERR:
      return plain_error(ErrorCode::storage,
                         "The disk did not read or write. Nothing is half done; try again.");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return plain_error(ErrorCode::storage,
                         "The database file cannot be opened. Look at its permissions and at its "
                         "directory's.");
    case SQLITE_NOTADB:
      return plain_error(ErrorCode::corrupt,
                         "The file is no SQLite database, or its beginning is damaged. It was left "
                         "as it is; give the path of a database.");
    case SQLITE_CORRUPT:
      return plain_error(ErrorCode::corrupt,
                         "The database file is damaged. It was left as it is; keep a copy before "
                         "anything is tried on it.");
    case SQLITE_TOOBIG:
      return plain_error(ErrorCode::limit, "A value is larger than the database takes.");
    default:
      return plain_error(ErrorCode::storage, "The database could not do this. Nothing was done.");
  }
}

}  // namespace

Error sqlite_error(sqlite3* database, int code, const Table* table) {
  const std::string_view text =
      database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database);
  const int extended = database == nullptr ? code : sqlite3_extended_errcode(database);
  const bool is_same = (extended & 0xFF) == (code & 0xFF);
  Error error = (code & 0xFF) == SQLITE_CONSTRAINT
                    ? constraint_error(is_same ? extended : code, text, table)
                    : base_error(code);
  error.detail = fmt::format("sqlite {}: {}", is_same ? extended : code, text);
  return error;
}

bool is_io_failure(int code) { return (code & 0xFF) == SQLITE_IOERR; }

}  // namespace alfred
