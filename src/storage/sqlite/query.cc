#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "pack/sql/key_use.h"
#include "storage/query_limits.h"
#include "storage/sqlite/query_errors.h"
#include "storage/sqlite/query_wall.h"
#include "storage/sqlite/sqlite_store.h"

namespace alfred {
namespace {

struct Limit {
  int what;
  int value;
};
constexpr Limit kLimits[] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20},  // of a value on its way, not of one that is given
    {SQLITE_LIMIT_SQL_LENGTH, 64 << 10},     {SQLITE_LIMIT_EXPR_DEPTH, 200},
    {SQLITE_LIMIT_COMPOUND_SELECT, 50},      {SQLITE_LIMIT_VDBE_OP, 100'000},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200}, {SQLITE_LIMIT_VARIABLE_NUMBER, 0},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},         {SQLITE_LIMIT_WORKER_THREADS, 0},
};

// Behind the wall tables are views, whose rowid is null whatever row it is: nothing would be found
// by it.
bool names_rowid(const SqliteQuery& query) {
  for (const SqlWord& word : sql_words(query.sql, Brackets::quote_names)) {
    const bool is_name = (word.kind == SqlWord::Kind::name || word.kind == SqlWord::Kind::quoted) &&
                         (word.text == "rowid" || word.text == "_rowid_" || word.text == "oid");
    const auto has_it = [&](const Table* table) {
      return std::any_of(table->fields.begin(), table->fields.end(), [&](const Field& field) {
        return !field.is_hidden && folded_name(field.name) == word.text;
      });
    };
    if (is_name && std::none_of(query.tables.begin(), query.tables.end(), has_it)) return true;
  }
  return false;
}

struct Statements {
  sqlite3_stmt* one = nullptr;
  Statements() = default;
  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;
  ~Statements() { sqlite3_finalize(one); }
};

Result<void> prepare_one(SqliteConnection& connection, const SqliteQuery& query,
                         Statements& statement) {
  const char* at = query.sql.data();
  const char* const end = at + query.sql.size();
  while (at != end) {
    if (statement.one != nullptr && has_words({at, static_cast<std::size_t>(end - at)}))
      return several_statements();
    sqlite3_stmt* next = nullptr;
    const int code =
        sqlite3_prepare_v2(connection.handle(), at, static_cast<int>(end - at), &next, &at);
    if (code != SQLITE_OK)
      return Unexpected(query_error(connection, code, query, QueryStage::compile));
    if (next == nullptr) continue;  // only space and comments
    if (statement.one != nullptr) {
      sqlite3_finalize(next);
      return several_statements();
    }
    statement.one = next;
  }
  if (statement.one == nullptr) return fail(ErrorCode::query, "The query is empty.");
  if (sqlite3_stmt_readonly(statement.one) == 0 || sqlite3_stmt_isexplain(statement.one) != 0 ||
      sqlite3_column_count(statement.one) == 0)
    return fail(ErrorCode::query, "The query is no SELECT. Send one SELECT.");
  return {};
}

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

const Field* origin(const SqliteQuery& query, QueryColumn& column) {
  for (const Table* table : query.tables) {
    if (folded_name(table->name) != folded_name(column.table)) continue;
    for (const Field& field : table->fields) {
      if (folded_name(field.name) != folded_name(column.column)) continue;
      column.table = table->name;
      column.column = field.name;
      return &field;
    }
  }
  column.table.clear();
  column.column.clear();
  return nullptr;
}

// Of the row that a statement is at, before anything of it is copied; its numbers are left as they
// are.
Result<std::size_t> row_bytes(sqlite3_stmt* statement, const QueryRows& out) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < out.columns.size(); ++i) {
    const int column = static_cast<int>(i);
    const int type = sqlite3_column_type(statement, column);
    const bool has_size = type == SQLITE_TEXT || type == SQLITE_BLOB;
    const std::size_t size =
        has_size ? static_cast<std::size_t>(sqlite3_column_bytes(statement, column)) : 8;
    if (size > kMostQueryCellBytes) return Unexpected(long_cell(out.columns[i].name));
    bytes += size;
  }
  if (bytes > kMostQueryRowBytes) return Unexpected(long_row());
  return bytes;
}

