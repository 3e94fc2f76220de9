#include "records/read/row_labels.h"

#include <algorithm>

#include "base/utf8.h"
#include "records/read/linked_keys.h"
#include "records/record_keys.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

constexpr std::size_t kKeysPerQuery = 5000;  // more than that no database takes as parameters

// Names an entity by a text from the database; one that is no text names nothing.
Result<void> keep_label(RefRegistry& registry, LiteralMask& mask, EntityNo entity,
                        const std::string& text) {
  if (text.empty() || !is_utf8(text)) return {};
  const Result<MaskedText> masked = mask.mask(text);
  if (!masked) return Unexpected(masked.error());
  registry.set_label(entity, masked->view());
  return {};
}

}  // namespace

void LinkedLabels::add(const RowFields& fields, const std::vector<const Field*>& columns,
                       const Row& row) {
  for (const Field* field : columns) {
    if (!field->link) continue;
    const Value& link = fields.of(row, field);
    const Table* const table = context_.schema.find(field->link->table);
    if (is_null(link) || table == nullptr || table->label.empty()) continue;
    const Value key = spelt_as_its_row(spellings_, *table, link);
    if (!seen_[table].emplace(value_text(key), true).second) continue;
    auto target = std::find_if(targets_.begin(), targets_.end(),
                               [&](const Target& one) { return one.table == table; });
    if (target == targets_.end()) target = targets_.insert(targets_.end(), Target{table});
    target->keys.push_back(key);
  }
}

Result<void> LinkedLabels::fetch(Tx& tx) {
  for (Target& target : targets_) {
    if (Result<void> ok = fetch(tx, target); !ok) return ok;
    for (const Value& key : target.keys)
      if (Result<void> ok = name(target, key); !ok) return ok;
  }
  return {};
}

Result<void> LinkedLabels::fetch(Tx& tx, Target& target) {
  SelectRows plan;
  plan.table = target.table;
  plan.fields = {target.table->find(target.table->key.front()),
                 target.table->find(target.table->label)};
  plan.where.kind = Condition::Kind::in;
  plan.where.field = plan.fields[0];
  for (std::size_t at = 0; at < target.keys.size(); at += kKeysPerQuery) {
    const auto first = target.keys.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t count = std::min(kKeysPerQuery, target.keys.size() - at);
    plan.where.values.assign(first, first + static_cast<std::ptrdiff_t>(count));
    Result<void> done = tx.scan(plan, [&](const Row& row) -> Result<bool> {
      const auto* const label = std::get_if<std::string>(&row[1]);
      target.label_of.emplace(value_text(row[0]), label == nullptr ? "" : *label);
      return true;
    });
    if (!done) return done;
  }
  return {};
}

Result<void> LinkedLabels::name(const Target& target, const Value& key) {
  RefRegistry& registry = context_.registry;
  const Result<RecordKey> row_key =
      RecordKeys::linked(*target.table->find(target.table->key.front()), key);
  if (!row_key) return {};
  const EntityNo entity = registry.find(target.table->ref, row_key->view());
  if (entity == kNoEntity) return {};
  const auto found = target.label_of.find(value_text(key));
  const bool is_there = found != target.label_of.end();
  if (is_there) {
    if (Result<void> ok = keep_label(registry, mask_, entity, found->second); !ok) return ok;
  } else if (registry.label(entity).empty()) {
    registry.set_label(entity, kGoneLabel);
  }
  const std::string_view label = is_there ? registry.label(entity) : kGoneLabel;
  if (!label.empty()) labels_.insert_or_assign(registry.ref(entity).text(), label);
  return {};
}

Result<void> keep_own_labels(RecordContext& context, const FoundRows& found, std::size_t rows) {
  const Table& table = found.fields.table();
  const Field* const label = table.find(table.label);
  if (label == nullptr || table.key.empty()) return {};
  LiteralMask mask(context.registry);
  for (std::size_t i = 0; i < rows; ++i) {
    const Result<RecordKey> key = RecordKeys::of_row(table, found.fields.list(), found.rows[i]);
    const auto* const text = std::get_if<std::string>(&found.fields.of(found.rows[i], label));
    if (!key || text == nullptr || text->empty()) continue;
    const EntityNo entity = context.registry.find(table.ref, key->view());
    if (entity == kNoEntity) continue;
    if (Result<void> ok = keep_label(context.registry, mask, entity, *text); !ok) return ok;
  }
  return {};
}

}  // namespace alfred
