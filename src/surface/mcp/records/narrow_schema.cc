#include "surface/mcp/records/narrow_schema.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/quoted_text.h"

namespace alfred::mcp {
namespace {

constexpr std::size_t kMostAllowed = 10;

bool is_among(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<void> check_names(const Schema& schema, std::span<const std::string> tables) {
  for (const std::string& name : tables) {
    if (schema.find(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Table& one : schema.tables())
      if (known.size() < kMostAllowed) known.push_back(one.name);
    return fail(ErrorCode::table, fmt::format("There is no table {} here.", quoted_text(name)),
                "--tables", std::move(known));
  }
  return {};
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

}  // namespace alfred::mcp