// Where the columns come from: as SQLite says, else as the text does.
Result<std::vector<const Field*>> read_columns(const SqliteQuery& query, sqlite3_stmt* statement,
                                               QueryRows& out) {
  const Result<KeyUse> keys = read_key_use(query.sql, query.tables, Brackets::quote_names);
  if (!keys) return Unexpected(keys.error());
  std::vector<const Field*> fields;
  const int count = sqlite3_column_count(statement);
  for (int i = 0; i < count; ++i) {
    QueryColumn& column =
        out.columns.emplace_back(QueryColumn{text_of(sqlite3_column_name(statement, i)),
                                             text_of(sqlite3_column_table_name(statement, i)),
                                             text_of(sqlite3_column_origin_name(statement, i))});
    fields.push_back(origin(query, column));
    if (fields.back() != nullptr) continue;
    const Result<const Table*> owner = keys->owner_of(column.name);
    if (!owner) return Unexpected(owner.error());
    if (*owner == nullptr) continue;
    column.table = (*owner)->name;
    column.column = (*owner)->key.front();
    fields.back() = (*owner)->find(column.column);
  }
  return fields;
}

Result<QueryRows> read_all(SqliteConnection& connection, const SqliteQuery& query,
                           sqlite3_stmt* statement) {
  QueryRows out;
  const Result<std::vector<const Field*>> columns = read_columns(query, statement, out);
  if (!columns) return Unexpected(columns.error());
  const std::vector<const Field*>& fields = *columns;
  const int count = sqlite3_column_count(statement);
  std::size_t bytes = 0;
  int code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
    if (out.rows.size() >= query.max_rows || bytes > kMostQueryBytes) {
      out.is_truncated = true;
      return out;
    }
    const Result<std::size_t> more = row_bytes(statement, out);
    if (!more) return Unexpected(more.error());
    bytes += *more;
    Row row;
    for (int i = 0; i < count; ++i)
      row.push_back(sqlite_cell(statement, i, fields[static_cast<std::size_t>(i)]));
    out.rows.push_back(std::move(row));
  }
  if (code != SQLITE_DONE) return Unexpected(query_error(connection, code, query, QueryStage::run));
  return out;
}

}  // namespace

Result<QueryRows> run_sqlite_query(const SqliteFile& file, const SqliteQuery& query) {
  const bool is_walled = needs_query_wall(query.tables);
  if (is_walled && names_rowid(query))
    return fail(
        ErrorCode::query,
        "There is no rowid in these queries. Name a column of the table, such as its key or its name.",
        "sql");
  Result<std::unique_ptr<SqliteConnection>> opened = file.open_query(is_walled);
  if (!opened) return Unexpected(std::move(opened).error());
  SqliteConnection& connection = **opened;
  if (is_walled)
    if (Result<void> built = build_query_wall(connection, file, query); !built)
      return Unexpected(std::move(built).error());
  if (Result<void> set = connection.execute("PRAGMA query_only=1"); !set)
    return Unexpected(std::move(set).error());
  for (const Limit& limit : kLimits) sqlite3_limit(connection.handle(), limit.what, limit.value);
  // "name" is a column or a mistake, never a text: a guessed column would compare with its own
  // name.
  sqlite3_db_config(connection.handle(), SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  for (const Table* table : query.tables) connection.guard().allow_table(table->name);
  connection.guard().set_mode(SqliteGuard::Mode::query);
  connection.guard().start_statement();
  Statements statement;
  if (Result<void> prepared = prepare_one(connection, query, statement); !prepared)
    return Unexpected(std::move(prepared).error());
  if (connection.guard().is_uncertain()) {
    const Result<bool> opens_listed = opens_only_listed(connection, query, is_walled);
    if (!opens_listed) return Unexpected(opens_listed.error());
    if (!*opens_listed) return refused_table(query, "a table that is not listed is opened");
  }
  return read_all(connection, query, statement.one);
}

}  // namespace alfred
