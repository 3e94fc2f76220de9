#include "records/read/linked_keys.h"

#include <algorithm>
#include <set>

namespace alfred {
namespace {

constexpr std::size_t kKeysPerQuery = 5000;  // more than that no database takes as parameters

class LinkedKeys {
 public:
  explicit LinkedKeys(const Schema& schema) : schema_(schema) {}

  void add(const RowFields& fields, const std::vector<const Field*>& columns,
           const std::vector<Row>& rows) {
    for (std::size_t at = 0; at < fields.list().size(); ++at) {
      const Field* const field = fields.list()[at];
      if (std::find(columns.begin(), columns.end(), field) != columns.end()) add(*field, at, rows);
    }
  }
  void add(const Field& link, std::size_t at, const std::vector<Row>& rows) {
    if (!may_be_spelt_otherwise(link)) return;
    const Table* const target = schema_.find(link.link->table);
    if (target == nullptr) return;
    for (const Row& row : rows)
      if (const auto* const text = std::get_if<std::string>(&row[at]))
        links_[target][key_text(link, row[at])].insert(*text);
  }

  Result<LinkSpellings> fetch(Tx& tx) const {
    LinkSpellings spellings;
    for (const auto& [table, links] : links_) {
      std::map<std::string, std::string, std::less<>> otherwise;
      if (Result<void> done = fetch(tx, *table, links, otherwise); !done)
        return Unexpected(done.error());
      if (!otherwise.empty()) spellings.emplace(table->ref, std::move(otherwise));
    }
    return spellings;
  }

 private:
  // What the database takes for one key → how it is spelt.
  using Links = std::map<std::string, std::set<std::string>>;

  static Result<void> fetch(Tx& tx, const Table& table, const Links& links,
                            std::map<std::string, std::string, std::less<>>& otherwise) {
    const Field* const key = table.find(table.key.front());
    SelectRows plan{.table = &table, .fields = {key}};
    plan.where = {.kind = Condition::Kind::in, .field = key};
    const auto look = [&] {
      return tx.scan(plan, [&](const Row& row) -> Result<bool> {
        const auto* const own = std::get_if<std::string>(&row[0]);
        const auto same = own == nullptr ? links.end() : links.find(key_text(*key, row[0]));
        if (same == links.end()) return true;
        for (const std::string& spelt : same->second)
          if (spelt != *own) otherwise.insert_or_assign(spelt, *own);
        return true;
      });
    };
    for (const auto& [name, spelt] : links) {
      plan.where.values.emplace_back(*spelt.begin());
      if (plan.where.values.size() < kKeysPerQuery) continue;
      if (Result<void> done = look(); !done) return done;
      plan.where.values.clear();
    }
    return plan.where.values.empty() ? Result<void>() : look();
  }

  const Schema& schema_;
  std::map<const Table*, Links> links_;
};

}  // namespace

bool may_be_spelt_otherwise(const Field& field) {
  return field.link && field.match != TextMatch::bytes;
}

Value spelt_as_its_row(const LinkSpellings& spellings, const Table& target, const Value& link) {
  const auto of_type = spellings.find(target.ref);
  const auto* const text = std::get_if<std::string>(&link);
  if (text == nullptr || of_type == spellings.end()) return link;
  const auto found = of_type->second.find(*text);
  return found == of_type->second.end() ? link : Value(found->second);
}

Result<void> name_linked_column(Tx& tx, const Schema& schema, const Field& link, std::size_t at,
                                std::vector<Row>& rows) {
  const Table* const target = schema.find(link.link->table);
  if (target == nullptr) return {};
  LinkedKeys keys(schema);
  keys.add(link, at, rows);
  const Result<LinkSpellings> spellings = keys.fetch(tx);
  if (!spellings) return Unexpected(spellings.error());
  for (Row& row : rows) row[at] = spelt_as_its_row(*spellings, *target, row[at]);
  return {};
}

Result<LinkSpellings> spellings_of_links(Tx& tx, const Schema& schema,
                                         const std::vector<const Field*>& columns,
                                         const FoundRows& found,
                                         const std::vector<NestedRows>& nested) {
  LinkedKeys keys(schema);
  keys.add(found.fields, columns, found.rows);
  for (const NestedRows& one : nested)
    for (const auto& [parent, rows] : one.of) keys.add(one.fields, one.columns, rows);
  return keys.fetch(tx);
}

}  // namespace alfred
