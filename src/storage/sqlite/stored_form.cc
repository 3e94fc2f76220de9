#include "storage/sqlite/stored_form.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/utf8.h"
#include "storage/exact_number.h"
#include "storage/sqlite/connection.h"

namespace alfred {
namespace {

// One row a column; the last three say what holds for the whole table, and are looked up once.
constexpr const char* kColumns =
    "WITH l AS MATERIALIZED (SELECT t.name, "
    "t.type = 'table' AND t.wr = 0 AND (SELECT encoding FROM pragma_encoding) = 'UTF-8' AS plain, "
    "EXISTS (SELECT 1 FROM sqlite_schema AS s "
    "WHERE s.type = 'trigger' AND s.tbl_name = t.name COLLATE NOCASE) AS has_trigger, "
    "coalesce((SELECT s.sql FROM sqlite_schema AS s WHERE s.type = 'table' AND s.name = t.name "
    "COLLATE NOCASE AND instr(lower(s.sql), 'conflict') > 0), '') AS conflicting "
    "FROM pragma_table_list(?1) AS t WHERE t.schema = 'main') "
    "SELECT x.name, x.type, x.\"notnull\", x.dflt_value IS NOT NULL, x.pk, x.hidden, "
    "l.plain, l.has_trigger, l.conflicting FROM l, pragma_table_xinfo(l.name) AS x";

constexpr const char* kLinks =
    "SELECT f.\"from\", f.\"table\", coalesce(f.\"to\", '') FROM pragma_foreign_key_list(?1) AS f "
    "GROUP BY f.id HAVING count(*) = 1";

// A key that names no columns there means the primary key.
constexpr const char* kActingLinks =
    "WITH acts (on_what) AS (VALUES ('CASCADE'), ('SET NULL'), ('SET DEFAULT')), "
    "l AS (SELECT s.name AS child, f.*, f.on_delete IN acts AS deletes, f.on_update IN acts AS "
    "updates FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS f "
    "WHERE s.type = 'table' AND f.\"table\" = ?1 COLLATE NOCASE) "
    "SELECT l.child, l.seq, l.\"from\", coalesce(l.\"to\", "
    "(SELECT x.name FROM pragma_table_xinfo(?1) AS x WHERE x.pk = l.seq + 1)), "
    "l.deletes, l.updates FROM l WHERE l.deletes OR l.updates "
    "ORDER BY l.child COLLATE BINARY, l.id, l.seq";

std::string text_at(const LentStatement& row, int at) {
  const Value value = row.cell(at);
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string() : *text;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// SQLite keeps a whole number of a column of reals as an integer, which has no negative zero.
bool is_plain_number(double number) {
  return std::isfinite(number) && !(number == 0 && std::signbit(number));
}

// Whether a number column that may hold it as an integer gives it back as this alternative.
bool is_read_as_given(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return exact_number(*whole) == value;
  return exact_number(std::get<double>(value)) == value;
}

ColumnForm column_of(const LentStatement& row) {
  const auto is_set = [&](int at) { return sqlite3_column_int64(row.get(), at) != 0; };
  ColumnForm column;
  column.name = text_at(row, 0);
  column.affinity = affinity_of(text_at(row, 1));
  // A key of one integer column is the row's number, which SQLite makes up where none is given.
  const bool may_be_number = is_set(4) && column.affinity == Affinity::integer;
  column.takes_null = !is_set(2) && !may_be_number;
  column.is_empty_unless_given = column.takes_null && !is_set(3) && !is_set(5);
  return column;
}

// In small letters, without what stands between words.
std::vector<std::string> words_of(std::string_view sql) {
  std::vector<std::string> words(1);
  for (const char c : sql) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper || (c >= 'a' && c <= 'z'))
      words.back() += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

}  // namespace

Affinity affinity_of(std::string_view declared_type) {
  const std::string type = folded_name(declared_type);
  if (has_any(type, {"int"})) return Affinity::integer;
  if (has_any(type, {"char", "clob", "text"})) return Affinity::text;
  if (type.empty() || has_any(type, {"blob"})) return Affinity::none;
  return has_any(type, {"real", "floa", "doub"}) ? Affinity::real : Affinity::numeric;
}

const ColumnForm* TableForm::find(std::string_view column) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const ColumnForm& one) { return one.name == column; });
  return found == columns.end() ? nullptr : &*found;
}

