#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "pack/derive/declared_type.h"
#include "pack/uuid_text.h"
#include "storage/sql_text.h"
#include "storage/sqlite/check_lists.h"
#include "storage/sqlite/sqlite_store.h"

namespace alfred {
namespace {

// The rows of a fixed statement with one text parameter.
Result<std::vector<Row>> rows_of(SqliteConnection& connection, const char* text,
                                 const std::string& table) {
  std::vector<Row> rows;
  const Value name = table;
  const Result<void> read = connection.visit_rows(text, name, [&](const LentStatement& statement) {
    Row& row = rows.emplace_back();
    for (int i = 0; i < 6; ++i) row.push_back(statement.cell(i));
  });
  if (!read) return Unexpected(read.error());
  return rows;
}

std::string text_at(const Row& row, std::size_t at) {
  const auto* const text = std::get_if<std::string>(&row[at]);
  return text == nullptr ? std::string() : *text;
}

std::int64_t number_at(const Row& row, std::size_t at) {
  const auto* const number = std::get_if<std::int64_t>(&row[at]);
  return number == nullptr ? 0 : *number;
}

OnDelete on_delete_of(std::string_view word) {
  if (word == "CASCADE") return OnDelete::cascade;
  return word == "SET NULL" ? OnDelete::set_null : OnDelete::refuse;
}

struct Named {
  std::string name;
  bool is_view = false;
  bool has_rowid = true;
  std::string sql;
};

// Ours and SQLite's own are left out, and so are virtual tables with the tables behind them.
Result<std::vector<Named>> table_names(SqliteConnection& connection) {
  Result<std::vector<Row>> rows = rows_of(
      connection,
      "SELECT l.name, l.type, l.wr, coalesce(s.sql, ''), 0, ?1 FROM pragma_table_list AS l "
      "JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view') "
      "WHERE l.schema = 'main' AND l.type IN ('table', 'view') "
      "AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND l.name NOT LIKE 'alfred\\_%' ESCAPE '\\' "
      "ORDER BY l.name COLLATE BINARY",
      {});
  if (!rows) return Unexpected(std::move(rows).error());
  std::vector<Named> names;
  for (const Row& row : *rows)
    names.push_back(
        {text_at(row, 0), text_at(row, 1) == "view", number_at(row, 2) == 0, text_at(row, 3)});
  return names;
}

std::optional<TimeForm> form_of(const Value& value) {
  if (is_null(value)) return std::nullopt;
  if (std::holds_alternative<std::int64_t>(value)) return TimeForm::whole;
  if (std::holds_alternative<double>(value)) return TimeForm::fraction;
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? TimeForm::other : time_form_of(*text);
}

// Where rows differ: a form that others left, which ours may stand beside; numbers and other texts
// only where nothing in the column is a moment.
TimeForm common_form(const std::vector<TimeForm>& forms, TimeForm by_default) {
  if (forms.empty()) return by_default;
  for (const TimeForm form : {TimeForm::spaced, TimeForm::bare, TimeForm::ours, TimeForm::other,
                              TimeForm::fraction, TimeForm::whole})
    if (std::find(forms.begin(), forms.end(), form) != forms.end()) return form;
  return by_default;
}

TextMatch match_of(SqliteConnection& connection, const std::string& table,
                   const std::string& column) {
  const char* collation = nullptr;
  const int found =
      sqlite3_table_column_metadata(connection.handle(), "main", table.c_str(), column.c_str(),
                                    nullptr, &collation, nullptr, nullptr, nullptr);
  const bool is_blind =
      found == SQLITE_OK && collation != nullptr && sqlite3_stricmp(collation, "NOCASE") == 0;
  return is_blind ? TextMatch::ascii_letters : TextMatch::bytes;
}

constexpr std::int64_t kWritesSpacedTimes = 2;  // of a default, as read_columns asks for it

Result<void> read_columns(SqliteConnection& connection, const Named& named, CatalogueTable& table) {
  Result<std::vector<Row>> rows =
      rows_of(connection,
              "SELECT name, type, \"notnull\", CASE WHEN dflt_value IS NULL THEN 0 WHEN dflt_value "
              "LIKE '%current_timestamp%' OR dflt_value LIKE 'datetime(%' THEN 2 ELSE 1 END, pk, "
              "hidden FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid",
              named.name);
  if (!rows) return Unexpected(std::move(rows).error());
  std::vector<std::pair<std::int64_t, std::string>> key;
  for (const Row& row : *rows) {
    const std::int64_t place = number_at(row, 4);
    if (place > 0) key.emplace_back(place, text_at(row, 0));
    table.columns.push_back({.name = text_at(row, 0),
                             .declared_type = text_at(row, 1),
                             .is_nullable = number_at(row, 2) == 0 && place == 0,
                             .has_default = number_at(row, 3) != 0,
                             .is_computed = number_at(row, 5) >= 2,
                             .enum_values = {}});
    if (!named.is_view)
      table.columns.back().match = match_of(connection, named.name, table.columns.back().name);
    if (number_at(row, 3) == kWritesSpacedTimes) table.columns.back().time_form = TimeForm::spaced;
  }
  std::sort(key.begin(), key.end());
  for (auto& [place, name] : key) table.primary_key.push_back(std::move(name));
  // INTEGER PRIMARY KEY is the row's own number, and SQLite gives it.
  if (key.size() == 1 && named.has_rowid)
    for (CatalogueColumn& column : table.columns)
      if (column.name == table.primary_key[0] && folded_name(column.declared_type) == "integer")
        column.has_default = true;
  return {};
}

// How moments are written, by the first rows that have some.
Result<void> read_time_forms(SqliteConnection& connection, CatalogueTable& table) {
  std::vector<CatalogueColumn*> columns;
  std::string names;
  for (CatalogueColumn& column : table.columns) {
    if (read_declared_type(column.declared_type).type != FieldType::instant) continue;
    columns.push_back(&column);
    names += (names.empty() ? "" : ", ") + sql_name(column.name);
  }
  if (columns.empty()) return {};
  Result<LentStatement> rows =
      connection.prepare(fmt::format("SELECT {} FROM {} LIMIT 100", names, sql_name(table.name)));
  if (!rows) return Unexpected(std::move(rows).error());
  std::vector<std::vector<TimeForm>> forms(columns.size());
  for (;;) {
    Result<bool> has_row = rows->step();
    if (!has_row) return Unexpected(std::move(has_row).error());
    if (!*has_row) break;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (std::optional<TimeForm> form = form_of(rows->cell(static_cast<int>(i))))
        forms[i].push_back(*form);
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i]->time_form = common_form(forms[i], columns[i]->time_form);
  return {};
}

// Whether a text key holds uuids, by the first rows.
Result<void> read_uuid_key(SqliteConnection& connection, CatalogueTable& table) {
  const auto key =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const CatalogueColumn& column) {
        return table.primary_key.size() == 1 && column.name == table.primary_key[0];
      });
  if (key == table.columns.end() || key->has_default ||
      read_declared_type(key->declared_type).type != FieldType::text)
    return {};
  Result<LentStatement> rows = connection.prepare(
      fmt::format("SELECT {} FROM {} LIMIT 100", sql_name(key->name), sql_name(table.name)));
  if (!rows) return Unexpected(std::move(rows).error());
  std::size_t count = 0;
  for (;; ++count) {
    Result<bool> has_row = rows->step();
    if (!has_row) return Unexpected(std::move(has_row).error());
    if (!*has_row) break;
    const Value cell = rows->cell(0);
    const auto* const text = std::get_if<std::string>(&cell);
    if (text == nullptr || !is_uuid_text(*text)) return {};
  }
  key->holds_uuids = count > 0;
  return {};
}

