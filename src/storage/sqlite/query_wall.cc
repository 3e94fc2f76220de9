#include "storage/sqlite/query_wall.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "storage/sql_text.h"

namespace alfred {
namespace {

constexpr std::int64_t kFirstAttached = 2;  // 0 is main, 1 is temp

// A view takes no parameters, so the caller's own name stands in it as a literal.
std::string literal(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  std::string out = "'";
  for (const char c : std::get<std::string>(value)) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

Result<std::string> view_sql(const Table& table, const Caller& caller, std::string_view schema) {
  // The builder decides whether the caller may, and who owns the rows.
  SelectRows plan;
  plan.table = &table;
  const Result<BuiltSql> owned = build_sql(Dialect::sqlite, caller, plan);
  if (!owned) return Unexpected(owned.error());
  std::string columns;
  for (const Field& field : table.fields)
    if (!field.is_hidden) columns += (columns.empty() ? "t." : ", t.") + sql_name(field.name);
  std::string out =
      fmt::format("CREATE TEMP VIEW {} AS SELECT {} FROM {}.{} AS t", sql_name(table.name),
                  columns.empty() ? "NULL" : columns, sql_name(schema), sql_name(table.name));
  if (table.owner.empty()) return out;
  const Value& owner = owned->parameters.at(0).value;
  const auto* const text = std::get_if<std::string>(&owner);
  if (text != nullptr && text->find('\0') != std::string::npos)
    return fail(ErrorCode::value, "A user's name has no NUL in it.");
  return out +
         fmt::format(" WHERE t.{} COLLATE BINARY = {}", sql_name(table.owner), literal(owner));
}

// The pages where the listed tables and their indexes begin.
Result<std::set<std::int64_t>> listed_roots(SqliteConnection& connection,
                                            const SqliteQuery& query) {
  std::set<std::int64_t> roots;
  const Result<std::string> schema = connection.text(
      "SELECT name FROM pragma_database_list WHERE name <> 'temp' ORDER BY seq DESC LIMIT 1");
  if (!schema) return Unexpected(schema.error());
  const std::string text =
      fmt::format("SELECT rootpage, tbl_name FROM {}.sqlite_schema", sql_name(*schema));
  Result<LentStatement> statement = connection.prepare(text);
  if (!statement) return Unexpected(std::move(statement).error());
  for (;;) {
    const Result<bool> has_row = statement->step();
    if (!has_row) return Unexpected(has_row.error());
    if (!*has_row) return roots;
    const Value root = statement->cell(0);
    const Value name = statement->cell(1);
    for (const Table* table : query.tables)
      if (std::holds_alternative<std::string>(name) &&
          folded_name(std::get<std::string>(name)) == folded_name(table->name))
        roots.insert(std::get<std::int64_t>(root));
  }
}

Result<bool> explained_opens_only(SqliteConnection& connection, const SqliteQuery& query,
                                  const std::set<std::int64_t>& roots, std::int64_t database) {
  Result<LentStatement> statement = connection.prepare("EXPLAIN " + std::string(query.sql));
  if (!statement) return Unexpected(std::move(statement).error());
  for (;;) {
    const Result<bool> has_row = statement->step();
    if (!has_row) return Unexpected(has_row.error());
    if (!*has_row) return true;
    const Value opcode = statement->cell(1);
    if (opcode == Value("VOpen")) return false;
    if (opcode != Value("OpenRead") && opcode != Value("ReopenIdx")) continue;
    const Value root = statement->cell(3);
    if (statement->cell(4) != Value(database)) return false;
    if (!roots.contains(std::get<std::int64_t>(root))) return false;
  }
}

}  // namespace

bool needs_query_wall(std::span<const Table* const> tables) {
  const auto is_hidden = [](const Field& field) { return field.is_hidden; };
  return std::any_of(tables.begin(), tables.end(), [&](const Table* table) {
    return !table->owner.empty() ||
           std::any_of(table->fields.begin(), table->fields.end(), is_hidden);
  });
}

// The file under a name nobody can guess; of its tables only what views show.
Result<void> build_query_wall(SqliteConnection& connection, const SqliteFile& file,
                              const SqliteQuery& query) {
  const std::string schema = fmt::format("w_{}{}", new_short_id<IdKind::operation>().view(),
                                         new_short_id<IdKind::operation>().view());
  connection.guard().set_mode(SqliteGuard::Mode::setup);
  Result<LentStatement> attach = connection.prepare("ATTACH ?1 AS ?2");
  if (!attach) return Unexpected(std::move(attach).error());
  const Value uri = file.read_only_uri();
  const Value name = schema;
  if (Result<void> bound = attach->bind(1, uri); !bound) return bound;
  if (Result<void> bound = attach->bind(2, name); !bound) return bound;
  if (const Result<bool> done = attach->step(); !done) return Unexpected(done.error());
  for (const Table* table : query.tables) {
    const Result<std::string> view = view_sql(*table, query.caller, schema);
    if (!view) return Unexpected(view.error());
    if (Result<void> made = connection.execute(view->c_str()); !made) return made;
  }
  return {};
}

Result<bool> opens_only_listed(SqliteConnection& connection, const SqliteQuery& query,
                               bool is_walled) {
  connection.guard().set_mode(SqliteGuard::Mode::setup);
  const Result<std::set<std::int64_t>> roots = listed_roots(connection, query);
  Result<bool> opens_listed =
      roots ? explained_opens_only(connection, query, *roots, is_walled ? kFirstAttached : 0)
            : Unexpected(roots.error());
  connection.guard().set_mode(SqliteGuard::Mode::query);
  return opens_listed;
}

}  // namespace alfred
