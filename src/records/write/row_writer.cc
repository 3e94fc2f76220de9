#include "records/write/row_writer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/time/iso_time.h"
#include "records/new_key.h"
#include "records/record_keys.h"
#include "records/write/own_actions.h"

namespace alfred {
namespace {

constexpr std::size_t kAtOnce = 500;  // databases take only so many parameters

std::size_t count_rows(std::span<const NewRow> rows) {
  std::size_t count = rows.size();
  for (const NewRow& row : rows)
    for (const NewRow::Nested& nested : row.nested) count += count_rows(nested.rows);
  return count;
}

}  // namespace

// How a column of times spells this one; nothing for columns that hold no times.
std::optional<Value> RowWriter::time_value(const Field& field, std::int64_t wall_ms) {
  if (instant_ms_ != wall_ms || instant_.empty()) {
    instant_ms_ = wall_ms;
    instant_ = rfc3339_utc(wall_ms);
  }
  if (field.type == FieldType::date) return Value(instant_.substr(0, 10));
  if (field.type == FieldType::instant || field.type == FieldType::text) return Value(instant_);
  return std::nullopt;
}

Unexpected at_row(Error error, const std::string& path) {
  error.path = error.path.empty() ? path : path + "." + error.path;
  return Unexpected(std::move(error));
}

std::vector<const Field*> all_fields(const Table& table) {
  std::vector<const Field*> fields;
  fields.reserve(table.fields.size());
  for (const Field& field : table.fields) fields.push_back(&field);
  return fields;
}

const Value& value_in(const Table& table, const Row& row, const Field& field) {
  return row[static_cast<std::size_t>(&field - table.fields.data())];
}

const RowWriter::Columns& RowWriter::columns_of(const Table& table) {
  if (last_table_ == &table) return *last_columns_;
  const auto [place, is_new] = columns_.try_emplace(&table);
  if (is_new)
    place->second = {all_fields(table), table.key.empty() ? nullptr : table.find(table.key.front()),
                     table.find(table.created_at), table.find(table.updated_at)};
  last_table_ = &table;
  last_columns_ = &place->second;
  return place->second;
}

Result<void> RowWriter::check_links(std::span<const NewRow> rows, LinkCheck::Scope scope) {
  LinkCheck check(tx_, context_, scope);
  for (const NewRow& row : rows) check.add(row);
  return check.run();
}

Result<void> RowWriter::check_links(const Table& table, const std::vector<FieldValue>& values,
                                    const std::string& path) {
  LinkCheck check(tx_, context_);
  check.add(table, values, path);
  return check.run();
}

// The key, where it is ours to make.
std::optional<RecordKey> RowWriter::add_key(const Table& table, std::vector<FieldValue>& values) {
  if (table.key_source != KeySource::ours) return std::nullopt;
  RecordKey key = new_uuid_key(context_.clock.wall_ms(), context_.keys_made++, context_.random);
  values.push_back({columns_of(table).key, RecordKeys::value(key)});
  return key;
}

void RowWriter::add_times(const Table& table, std::vector<FieldValue>& values, const Row* before) {
  const std::int64_t now = context_.clock.wall_ms();
  const Field* const created = before == nullptr ? columns_of(table).created_at : nullptr;
  const Field* const updated = columns_of(table).updated_at;
  if (created != nullptr)
    if (std::optional<Value> time = time_value(*created, now))
      values.push_back({created, std::move(*time)});
  if (updated == nullptr || updated == created) return;
  std::int64_t at = now;
  if (before != nullptr)
    if (const auto* old = std::get_if<std::string>(&value_in(table, *before, *updated)))
      if (const std::optional<std::int64_t> old_ms = iso_instant_ms(*old))
        at = std::max(now, *old_ms + 1);
  if (std::optional<Value> time = time_value(*updated, at))
    values.push_back({updated, std::move(*time)});
}

// What a row is made from was generated here, is of the row's type and has no row yet.
Result<void> RowWriter::check_saved_from(const NewRow& row) const {
  if (row.saved_from.empty()) return {};
  const Result<EntityNo> entity = context_.registry.resolve(row.saved_from, row.table->ref);
  if (!entity && entity.error().code == ErrorCode::ref_pending) return {};
  if (!entity) return at_row(entity.error(), row.place());
  return fail(ErrorCode::key_taken,
              fmt::format("{} has a row already: {}. Change that one instead.", row.saved_from,
                          context_.registry.ref(*entity).text()),
              row.place());
}

void RowWriter::reserve(std::span<const NewRow> rows) {
  const std::size_t count = count_rows(rows);
  rows_.reserve(rows_.size() + count);
  planned_.reserve(planned_.size() + count);
  planned_at_.reserve(planned_at_.size() + count);
  planned_from_.reserve(planned_from_.size() + count);
}

Result<void> RowWriter::create(std::span<NewRow> rows) {
  reserve(rows);
  for (NewRow& row : rows)
    if (Result<void> done = create_at(row, {}); !done) return done;
  return write_planned();
}

Result<void> RowWriter::create_at(NewRow& row, const Place& place) {
  const Table& table = *row.table;
  if (Result<void> fits = check_saved_from(row); !fits) return fits;
  InsertRow plan{&table, std::move(row.values), {}};
  plan.values.reserve(table.fields.size());
  if (place.link) plan.values.push_back(*place.link);
  const std::optional<RecordKey> key = add_key(table, plan.values);
  const std::size_t at = rows_.size();
  const RecordKey known = key ? *key : RecordKey::integer(0);  // until it is written
  rows_.push_back({{RowEffect::Kind::created, &table, known, item_, std::nullopt, std::nullopt},
                   row.saved_from,
                   place.relation,
                   place.parent});
  add_times(table, plan.values, nullptr);
  plan.returning = columns_of(table).all;
  planned_.push_back(std::move(plan));
  planned_at_.push_back(at);
  planned_from_.push_back(&row);
  if (!row.nested.empty() && !key)
    if (Result<void> done = write_planned(); !done) return done;
  return create_nested(row, at);
}

// The rows in the one at this place, whose key is known.
Result<void> RowWriter::create_nested(NewRow& row, std::size_t at) {
  for (NewRow::Nested& nested : row.nested) {
    if (nested.rows.empty()) continue;
    const Field* const link = nested.rows.front().table->find(nested.relation->column);
    const Place inside{FieldValue{link, RecordKeys::link_value(*link, rows_[at].effect.key)},
                       nested.relation, at};
    for (NewRow& child : nested.rows)
      if (Result<void> done = create_at(child, inside); !done) return done;
  }
  return {};
}

Result<void> RowWriter::write_planned() {
  if (planned_.empty()) return {};
  std::size_t failed_at = 0;
  Result<std::vector<Row>> stored = tx_.insert_all(planned_, failed_at);
  if (!stored) return at_row(std::move(stored).error(), planned_from_[failed_at]->place());
  for (std::size_t i = 0; i < stored->size(); ++i)
    if (Result<void> done = written(rows_[planned_at_[i]], planned_[i], std::move((*stored)[i]));
        !done)
      return done;
  planned_.clear();
  planned_at_.clear();
  planned_from_.clear();
  return {};
}

Result<void> RowWriter::write_items() {
  put_tables_together();
  return write_planned();
}

// A row leads to rows that were there before, and to its parent: all others may come in any order.
// Those of one depth and table come in theirs.
void RowWriter::put_tables_together() {
  using Group = std::pair<std::size_t, const Table*>;  // depth
  std::vector<std::size_t> depths(rows_.size(), 0);
  std::vector<Group> groups;
  std::vector<std::vector<std::size_t>> members;  // of each group, places among planned_
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    const std::size_t at = planned_at_[i];
    const std::size_t parent = rows_[at].parent;
    depths[at] = parent == kNoParent ? 0 : depths[parent] + 1;
    const Group group{depths[at], planned_[i].table};
    const auto known = std::find(groups.begin(), groups.end(), group);
    if (known == groups.end()) members.emplace_back();
    members[static_cast<std::size_t>(known - groups.begin())].push_back(i);
    if (known == groups.end()) groups.push_back(group);
  }
  if (groups.size() < 2) return;
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return groups[a].first < groups[b].first; });
  std::vector<InsertRow> plans;
  std::vector<std::size_t> places;
  std::vector<const NewRow*> origins;
  plans.reserve(planned_.size());
  places.reserve(planned_.size());
  origins.reserve(planned_.size());
  for (const std::size_t group : order)
    for (const std::size_t i : members[group]) {
      plans.push_back(std::move(planned_[i]));
      places.push_back(planned_at_[i]);
      origins.push_back(planned_from_[i]);
    }
  planned_ = std::move(plans);
  planned_at_ = std::move(places);
  planned_from_ = std::move(origins);
}

