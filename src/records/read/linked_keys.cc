#include "records/read/linked_keys.h"

#include <algorithm>
#include <functional>

namespace alfred {
namespace {

constexpr std::size_t kKeysPerQuery = 5000;  // more than that no database takes as parameters

class LinkedKeys {
 public:
  explicit LinkedKeys(const Schema& schema) : schema_(schema) {}

  // Visits the links of these columns that may be spelt otherwise.
  using Visit = std::function<void(const Table& target, const Field& link, std::size_t at)>;
  void each_link(const Table& table, const RowFields& fields,
                 const std::vector<const Field*>& columns, const Visit& visit) const {
    for (std::size_t at = 0; at < fields.list().size(); ++at) {
      const Field* const field = fields.list()[at];
      if (!may_be_spelt_otherwise(table, *field)) continue;
      if (std::find(columns.begin(), columns.end(), field) == columns.end()) continue;
      if (const Table* const target = schema_.find(field->link->table)) visit(*target, *field, at);
    }
  }

  void add(const Table& table, const RowFields& fields, const std::vector<const Field*>& columns,
           const std::vector<Row>& rows) {
    each_link(table, fields, columns, [&](const Table& target, const Field& link, std::size_t at) {
      for (const Row& row : rows) add(target, link, row[at]);
    });
  }

  void add(const Table& target, const Field& link, const Value& value) {
    if (!is_null(value)) keys_[&target].try_emplace(key_text(link, value), value);
  }

  bool are_none() const { return keys_.empty(); }

  Result<void> fetch(Tx& tx) {
    for (auto& [table, keys] : keys_) {
      SelectRows plan{.table = table, .fields = {table->find(table->key.front())}};
      plan.where = {.kind = Condition::Kind::in, .field = plan.fields.front()};
      std::vector<Value> wanted;
      for (const auto& [name, value] : keys) wanted.push_back(value);
      for (std::size_t from = 0; from < wanted.size(); from += kKeysPerQuery) {
        const auto first = wanted.begin() + static_cast<std::ptrdiff_t>(from);
        const std::size_t count = std::min(kKeysPerQuery, wanted.size() - from);
        plan.where.values.assign(first, first + static_cast<std::ptrdiff_t>(count));
        Result<void> done = tx.scan(plan, [&](const Row& row) -> Result<bool> {
          keys.insert_or_assign(key_text(*plan.fields.front(), row[0]), row[0]);
          return true;
        });
        if (!done) return done;
      }
    }
    return {};
  }

  bool put(const Table& table, const RowFields& fields, const std::vector<const Field*>& columns,
           std::vector<Row>& rows) const {
    bool has_changed = false;
    each_link(table, fields, columns, [&](const Table& target, const Field& link, std::size_t at) {
      for (Row& row : rows) has_changed = put(target, link, row[at]) || has_changed;
    });
    return has_changed;
  }

  // Whether it is spelt otherwise now.
  bool put(const Table& target, const Field& link, Value& value) const {
    if (is_null(value)) return false;
    const Value& key = keys_.at(&target).at(key_text(link, value));
    if (key == value) return false;
    value = key;
    return true;
  }

 private:
  const Schema& schema_;
  std::map<const Table*, std::map<std::string, Value>> keys_;
};

}  // namespace

bool may_be_spelt_otherwise(const Table& table, const Field& field) {
  return field.link && field.match != TextMatch::bytes && !table.is_key(field.name);
}

Result<void> name_linked_column(Tx& tx, const Schema& schema, const Field& link, std::size_t at,
                                std::vector<Row>& rows) {
  const Table* const target = schema.find(link.link->table);
  if (target == nullptr) return {};
  LinkedKeys keys(schema);
  for (const Row& row : rows) keys.add(*target, link, row[at]);
  if (Result<void> done = keys.fetch(tx); !done) return done;
  for (Row& row : rows) keys.put(*target, link, row[at]);
  return {};
}

Result<std::vector<Row>> name_linked_keys(Tx& tx, const Schema& schema, const Table& table,
                                          const std::vector<const Field*>& columns,
                                          FoundRows& found, std::vector<NestedRows>& nested) {
  LinkedKeys keys(schema);
  const auto child = [&](const NestedRows& one) -> const Table& {
    return *schema.find(one.relation->table);
  };
  keys.add(table, found.fields, columns, found.rows);
  for (const NestedRows& one : nested)
    for (const auto& [parent, rows] : one.of) keys.add(child(one), one.fields, one.columns, rows);
  if (keys.are_none()) return std::vector<Row>();
  if (Result<void> done = keys.fetch(tx); !done) return Unexpected(done.error());
  for (NestedRows& one : nested)
    for (auto& [parent, rows] : one.of) keys.put(child(one), one.fields, one.columns, rows);
  std::vector<Row> stored = found.rows;
  if (!keys.put(table, found.fields, columns, found.rows)) stored.clear();
  return stored;
}

}  // namespace alfred
