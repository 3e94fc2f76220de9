#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "pack/sql/key_use.h"
#include "storage/sqlite/query_wall.h"
#include "storage/sqlite/sqlite_store.h"

namespace alfred {
namespace {

constexpr std::size_t kMaxResultBytes = 8U << 20U;

struct Limit {
  int what;
  int value;
};
constexpr Limit kLimits[] = {
    {SQLITE_LIMIT_LENGTH, 4 << 20},    {SQLITE_LIMIT_SQL_LENGTH, 64 << 10},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},    {SQLITE_LIMIT_COMPOUND_SELECT, 50},
    {SQLITE_LIMIT_VDBE_OP, 100'000},   {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 0}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

std::vector<std::string> table_names(const SqliteQuery& query) {
  std::vector<std::string> names;
  for (const Table* table : query.tables)
    if (names.size() < 10) names.push_back(table->name);
  return names;
}

// Unknown and forbidden read the same.
Unexpected refused_table(const SqliteQuery& query, std::string detail) {
  return Unexpected(Error{ErrorCode::query,
                          "The query names a table that is not there for you. Use those listed.",
                          "sql", table_names(query), std::move(detail)});
}

Unexpected refused_function(std::string_view name, std::string detail) {
  return Unexpected(Error{ErrorCode::query,
                          fmt::format("There is no function {} for queries. Use SQLite's own that "
                                      "compute a value of their arguments, such as lower, substr, "
                                      "round, date, count or sum.",
                                      quoted_text(name)),
                          "sql",
                          {},
                          std::move(detail)});
}

bool begins_with_select(std::string_view sql) {
  const std::vector<SqlWord> words = sql_words(sql, Brackets::quote_names);
  return !words.empty() &&
         (words[0].text == "select" || words[0].text == "with" || words[0].text == "values");
}

// What SQLite says of a text it does not take. Its own words name schemas and are for operators.
Error refused(SqliteConnection& connection, int code, const SqliteQuery& query) {
  Error error = connection.error(code);
  if (error.code != ErrorCode::storage || (code & 0xFF) == SQLITE_IOERR) return error;
  const std::string_view words = sqlite3_errmsg(connection.handle());
  error.code = ErrorCode::query;
  const std::string_view no_column = "no such column: ";
  for (const std::string_view no_function :
       {"no such function: ", "not authorized to use function: "})
    if (words.starts_with(no_function))
      return refused_function(words.substr(no_function.size()), std::move(error.detail)).value();
  if ((code & 0xFF) == SQLITE_AUTH && !begins_with_select(query.sql)) {
    error.message = "A query only reads. Send one SELECT; rows are changed by the other calls.";
  } else if ((code & 0xFF) == SQLITE_AUTH || words.starts_with("no such table") ||
             words.starts_with("not authorized") || words.starts_with("unknown database")) {
    return refused_table(query, std::move(error.detail)).value();
  } else if (words.starts_with(no_column)) {
    error.message = fmt::format("The query names a column that does not exist: {}.",
                                quoted_text(words.substr(no_column.size())));
  } else {
    error.message = "The query is not one SELECT that SQLite understands. Check its syntax.";
  }
  return error;
}

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
    sqlite3_stmt* next = nullptr;
    const int code =
        sqlite3_prepare_v2(connection.handle(), at, static_cast<int>(end - at), &next, &at);
    if (code != SQLITE_OK) return Unexpected(refused(connection, code, query));
    if (next == nullptr) continue;  // only space and comments
    if (statement.one != nullptr) {
      sqlite3_finalize(next);
      return fail(ErrorCode::query, "The query has more than one statement. Send one SELECT.");
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

std::size_t bytes_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->size();
  if (const auto* blob = std::get_if<Bytes>(&value)) return blob->bytes.size();
  return 8;
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
    if (out.rows.size() >= query.max_rows || bytes > kMaxResultBytes) {
      out.is_truncated = true;
      return out;
    }
    Row row;
    for (int i = 0; i < count; ++i) {
      row.push_back(sqlite_cell(statement, i, fields[static_cast<std::size_t>(i)]));
      bytes += bytes_of(row.back());
    }
    out.rows.push_back(std::move(row));
  }
  if (code != SQLITE_DONE) return Unexpected(refused(connection, code, query));
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
