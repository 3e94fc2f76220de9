#include "records/write/row_writer.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/iso_time.h"
#include "records/new_key.h"
#include "records/record_keys.h"

namespace alfred {
namespace {

// How a column of times spells this one; nothing for columns that hold no times.
std::optional<Value> time_value(const Field& field, std::int64_t wall_ms) {
  const std::string instant = rfc3339_utc(wall_ms);
  if (field.type == FieldType::date) return Value(instant.substr(0, 10));
  if (field.type == FieldType::instant || field.type == FieldType::text) return Value(instant);
  return std::nullopt;
}

}  // namespace

Unexpected at_row(Error error, const std::string& path) {
  error.path = error.path.empty() ? path : path + "." + error.path;
  return Unexpected(std::move(error));
}

std::vector<const Field*> all_fields(const Table& table) {
  std::vector<const Field*> fields;
  for (const Field& field : table.fields) fields.push_back(&field);
  return fields;
}

const Value& value_in(const Table& table, const Row& row, const Field& field) {
  return row[static_cast<std::size_t>(&field - table.fields.data())];
}

void RowWriter::collect_links(const NewRow& row, std::vector<LinkUse>& uses) {
  for (const FieldValue& one : row.values)
    if (one.field->link && !is_null(one.value))
      uses.push_back({one.field, one.value, row.path + "." + one.field->name});
  for (const NewRow::Nested& nested : row.nested)
    for (const NewRow& child : nested.rows) collect_links(child, uses);
}

Result<void> RowWriter::check_links(std::span<const NewRow> rows) {
  std::vector<LinkUse> uses;
  for (const NewRow& row : rows) collect_links(row, uses);
  return check_uses(uses);
}

Result<void> RowWriter::check_links(const std::vector<FieldValue>& values,
                                    const std::string& path) {
  std::vector<LinkUse> uses;
  for (const FieldValue& one : values)
    if (one.field->link && !is_null(one.value))
      uses.push_back({one.field, one.value, path + "." + one.field->name});
  return check_uses(uses);
}

Result<void> RowWriter::check_uses(const std::vector<LinkUse>& uses) {
  std::map<std::string, std::vector<LinkUse>> by_table;
  for (const LinkUse& use : uses) by_table[use.field->link->table].push_back(use);
  for (const auto& [name, of_table] : by_table) {
    const Table* const target = context_.schema.find(name);
    if (target == nullptr) return fail(ErrorCode::bug, "a link leads to no table");
    if (const Result<void> there = check_target(*target, of_table); !there) return there;
  }
  return {};
}

// One query for all links to a table.
Result<void> RowWriter::check_target(const Table& target, const std::vector<LinkUse>& uses) {
  const Field* const key = target.find(target.key.front());
  Condition where{.kind = Condition::Kind::in, .field = key};
  for (const LinkUse& use : uses)
    if (std::find(where.values.begin(), where.values.end(), use.value) == where.values.end())
      where.values.push_back(use.value);
  const Result<std::vector<Row>> found =
      tx_.select({.table = &target, .fields = {key}, .where = std::move(where)});
  if (!found) return Unexpected(found.error());
  for (const LinkUse& use : uses) {
    const bool is_there = std::any_of(found->begin(), found->end(),
                                      [&](const Row& row) { return row[0] == use.value; });
    if (!is_there)
      return fail(ErrorCode::value,
                  fmt::format("The row that {} would lead to is not there any more. Read {} again.",
                              use.field->name, target.name),
                  use.path);
  }
  return {};
}

void RowWriter::add_key(const Table& table, std::vector<FieldValue>& values) {
  if (table.key_source != KeySource::ours) return;
  const RecordKey key =
      new_uuid_key(context_.clock.wall_ms(), context_.keys_made++, context_.random);
  values.push_back({table.find(table.key.front()), RecordKeys::values(table, key).front()});
}

void RowWriter::add_times(const Table& table, std::vector<FieldValue>& values, const Row* before) {
  const std::int64_t now = context_.clock.wall_ms();
  const Field* const created = before == nullptr ? table.find(table.created_at) : nullptr;
  const Field* const updated = table.find(table.updated_at);
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
  if (!entity) return at_row(entity.error(), row.path);
  return fail(ErrorCode::key_taken,
              fmt::format("{} has a row already: {}. Change that one instead.", row.saved_from,
                          context_.registry.ref(*entity).text()),
              row.path);
}

Result<void> RowWriter::create(const NewRow& row) { return create_at(row, {}); }

Result<void> RowWriter::create_at(const NewRow& row, const Place& place) {
  const Table& table = *row.table;
  if (const Result<void> fits = check_saved_from(row); !fits) return fits;
  std::vector<FieldValue> values = row.values;
  if (place.link) values.push_back(*place.link);
  add_key(table, values);
  Result<std::optional<Row>> there = find_crashed(table, values);
  if (!there) return at_row(std::move(there).error(), row.path);
  if (!*there) {
    add_times(table, values, nullptr);
    Result<Row> inserted = tx_.insert({&table, std::move(values), all_fields(table)});
    if (!inserted) return at_row(std::move(inserted).error(), row.path);
    *there = std::move(*inserted);
  }
  Result<RecordKey> key = RecordKeys::of_row(table, all_fields(table), **there);
  if (!key) return Unexpected(std::move(key).error());
  const std::size_t at = rows_.size();
  rows_.push_back(
      {{RowEffect::Kind::created, &table, *key, item_, std::nullopt, std::move(**there)},
       row.saved_from,
       place.relation,
       place.parent});
  for (const NewRow::Nested& nested : row.nested) {
    for (const NewRow& child : nested.rows) {
      const Field* const link = child.table->find(nested.relation->column);
      const FieldValue to_parent{link, RecordKeys::link_value(*link, *key)};
      if (const Result<void> done = create_at(child, {to_parent, nested.relation, at}); !done)
        return done;
    }
  }
  return {};
}

Result<void> RowWriter::change(const Table& table, const RecordKey& key, const Row& before,
                               std::vector<FieldValue> values) {
  add_times(table, values, &before);
  const RecordKey keys[] = {key};
  const Result<std::uint64_t> changed =
      tx_.update({&table, std::move(values), RecordKeys::condition(table, keys)});
  if (!changed) return Unexpected(changed.error());
  if (*changed != 1)
    return fail(ErrorCode::conflict,
                fmt::format("The database did not let the row of {} be changed.", table.name));
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

Result<void> RowWriter::remove(const Table& table, std::span<const Doomed> rows) {
  constexpr std::size_t kAtOnce = 500;  // databases take only so many parameters
  std::vector<RecordKey> keys;
  for (const Doomed& row : rows) keys.push_back(row.key);
  for (std::size_t from = 0; from < keys.size(); from += kAtOnce) {
    const auto part = std::span(keys).subspan(from, std::min(kAtOnce, keys.size() - from));
    const Result<std::uint64_t> removed = tx_.remove({&table, RecordKeys::condition(table, part)});
    if (!removed) return Unexpected(removed.error());
  }
  for (const Doomed& row : rows)
    rows_.push_back({{RowEffect::Kind::deleted, &table, row.key, item_, row.row, std::nullopt}});
  return {};
}

std::vector<RowEffect> RowWriter::take_effects() {
  std::vector<RowEffect> effects;
  for (WrittenRow& row : rows_) effects.push_back(std::move(row.effect));
  rows_.clear();
  return effects;
}

}  // namespace alfred
