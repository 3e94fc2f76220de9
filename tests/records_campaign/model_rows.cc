// Rows, and the refs they are known by.
#include <algorithm>

#include "model.h"

namespace alfred::campaign {

const Field* link_of(const Table& table, std::string_view column) {
  const Field* const field = table.find(column);
  return field != nullptr && field->link ? field : nullptr;
}

std::string key_column(const Table& table) {
  return table.key.size() == 1 && link_of(table, table.key[0]) == nullptr ? table.key[0] : "";
}

ModelRefs::Entity* ModelRefs::find(const Table& table, const std::string& key) {
  const auto found = by_key.find({table.name, key});
  return found == by_key.end() ? nullptr : &entities[found->second];
}

ModelRefs::Entity& ModelRefs::add(const Table& table, const std::string& key) {
  const std::string ref = table.ref + "_" + std::to_string(++counters[table.ref]);
  by_key[{table.name, key}] = by_ref[ref] = entities.size();
  entities.push_back({&table, key, ref, "", false});
  return entities.back();
}

ModelRefs::Entity& ModelRefs::meet(const Table& table, const std::string& key) {
  Entity* const known = find(table, key);
  return known == nullptr || known->is_deleted ? add(table, key) : *known;
}

ModelRefs::Entity& ModelRefs::meet_linked(const Table& table, const std::string& key) {
  Entity* const known = find(table, key);
  return known == nullptr ? add(table, key) : *known;
}

void Model::put(const std::string& table, ModelRow row) {
  const std::string key = row.key;
  tables_[table][key] = std::make_shared<const ModelRow>(std::move(row));
}

std::vector<RowPtr> Model::visible(std::string_view table, std::string_view user) const {
  std::vector<RowPtr> rows;
  const auto found = tables_.find(table);
  if (found == tables_.end()) return rows;
  for (const auto& [key, row] : found->second)
    if (row->owner.empty() || row->owner == user) rows.push_back(row);
  return rows;
}

std::size_t Model::count(std::string_view table, std::string_view user) const {
  return visible(table, user).size();
}

std::vector<RowPtr> Model::children(const ModelRow& row, const Relation& relation,
                                    std::string_view user) const {
  std::vector<RowPtr> rows = visible(relation.table, user);
  std::erase_if(
      rows, [&](const RowPtr& child) { return child->value(relation.column) != Json(row.key); });
  return rows;
}

}  // namespace alfred::campaign
