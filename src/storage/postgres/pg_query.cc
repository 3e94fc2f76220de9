#include "storage/postgres/pg_query.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/stop_scope.h"
#include "pack/sql/key_use.h"
#include "storage/postgres/pg_text.h"
#include "storage/postgres/query_bound.h"
#include "storage/postgres/query_text.h"
#include "storage/query_limits.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

// The relations locked for the query that are neither given (allowed) nor behind what is given.
constexpr const char* kForeignLocks = R"(
WITH RECURSIVE given AS (SELECT name::regclass::oid AS oid FROM unnest($1::text[]) AS name),
behind(oid) AS (
  SELECT oid FROM given UNION
  SELECT one.oid FROM behind CROSS JOIN LATERAL (
    SELECT d.refobjid AS oid FROM pg_rewrite w JOIN pg_depend d ON d.objid = w.oid
    WHERE w.ev_class = behind.oid AND d.classid = 'pg_rewrite'::regclass
      AND d.refclassid = 'pg_class'::regclass
    UNION ALL SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = behind.oid) AS one)
SELECT c.relname, c.oid IN (SELECT oid FROM behind)
FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND c.relkind IN ('r','p','v','m','f','S')
  AND c.relnamespace <> 'pg_catalog'::regnamespace AND c.oid NOT IN (SELECT oid FROM given))";

// A dot may also call a function that takes the row: only what is no column of ours is asked for.
constexpr const char* kWordsOfSystem = R"(
SELECT 1 FROM pg_namespace WHERE nspname = ANY ($1::text[])
UNION ALL SELECT 1 FROM pg_proc WHERE proname = ANY ($2::text[]) LIMIT 1)";

constexpr const char* kColumns = R"(
SELECT a.attrelid, a.attnum, a.attname, name FROM unnest($1::text[]) WITH ORDINALITY AS u(name, place)
JOIN pg_attribute a ON a.attrelid = name::regclass AND a.attnum > 0 AND NOT a.attisdropped)";