// SQLite numbers the rows of a table that has no key, by any of these names that no column has.
std::string row_number_of(const Named& named, const CatalogueTable& table) {
  if (named.is_view || !named.has_rowid || !table.primary_key.empty()) return {};
  for (const char* const name : {"rowid", "_rowid_", "oid"})
    if (std::none_of(table.columns.begin(), table.columns.end(),
                     [&](const CatalogueColumn& one) { return folded_name(one.name) == name; }))
      return name;
  return {};
}

// SQLite says of a statement's columns where they come from, through views and subqueries. A view
// that is broken has no origins.
void read_origins(SqliteConnection& connection, CatalogueTable& view) {
  const Result<LentStatement> all = connection.prepare("SELECT * FROM " + sql_name(view.name));
  if (!all) return;
  const auto text_of = [](const char* text) { return std::string(text == nullptr ? "" : text); };
  for (std::size_t i = 0; i < view.columns.size(); ++i) {
    const int at = static_cast<int>(i);
    if (view.columns[i].name != text_of(sqlite3_column_name(all->get(), at))) return;
    view.columns[i].origin_table = text_of(sqlite3_column_table_name(all->get(), at));
    view.columns[i].origin_column = text_of(sqlite3_column_origin_name(all->get(), at));
  }
}

// A view over what is not there, or of functions that this program has not, is no table of anybody.
bool is_broken(SqliteConnection& connection, const std::string& view) {
  const Result<LentStatement> all = connection.prepare("SELECT * FROM " + sql_name(view));
  return !all && all.error().code == ErrorCode::storage;
}

