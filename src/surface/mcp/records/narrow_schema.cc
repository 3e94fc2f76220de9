#include "surface/mcp/records/narrow_schema.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "records/refused_null.h"

namespace alfred::mcp {
namespace {

bool is_among(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<void> check_names(const Schema& schema, std::span<const std::string> tables) {
  for (const std::string& name : tables) {
    if (schema.find(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Table& one : schema.tables()) known.push_back(one.name);
    return fail_listing(ErrorCode::table,
                        fmt::format("There is no table {} here.", quoted_text(name)), "--tables",
                        std::move(known));
  }
  return {};
}

// Rows of a table that stays cannot be named without the tables that their key is made of.
Result<void> check_keys(const Schema& schema, std::span<const std::string> tables) {
  std::vector<std::string> missing;
  std::string why;
  for (const Table& table : schema.tables())
    for (const Field& field : table.fields) {
      if (!is_among(tables, table.name) || !table.is_key(field.name) || !field.link) continue;
      const std::string& other = field.link->table;
      if (is_among(tables, other) || is_among(missing, other)) continue;
      missing.push_back(other);
      why += fmt::format("{}{} names its rows by {}, which leads to {}", why.empty() ? "" : "; ",
                         table.name, field.name, other);
    }
  if (missing.empty()) return {};
  return fail(ErrorCode::usage,
              fmt::format("--tables leaves out {0}: {1}. Add {0}, or leave out what needs it: "
                          "--tables {2},{3}",
                          fmt::join(missing, " and "), why, fmt::join(tables, ","),
                          fmt::join(missing, ",")),
              "--tables");
}

// R1, for one that stays.
void cut_leads(Table& table, std::span<const std::string> kept) {
  std::vector<std::string> gone;
  for (Field& field : table.fields) {
    if (!field.link || is_among(kept, field.link->table)) continue;
    field.link.reset();
    field.is_hidden = true;
    gone.push_back(field.name);
  }
  for (const Relation& relation : table.relations)
    if (!is_among(kept, relation.table)) gone.push_back(relation.member);
  std::erase_if(table.relations,
                [&](const Relation& relation) { return !is_among(kept, relation.table); });
  std::erase_if(table.searched, [&](const std::string& path) {
    return is_among(gone, path.substr(0, path.find('.')));
  });
}

}  // namespace

Result<std::shared_ptr<const Schema>> narrow_schema(const Schema& schema,
                                                    std::span<const std::string> tables,
                                                    bool is_read_only) {
  if (Result<void> known = check_names(schema, tables); !known) return Unexpected(known.error());
  if (!tables.empty())
    if (Result<void> whole = check_keys(schema, tables); !whole) return Unexpected(whole.error());
  std::vector<Table> left;
  for (const Table& table : schema.tables()) {
    if (!tables.empty() && !is_among(tables, table.name)) continue;
    left.push_back(table);
    if (!tables.empty()) cut_leads(left.back(), tables);
    if (is_read_only) left.back().is_read_only = true;
  }
  Result<Schema> made = Schema::make(std::move(left));
  if (!made) return Unexpected(made.error());
  return std::make_shared<const Schema>(std::move(*made));
}

Error with_hidden_columns(Error error, const Table& table) {
  if (!is_refused_null(error)) return error;
  // One that is not hidden is named at the end of the path, and can be given.
  const std::string_view last = std::string_view(error.path).substr(error.path.rfind('.') + 1);
  if (const Field* const named = table.find(last); named != nullptr && !named->is_hidden)
    return error;
  std::vector<std::string> names;
  for (const Field& field : table.fields) {
    const bool is_filled = field.is_nullable || field.has_default || field.default_value ||
                           field.is_computed || field.name == table.owner;
    if (field.is_hidden && !is_filled) names.push_back(field.name);
  }
  if (names.empty()) return error;
  error.message = fmt::format(
      "Rows cannot be added to {0} here: {1} {2} a value and cannot be given, since what leads to "
      "a table that is left out is hidden. Tell the user to start the server with that table "
      "among --tables, or to add the row elsewhere.",
      table.name, fmt::join(names, " and "), names.size() == 1 ? "needs" : "need");
  return error;
}

}  // namespace alfred::mcp