std::string array_of(const std::vector<std::string>& texts) {
  std::string out = "{";
  for (const std::string& text : texts) {
    out += out.size() > 1 ? ",\"" : "\"";
    for (const char c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    out += '"';
  }
  return out + "}";
}

PgParam array_param(const std::vector<std::string>& texts) { return {array_of(texts), 0}; }

const Field* field_named(const Table& table, std::string_view name) {
  const auto field = std::find_if(table.fields.begin(), table.fields.end(),
                                  [&](const Field& one) { return one.name == name; });
  return field == table.fields.end() ? nullptr : &*field;
}

class Query {
 public:
  Query(PgTx& tx, const QueryCall& call) : tx_(tx), call_(call) {}

  Result<QueryRows> run() {
    Result<QueryText> text = read_query_text(call_.sql, call_.tables);
    if (!text) return Unexpected(std::move(text).error());
    text_ = std::move(*text);
    for (const Table* table : call_.tables)
      if (text_.names.contains(table->name)) used_.push_back(table);
    if (Result<void> fits = check_words(); !fits) return Unexpected(std::move(fits).error());
    Result<PgCommand> walls = all_walls();
    if (!walls) return Unexpected(std::move(walls).error());
    const BoundedQuery query{walls->sql, text_.sql, call_.max_rows};
    Result<PgRows> probe = probed({probe_text(query), walls->params, false});
    if (!probe) return Unexpected(std::move(probe).error());
    Result<KeyUse> keys = read_key_use(text_.sql, call_.tables, Brackets::hold_places);
    if (!keys) return Unexpected(std::move(keys).error());
    keys_ = std::move(*keys);
    Result<PgRows> rows = tx_.send({bounded_text(query, *probe), walls->params, false});
    if (!rows) return Unexpected(told(std::move(rows).error()));
    return with_origins(*rows, *probe);
  }

 private:
  // Unknown and forbidden read the same.
  Unexpected no_such_table() const {
    std::vector<std::string> allowed;
    for (const Table* table : call_.tables)
      if (allowed.size() < 10) allowed.push_back(table->name);
    std::string message = with_not_listed(
        "The query names a table or function that you may not use. Use the tables listed.",
        allowed.size(), call_.tables.size());
    return fail(ErrorCode::query, std::move(message), "sql", std::move(allowed));
  }

  // The errors of a query, without what rows hold.
  Error told(Error error) const {
    if (error.detail.starts_with("SQLSTATE 57014") && !is_stop_wanted())
      return too_much_work(std::move(error.detail));
    if (error.code == ErrorCode::busy) return error;
    if (error.code == ErrorCode::value)
      error.message =
          "The query computes what has no result: a division by zero, or a text that is no number "
          "or none of the values that its column takes.";
    if (error.code == ErrorCode::table) return no_such_table().value();
    const bool is_sql =
        error.detail.starts_with("SQLSTATE 42") || error.detail.starts_with("SQLSTATE 0A");
    const std::size_t colon = error.detail.find(": ");
    if (is_sql && colon != std::string::npos)
      error.message =
          "The query does not compile: " + error.detail.substr(colon + 2) + ". Correct it.";
    // More rows than one where one value is meant; more than a value can be.
    const bool is_too_much =
        error.detail.starts_with("SQLSTATE 21") || error.detail.starts_with("SQLSTATE 54");
    if (is_too_much && colon != std::string::npos)
      error.message =
          "The query cannot be computed: " + error.detail.substr(colon + 2) + ". Correct it.";
    if (error.detail.starts_with("SQLSTATE 25"))
      error.message = "The query changes or locks rows; here it can only read.";
    if (error.code != ErrorCode::storage || is_sql || is_too_much) error.code = ErrorCode::query;
    error.path = "sql";
    return error;
  }

  Result<void> check_words() {
    std::vector<std::string> members;
    for (const std::string& member : text_.members) {
      const bool is_column = std::any_of(used_.begin(), used_.end(), [&](const Table* table) {
        return field_named(*table, member) != nullptr;
      });
      if (!is_column && !is_query_function(member)) members.push_back(member);
    }
    const std::vector<std::string> qualifiers(text_.qualifiers.begin(), text_.qualifiers.end());
    Result<PgRows> found =
        tx_.send({kWordsOfSystem, {array_param(qualifiers), array_param(members)}, true});
    if (!found) return Unexpected(std::move(found).error());
    if (found->size() > 0) return no_such_table();
    return {};
  }

  Result<PgCommand> all_walls() {
    PgCommand command{"", {}, false};
    for (const Table* table : used_) {
      Result<std::string> part = wall_of(*table, command);
      if (!part) return Unexpected(std::move(part).error());
      command.sql += (command.sql.empty() ? "WITH " : ",\n") + *part;
    }
    return command;
  }

  Result<std::string> wall_of(const Table& table, PgCommand& command) {
    std::string columns;
    for (const Field& field : table.fields)
      if (!field.is_hidden && field.name != table.owner)
        columns += (columns.empty() ? "" : ", ") + sql_name(field.name);
    const std::string from = table_name_sql(Dialect::postgres, table.name);
    if (table.owner.empty())
      return fmt::format("{} AS NOT MATERIALIZED (SELECT {} FROM {})", sql_name(table.name),
                         columns, from);
    const Field* owner = field_named(table, table.owner);
    if (owner == nullptr || !call_.caller.user || call_.caller.user->empty())
      return fail(ErrorCode::table,
                  fmt::format("Rows of {} belong to users, and this call names none. Call it on "
                              "behalf of a user.",
                              table.name));
    command.params.push_back({*call_.caller.user, 0});
    return fmt::format("{} AS MATERIALIZED (SELECT {} FROM {} AS t WHERE {} = {})",
                       sql_name(table.name), columns, from,
                       equality_sql({Dialect::postgres, *owner, "t." + sql_name(owner->name)}),
                       compared_parameter_sql(Dialect::postgres, *owner, command.params.size()));
  }

  std::vector<std::string> relation_names() const {
    std::vector<std::string> out;
    out.reserve(used_.size());
    for (const Table* table : used_) out.push_back(table_name_sql(Dialect::postgres, table->name));
    return out;
  }

  // What the query gives. To be planned it locks what it reads, and that is looked at (R2).
  Result<PgRows> probed(PgCommand command) {
    Result<PgRows> probe = tx_.send(std::move(command));
    if (!probe) return Unexpected(told(std::move(probe).error()));
    Result<PgRows> locks = tx_.send({kForeignLocks, {array_param(relation_names())}, true});
    if (!locks) return Unexpected(std::move(locks).error());
    for (std::size_t at = 0; at < locks->size(); ++at)
      if (!locks->is_true(at, 1) || text_.names.contains(locks->text(at, 0)))
        return no_such_table();
    if (probe->width() == 0)
      return fail(ErrorCode::query, "The query selects no column. Name some.", "sql");
    return probe;
  }

  Result<QueryRows> with_origins(const PgRows& rows, const PgRows& probe) {
    QueryBound bound = bound_of(rows, probe);
    if (bound.error) return Unexpected(std::move(*bound.error));
    Result<PgRows> columns = tx_.send({kColumns, {array_param(relation_names())}, true});
    if (!columns) return Unexpected(std::move(columns).error());
    std::map<std::pair<std::string, std::string>, std::pair<const Table*, std::string>> origins;
    const std::vector<std::string> names = relation_names();
    for (std::size_t at = 0; at < columns->size(); ++at) {
      const auto place = std::find(names.begin(), names.end(), columns->text(at, 3));
      if (place == names.end()) continue;
      origins[{columns->text(at, 0), columns->text(at, 1)}] = {
          used_[static_cast<std::size_t>(place - names.begin())], columns->text(at, 2)};
    }
    QueryRows out;
    std::vector<const Field*> fields;
    for (std::size_t column = 0; column < probe.width(); ++column) {
      QueryColumn& one = out.columns.emplace_back();
      one.name = probe.name(column);
      const auto origin = origins.find({std::to_string(probe.origin_table(column)),
                                        std::to_string(probe.origin_column(column))});
      fields.push_back(nullptr);
      const Table* table = origin == origins.end() ? nullptr : origin->second.first;
      if (table != nullptr) {
        one.column = origin->second.second;
      } else {
        const Result<const Table*> owner = keys_.owner_of(one.name);
        if (!owner) return Unexpected(owner.error());
        if (*owner == nullptr) continue;
        table = *owner;
        one.column = table->key.front();
      }
      one.table = table->name;
      fields.back() = field_named(*table, one.column);
    }
    add_rows(rows, fields, out);
    out.is_truncated = out.is_truncated || bound.is_cut;
    return out;
  }

  void add_rows(const PgRows& rows, const std::vector<const Field*>& fields, QueryRows& out) const {
    out.is_truncated = rows.size() > call_.max_rows;
    out.rows.resize(std::min(rows.size(), call_.max_rows));
    for (std::size_t at = 0; at < out.rows.size(); ++at)
      for (std::size_t column = 0; column < fields.size(); ++column) {
        const std::optional<std::string_view> text = rows.cell(at, column);
        if (!text) {
          out.rows[at].emplace_back();
        } else if (fields[column] != nullptr) {
          out.rows[at].push_back(value_of_field(*text, rows.type(column), fields[column]->type));
        } else {
          out.rows[at].push_back(value_by_type(*text, rows.type(column), true));
        }
      }
  }

  PgTx& tx_;
  const QueryCall& call_;
  QueryText text_;
  KeyUse keys_;
  std::vector<const Table*> used_;
};

}  // namespace

Result<QueryRows> run_query(PgTx& tx, const QueryCall& call) { return Query(tx, call).run(); }

}  // namespace alfred
