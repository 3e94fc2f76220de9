#include "oracle/table_rules.h"

#include <algorithm>

#include "alfred/refs.h"
#include "oracle/prose_oracle.h"
#include "pack/ref_names.h"

namespace alfred::oracle {

bool TableRules::is_key(const std::string& name) {
  if (keys_.contains(name) || names_key(name, KnownPieces(registry_))) return true;
  shown_.insert(name);
  return false;
}

std::set<std::string> TableRules::late_keys() const {
  std::set<std::string> late;
  const KnownPieces pieces(registry_);
  for (const std::string& name : shown_)
    if (names_key(name, pieces)) late.insert(name);
  return late;
}

// A table keeps the type it got first; a type keeps the table it was first used for (D3).
std::optional<ErrorCode> TableRules::type_of(const std::string& table, const std::string& wanted,
                                             std::string& type) {
  for (const ModelType& known : registry_.types) {
    if (known.table != table || table.empty()) continue;
    if (!wanted.empty() && known.name != wanted) return ErrorCode::schema;
    type = known.name;
    return std::nullopt;
  }
  const std::string name = wanted.empty() ? ref_name_of_table(table) : wanted;
  const bool is_secret = wanted.empty() && is_key(name);
  const std::string called =
      wanted.empty() ? name_stem(table.substr(table.rfind('.') + 1)) : wanted;
  ModelType* known = wanted.empty() ? registry_.find_called(called) : registry_.find_type(wanted);
  const bool is_free = known != nullptr && known->table.empty() && known->called == called;
  if (known != nullptr && !is_free && !wanted.empty()) return ErrorCode::schema;
  if (is_secret)
    known = &registry_.add_type("row", table, "");
  else if (!is_free)
    known = &registry_.add_type(name, table, known == nullptr ? called : "");
  known->table = table;
  type = known->name;
  return std::nullopt;
}

std::string TableRules::type_called(const std::string& called, const std::string& base) {
  if (const ModelType* known = registry_.find_called(called)) return known->name;
  return registry_.add_type(base, "", called).name;
}

// A table of that name keeps its type; otherwise it is the type's name that counts.
std::string TableRules::type_of_member(const Rules& rules) {
  for (const ModelType& known : registry_.types)
    if (!rules.is_map && known.table == rules.table && !rules.table.empty()) return known.name;
  return type_called(rules.called, rules.base);
}

// A type keeps the key it was first used with.
std::optional<ErrorCode> TableRules::set_key(const std::string& type,
                                             const std::vector<std::string>& key) {
  std::vector<std::string>& known = registry_.find_type(type)->key;
  if (known.empty()) known = key;
  return known == key ? std::nullopt : std::optional(ErrorCode::schema);
}

std::optional<ErrorCode> TableRules::settle_type(Rules& rules) {
  if (!rules.type.empty()) return std::nullopt;
  if (rules.is_member)
    rules.type = type_of_member(rules);
  else if (const auto error = type_of(rules.table, rules.wanted_ref, rules.type))
    return error;
  return set_key(rules.type, rules.key);
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

std::optional<ErrorCode> TableRules::of_member(Rules& parent, const std::string& name,
                                               Rules*& found) {
  if (known_.contains(name) || types_.find_table(name) != nullptr) return of_table(name, found);
  const bool is_number = !name.empty() && name[0] >= '0' && name[0] <= '9';
  if (is_number || is_key(name) || is_key(ref_name_of_table(name))) {
    found = &entries_of(parent);
    return std::nullopt;
  }
  const std::optional<ErrorCode> error = of_table(name, found);
  found->is_member = true;
  found->called = name_stem(name);
  found->base = ref_name_of_table(name);
  return error;
}

Rules& TableRules::entries_of(Rules& parent) {
  if (parent.entries != nullptr) return *parent.entries;
  parent.entries = std::make_unique<Rules>();
  Rules& rules = *parent.entries;
  rules.table = parent.table;
  rules.key = {"id"};
  rules.columns["id"].use = Column::Use::own_key;
  rules.is_member = rules.is_map = true;
  rules.called = "*" + (parent.is_member ? parent.called : "?" + parent.table);
  const std::string name = ref_name_of_table(parent.table);
  rules.base = is_key(name) ? "row" : name.substr(0, 36) + "_row";
  if (parent.is_map) rules.base = parent.base;
  return rules;
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
    if (const auto other = set_key(column.type, types_.find_table(link.table)->key)) return other;
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
  for (const auto& [name, column] : rules.columns) rules.declared.insert(name);
  return std::nullopt;
}

std::optional<ErrorCode> TableRules::column(Rules& rules, const std::string& name, Column*& found) {
  const auto known = rules.columns.find(name);
  found = known != rules.columns.end() ? &known->second : nullptr;
  if (found != nullptr) return std::nullopt;
  Column column;
  if (!rules.is_declared) {
    column.use = Column::Use::open;
    const auto rank = std::find(kGuessedLabelColumns.begin(), kGuessedLabelColumns.end(), name);
    if (rank != kGuessedLabelColumns.end())
      column.label_rank = static_cast<std::size_t>(rank - kGuessedLabelColumns.begin());
    if (const auto error = guess_key(rules, name, column)) return error;
  }
  found = &(rules.columns[name] = column);
  return std::nullopt;
}

std::optional<ErrorCode> TableRules::guess_key(Rules& rules, const std::string& name,
                                               Column& column) {
  std::string lower = name;
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  const std::size_t stem = name.size() - std::min<std::size_t>(name.size(), 2);
  const bool is_camel = lower.ends_with("id") && name[stem] == 'I' && stem > 0 &&
                        name[stem - 1] >= 'a' && name[stem - 1] <= 'z';
  if (lower != "id" && !lower.ends_with("_id") && !is_camel) return std::nullopt;
  column.use = Column::Use::link;
  if (lower == "id") {
    const std::optional<ErrorCode> error = settle_type(rules);
    column.type = rules.type;
    return error;
  }
  const std::string of = name.substr(0, is_camel ? stem : stem - 1);
  const std::string base = ref_name_of_table(of);
  column.type =
      is_key(of) || is_key(base) ? type_called("?" + of, "row") : type_called(name_stem(of), base);
  return std::nullopt;
}

}  // namespace alfred::oracle