// The row is in the database now.
Result<void> RowWriter::written(WrittenRow& row, const InsertRow& plan, Row stored) {
  const Table& table = *plan.table;
  if (stored.size() != table.fields.size())
    return fail(
        ErrorCode::conflict,
        fmt::format(
            "The database did not keep the row of {} as it was written: a rule or a trigger "
            "of its own leaves it out. Nothing was done.",
            table.name));
  Result<RecordKey> key = RecordKeys::of_row(table, columns_of(table).all.fields(), stored);
  if (!key) return Unexpected(std::move(key).error());
  row.effect.key = std::move(*key);
  row.effect.after = std::move(stored);
  return {};
}

Result<const std::vector<ActingLink>*> RowWriter::links_to(const Table& table) {
  const auto known = links_to_.find(&table);
  if (known != links_to_.end()) return &known->second;
  Result<std::vector<ActingLink>> links = tx_.acting_links(table);
  if (!links) return Unexpected(std::move(links).error());
  return &links_to_.emplace(&table, std::move(*links)).first->second;
}

Result<void> RowWriter::change(const Table& table, const RecordKey& key, const Row& before,
                               std::vector<FieldValue> values) {
  add_times(table, values, &before);
  const RecordKey keys[] = {key};
  const DeleteRows itself{&table, RecordKeys::condition(table, keys)};
  const Result<const std::vector<ActingLink>*> links = links_to(table);
  if (!links) return Unexpected(links.error());
  OwnActions actions(tx_, context_.schema, nullptr);
  actions.find(**links, table, before, values);
  if (Result<void> free = actions.before(itself, 1); !free) return free;
  const Result<std::uint64_t> changed = tx_.update({&table, std::move(values), itself.where});
  if (!changed) return Unexpected(changed.error());
  if (Result<void> alone = actions.after(); !alone) return alone;
  if (*changed != 1)
    return fail(
        ErrorCode::conflict,
        fmt::format("The database did not let the row of {} be changed: a rule or a trigger "
                    "of its own leaves it as it is. Nothing was done.",
                    table.name));
  Result<Row> after = read_back(table, key);
  if (!after) return Unexpected(std::move(after).error());
  rows_.push_back({{RowEffect::Kind::updated, &table, key, item_, before, std::move(*after)}});
  return {};
}

