#include "oracle/table_rules.h"

#include <algorithm>

#include "alfred/refs.h"
#include "pack/ref_names.h"

namespace alfred::oracle {

// A table keeps the type it got first; a type keeps the table it was first used for (D3).
std::optional<ErrorCode> TableRules::type_of(const std::string& table, const std::string& wanted,
                                             std::string& type) {
  for (const ModelType& known : registry_.types) {
    if (known.table != table || table.empty()) continue;
    if (!wanted.empty() && known.name != wanted) return ErrorCode::schema;
    type = known.name;
    return std::nullopt;
  }
  const std::string base = wanted.empty() ? ref_name_of_table(table) : wanted;
  std::string name = base;
  for (int n = 2;; ++n) {
    const ModelType* known = registry_.find_type(name);
    if (known == nullptr || known->table.empty()) break;
    if (!wanted.empty()) return ErrorCode::schema;
    name = base.substr(0, Ref::kMaxTypeBytes - 5) + std::to_string(n);
  }
  type = registry_.type_named(name, table).name;
  return std::nullopt;
}

// A table of that name keeps its type; otherwise it is the type's name that counts.
std::string TableRules::type_of_member(const std::string& name) {
  for (const ModelType& known : registry_.types)
    if (known.table == name && !name.empty()) return known.name;
  return registry_.type_named(ref_name_of_table(name), "").name;
}

std::optional<ErrorCode> TableRules::settle_type(Rules& rules) {
  if (rules.type.empty() && rules.is_member) rules.type = type_of_member(rules.table);
  return rules.type.empty() ? type_of(rules.table, rules.wanted_ref, rules.type) : std::nullopt;
}

std::optional<ErrorCode> TableRules::of_table(const std::string& table, Rules*& found) {
  std::unique_ptr<Rules>& place = known_[table];
  if (place != nullptr) {
    found = place.get();
    return std::nullopt;
  }
  place = std::make_unique<Rules>();
  found = place.get();
  found->table = table;
  found->key = {"id"};
  if (const EntityType* type = types_.find_table(table)) return declare(*found, *type);
  found->columns["id"].use = Column::Use::own_key;
  return std::nullopt;
}

std::optional<ErrorCode> TableRules::of_member(const std::string& name, Rules*& found) {
  if (known_.contains(name) || types_.find_table(name) != nullptr) return of_table(name, found);
  const std::optional<ErrorCode> error = of_table(name, found);
  found->is_member = true;
  return error;
}

std::optional<ErrorCode> TableRules::declare(Rules& rules, const EntityType& type) {
  rules.is_declared = true;
  rules.wanted_ref = type.ref;
  rules.key = type.key;
  if (!type.label.empty()) rules.columns[type.label].label_rank = 0;
  for (const Link& link : type.links) {
    Column& column = rules.columns[link.column];
    column.use = Column::Use::link;
    const auto error = type_of(link.table, types_.find_table(link.table)->ref, column.type);
    if (error) return error;
  }
  for (const Nested& nested : type.nested) {
    Column& column = rules.columns[nested.member];
    column.use = Column::Use::nested;
    if (const auto error = of_table(nested.table, column.rows)) return error;
  }
  if (rules.key.size() == 1 && rules.columns[rules.key[0]].use == Column::Use::copy) {
    rules.columns[rules.key[0]].use = Column::Use::own_key;
    return std::nullopt;
  }
  rules.inserts_ref = !rules.key.empty();
  for (std::size_t i = 0; i < rules.key.size(); ++i) rules.columns[rules.key[i]].key_part = i;
  return std::nullopt;
}

Column& TableRules::column(Rules& rules, const std::string& name) {
  const auto known = rules.columns.find(name);
  if (known != rules.columns.end()) return known->second;
  Column& column = rules.columns[name];
  if (rules.is_declared) return column;
  column.use = Column::Use::open;
  const auto rank = std::find(kGuessedLabelColumns.begin(), kGuessedLabelColumns.end(), name);
  if (rank != kGuessedLabelColumns.end())
    column.label_rank = static_cast<std::size_t>(rank - kGuessedLabelColumns.begin());
  if (name.ends_with("_id")) {
    column.use = Column::Use::link;
    column.type = registry_.type_named(ref_name_of_table(name.substr(0, name.size() - 3)), "").name;
  }
  return column;
}

}  // namespace alfred::oracle