// A view shows moments as the table behind it has them.
void take_time_forms(Catalogue& catalogue) {
  for (CatalogueTable& view : catalogue.tables)
    for (CatalogueColumn& column : view.columns) {
      if (column.origin_table.empty()) continue;
      for (const CatalogueTable& table : catalogue.tables)
        for (const CatalogueColumn& origin : table.columns)
          if (table.name == column.origin_table && origin.name == column.origin_column)
            column.time_form = origin.time_form;
    }
}

Result<void> read_uniques(SqliteConnection& connection, CatalogueTable& table) {
  Result<std::vector<Row>> rows =
      rows_of(connection,
              "SELECT l.name, x.name, x.cid, 0, 0, 0 FROM pragma_index_list(?1) AS l, "
              "pragma_index_xinfo(l.name) AS x WHERE l.\"unique\" = 1 AND l.origin <> 'pk' AND "
              "l.partial = 0 AND x.key = 1 ORDER BY l.name COLLATE BINARY, x.seqno",
              table.name);
  if (!rows) return Unexpected(std::move(rows).error());
  std::string index;
  bool has_expression = false;
  std::vector<std::string> columns;
  const auto finish = [&] {
    if (!columns.empty() && !has_expression) table.uniques.push_back(columns);
    columns.clear();
    has_expression = false;
  };
  for (const Row& row : *rows) {
    if (text_at(row, 0) != index) finish();
    index = text_at(row, 0);
    if (number_at(row, 2) < 0) has_expression = true;
    columns.push_back(text_at(row, 1));
  }
  finish();
  std::sort(table.uniques.begin(), table.uniques.end());
  return {};
}

Result<void> read_links(SqliteConnection& connection, CatalogueTable& table) {
  // SQLite lists them last first.
  Result<std::vector<Row>> rows =
      rows_of(connection,
              "SELECT id, seq, \"table\", \"from\", \"to\", on_delete FROM "
              "pragma_foreign_key_list(?1) ORDER BY id DESC, seq",
              table.name);
  if (!rows) return Unexpected(std::move(rows).error());
  std::int64_t last = -1;
  for (const Row& row : *rows) {
    if (number_at(row, 0) != last)
      table.links.push_back({{}, text_at(row, 2), {}, on_delete_of(text_at(row, 5))});
    last = number_at(row, 0);
    table.links.back().columns.push_back(text_at(row, 3));
    if (!is_null(row[4])) table.links.back().target_columns.push_back(text_at(row, 4));
  }
  return {};
}

// Tables as they are spelled where they are made; a link without columns means the key, and one to
// a table that is not there goes.
void complete_links(Catalogue& catalogue) {
  for (CatalogueTable& table : catalogue.tables) {
    for (CatalogueLink& link : table.links) {
      const auto target = std::find_if(catalogue.tables.begin(), catalogue.tables.end(),
                                       [&](const CatalogueTable& one) {
                                         return folded_name(one.name) == folded_name(link.table);
                                       });
      if (target == catalogue.tables.end()) {
        link.target_columns.clear();
        continue;
      }
      link.table = target->name;
      if (link.target_columns.empty()) link.target_columns = target->primary_key;
    }
    std::erase_if(table.links, [](const CatalogueLink& link) {
      return link.columns.size() != link.target_columns.size();
    });
  }
}

}  // namespace

Result<Catalogue> sqlite_catalogue(SqliteConnection& connection) {
  Result<std::vector<Named>> names = table_names(connection);
  if (!names) return Unexpected(std::move(names).error());
  Catalogue catalogue;
  for (const Named& named : *names) {
    CatalogueTable table;
    table.name = named.name;
    table.is_view = named.is_view;
    if (named.is_view && is_broken(connection, named.name)) continue;
    if (Result<void> read = read_columns(connection, named, table); !read)
      return Unexpected(std::move(read).error());
    if (!named.is_view) {
      if (Result<void> read = read_time_forms(connection, table); !read)
        return Unexpected(std::move(read).error());
      if (Result<void> read = read_uuid_key(connection, table); !read)
        return Unexpected(std::move(read).error());
    }
    table.row_number = row_number_of(named, table);
    if (Result<void> read = read_uniques(connection, table); !read)
      return Unexpected(std::move(read).error());
    if (Result<void> read = read_links(connection, table); !read)
      return Unexpected(std::move(read).error());
    read_check_lists(named.sql, table);
    if (named.is_view) {
      table.view_sql = named.sql;
      read_origins(connection, table);
    }
    catalogue.tables.push_back(std::move(table));
  }
  complete_links(catalogue);
  take_time_forms(catalogue);
  return catalogue;
}

}  // namespace alfred