Result<Row> RowWriter::read_back(const Table& table, const RecordKey& key) {
  const RecordKey keys[] = {key};
  Result<std::vector<Row>> rows = tx_.select(
      {.table = &table, .fields = all_fields(table), .where = RecordKeys::condition(table, keys)});
  if (!rows) return Unexpected(std::move(rows).error());
  if (rows->size() != 1)
    return fail(
        ErrorCode::conflict,
        fmt::format("The database did not keep the row of {} as it was written.", table.name));
  return std::move(rows->front());
}

Result<void> RowWriter::remove(const Table& table, const Going& going) {
  const std::vector<Doomed>& rows = going.at(&table);
  if (rows.empty()) return {};
  OwnActions actions(tx_, context_.schema, &going);
  if (Result<void> found = actions.find(table); !found) return found;
  std::vector<RecordKey> keys;
  keys.reserve(rows.size());
  for (const Doomed& row : rows) keys.push_back(row.key);
  for (std::size_t from = 0; from < keys.size(); from += kAtOnce) {
    const auto part = std::span(keys).subspan(from, std::min(kAtOnce, keys.size() - from));
    const DeleteRows plan{&table, RecordKeys::condition(table, part)};
    if (Result<void> free = actions.before(plan, part.size()); !free) return free;
    const Result<std::uint64_t> removed = tx_.remove(plan);
    if (!removed) return Unexpected(removed.error());
    if (Result<void> alone = actions.after(); !alone) return alone;
    // Rows that the database removed by itself are not counted; those that are still there are.
    if (*removed == part.size()) continue;
    const Result<std::vector<Row>> left = tx_.select({.table = &table,
                                                      .fields = {table.find(table.key.front())},
                                                      .where = RecordKeys::condition(table, part)});
    if (!left) return Unexpected(left.error());
    if (!left->empty())
      return fail(ErrorCode::conflict,
                  fmt::format("The database did not let {} of the rows of {} be deleted: a rule or "
                              "a trigger of its own keeps them. Nothing was done.",
                              left->size(), table.name));
  }
  for (const Doomed& row : rows)
    rows_.push_back({{RowEffect::Kind::deleted, &table, row.key, item_, row.row, std::nullopt}});
  return {};
}

std::vector<RowEffect> RowWriter::take_effects() {
  std::vector<RowEffect> effects;
  effects.reserve(rows_.size());
  for (WrittenRow& row : rows_) effects.push_back(std::move(row.effect));
  rows_.clear();
  return effects;
}

}  // namespace alfred