bool may_replace_rows(std::string_view create_sql) {
  const std::vector<std::string> words = words_of(create_sql);
  for (std::size_t i = 2; i + 2 < words.size(); ++i)
    if (words[i] == "on" && words[i + 1] == "conflict" && words[i + 2] == "replace" &&
        !(words[i - 2] == "not" && words[i - 1] == "null"))
      return true;
  return false;
}

std::string sparing_rows(std::string_view statement) {
  const std::size_t word = std::string_view("INSERT").size();  // or UPDATE
  return std::string(statement.substr(0, word)) + " OR ABORT" + std::string(statement.substr(word));
}

bool keeps_texts(const ColumnForm& column) {
  return column.affinity == Affinity::text || column.affinity == Affinity::none;
}

bool is_kept_as_given(const ColumnForm& column, const Field& field, const Value& value) {
  const Affinity affinity = column.affinity;
  if (is_null(value)) return column.takes_null;
  if (const auto* text = std::get_if<std::string>(&value))
    return keeps_texts(column) && is_utf8(*text);
  const bool keeps_integers = affinity == Affinity::integer || affinity == Affinity::numeric;
  if (std::holds_alternative<std::int64_t>(value))
    return keeps_integers && (field.type == FieldType::integer ||
                              (field.type == FieldType::number && is_read_as_given(value)));
  if (std::holds_alternative<bool>(value))
    return field.type == FieldType::boolean && keeps_integers;
  const auto* const number = std::get_if<double>(&value);
  return number != nullptr && field.type == FieldType::number && is_plain_number(*number) &&
         (affinity == Affinity::real || (keeps_integers && is_read_as_given(value)));
}

Result<void> TableForms::refresh(SqliteConnection& connection) {
  const Result<std::int64_t> version = connection.number("PRAGMA main.schema_version");
  if (!version) return Unexpected(version.error());
  if (*version != schema_version_) {
    by_name_.clear();
    acting_.clear();
  }
  schema_version_ = *version;
  return {};
}

Result<const std::vector<ActingLink>*> TableForms::acting_on(SqliteConnection& connection,
                                                             const std::string& table) {
  if (Result<void> fresh = refresh(connection); !fresh) return Unexpected(fresh.error());
  const auto [place, is_new] = acting_.try_emplace(table);
  if (!is_new) return &place->second;
  std::vector<ActingLink>& links = place->second;
  const Result<void> read =
      connection.visit_rows(kActingLinks, Value(table), [&](const LentStatement& row) {
        if (sqlite3_column_int64(row.get(), 1) == 0)
          links.push_back({.table = text_at(row, 0),
                           .acts_on_delete = sqlite3_column_int64(row.get(), 4) != 0,
                           .acts_on_update = sqlite3_column_int64(row.get(), 5) != 0});
        links.back().columns.push_back(text_at(row, 2));
        links.back().target_columns.push_back(text_at(row, 3));
      });
  if (read) return &links;
  acting_.erase(place);
  return Unexpected(read.error());
}

Result<const TableForm*> TableForms::of(SqliteConnection& connection, const std::string& table) {
  if (Result<void> fresh = refresh(connection); !fresh) return Unexpected(fresh.error());
  const auto [place, is_new] = by_name_.try_emplace(table);
  if (!is_new) return &place->second;
  TableForm form;
  const Value name = table;
  Result<void> read = connection.visit_rows(kColumns, name, [&](const LentStatement& row) {
    form.columns.push_back(column_of(row));
    form.keeps_rows =
        sqlite3_column_int64(row.get(), 6) != 0 && sqlite3_column_int64(row.get(), 7) == 0;
    const std::string conflicting = text_at(row, 8);
    form.has_conflict_clause = !conflicting.empty();
    form.replaces_rows = may_replace_rows(conflicting);
  });
  if (read)
    read = connection.visit_rows(kLinks, name, [&](const LentStatement& row) {
      form.links.push_back({text_at(row, 0), text_at(row, 1), text_at(row, 2)});
    });
  if (!read) {
    by_name_.erase(place);
    return Unexpected(read.error());
  }
  place->second = std::move(form);
  return &place->second;
}

}  // namespace alfred
