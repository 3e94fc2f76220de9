#include "records/write/row_targets.h"

#include <algorithm>

#include <fmt/format.h>

#include "records/field_value.h"
#include "records/filter/filter_reader.h"
#include "records/record_keys.h"

namespace alfred {
namespace {

// Whether a test names rows of the table by their key.
bool names_rows(const Table& table, const FilterNode& node) {
  if (node.kind != FilterNode::Kind::test) return false;
  if (node.op != FilterOp::eq && node.op != FilterOp::in) return false;
  if (!node.key_fields.empty()) return true;
  return table.key.size() == 1 && node.field != nullptr && node.field->name == table.key.front();
}

// A key that a pack names, or that a child of an inherited table repeats, may be that of several
// rows.
Result<void> check_one_each(const Table& table, const std::vector<RowWriter::Doomed>& rows) {
  for (auto row = rows.begin(); row != rows.end(); ++row)
    if (std::any_of(rows.begin(), row, [&](const auto& other) { return other.key == row->key; }))
      return fail(ErrorCode::conflict,
                  fmt::format("Several rows of {} have the same key, so a ref names more than one "
                              "of them. Nothing was done. Change them by hand, or have them named "
                              "by a key that is each row's own.",
                              table.name),
                  "filters");
  return {};
}

// The first test that names rows, among those that must all hold.
const FilterNode* find_naming(const Table& table, const FilterNode& node) {
  if (names_rows(table, node)) return &node;
  if (node.kind != FilterNode::Kind::all) return nullptr;
  for (const FilterNode& part : node.parts)
    if (const FilterNode* found = find_naming(table, part)) return found;
  return nullptr;
}

bool has_empty_list(const FilterNode& node) {
  const bool is_list = node.op == FilterOp::in || node.op == FilterOp::not_in;
  if (node.kind == FilterNode::Kind::test) return is_list && node.values.empty();
  return std::any_of(node.parts.begin(), node.parts.end(), has_empty_list);
}

Result<std::vector<RecordKey>> keys_named(const Table& table, const FilterNode& node) {
  std::vector<const Field*> fields;
  fields.reserve(table.key.size());
  for (const std::string& column : table.key) fields.push_back(table.find(column));
  std::vector<RecordKey> keys;
  for (std::size_t at = 0; at + fields.size() <= node.values.size(); at += fields.size()) {
    const auto from = node.values.begin() + static_cast<std::ptrdiff_t>(at);
    const Row row(from, from + static_cast<std::ptrdiff_t>(fields.size()));
    Result<RecordKey> key = RecordKeys::of_row(table, fields, row);
    if (!key) return Unexpected(std::move(key).error());
    keys.push_back(std::move(*key));
  }
  return keys;
}

Unexpected no_rows_named(const Table& table) {
  return fail(
      ErrorCode::filter_required,
      fmt::format("Name the rows of {} by their refs: a filter on the key with = or in, such "
                  "as {}_1. Read first; other filters only narrow.",
                  table.name, table.ref),
      "filters");
}

Result<void> check_tests(const Table& table, const RowFilter& filter) {
  if (!filter.searches().empty())
    return fail(ErrorCode::op,
                "similar finds rows to read. Read first, then name the rows by their refs.",
                "filters", {"=", "in"});
  if (has_empty_list(filter.root()))
    return fail(
        ErrorCode::value,
        fmt::format("An empty list names no rows of {}. Give the refs that are meant.", table.name),
        "filters");
  return {};
}

}  // namespace

Result<RowTargets> targets_of_filters(RecordContext& context, const Table& table,
                                      const TargetCall& call) {
  FilterReader reader(context, table);
  JsonObject moved;
  const Result<FilterCall> shaped =
      reader.shape({call.filters, call.or_filters}, JsonObject(), moved);
  if (!shaped) return Unexpected(shaped.error());
  if (!moved.empty())
    return fail(ErrorCode::schema,
                "A write has filters, and no limit or order: it changes the rows it names.",
                "filters");
  Result<FilterReading> reading = reader.read(*shaped);
  if (!reading) return Unexpected(std::move(reading).error());
  if (const Result<void> fits = check_tests(table, reading->filter); !fits)
    return Unexpected(fits.error());
  const FilterNode* const naming = find_naming(table, reading->filter.root());
  if (naming == nullptr) return no_rows_named(table);
  Result<std::vector<RecordKey>> keys = keys_named(table, *naming);
  if (!keys) return Unexpected(std::move(keys).error());
  if (keys->size() > call.cap)
    return fail(
        ErrorCode::limit,
        fmt::format("{} rows are named; one call changes at most {}. Nothing was done; split "
                    "it.",
                    keys->size(), call.cap),
        "filters");
  return RowTargets{&table, std::move(*keys), std::move(reading->filter),
                    std::move(reading->repaired)};
}

Result<RecordKey> target_of_ref(const RecordContext& context, const Table& table, const Json& ref,
                                const std::string& path) {
  if (!ref.is_string())
    return fail(ErrorCode::ref_syntax,
                fmt::format("A row is named by its ref, such as {}_1, as it was shown.", table.ref),
                path, context.registry.known_refs(table.ref));
  const Result<EntityNo> entity = context.registry.resolve(ref.as_string(), table.ref);
  if (entity) return RecordKey(context.registry.key(*entity));
  Error error = entity.error();
  error.path = path;
  return Unexpected(std::move(error));
}

RowTargets targets_of_keys(const Table& table, std::vector<RecordKey> keys) {
  return RowTargets{&table, std::move(keys)};
}

Result<std::vector<FoundRow>> lock_targets(Tx& tx, const RowTargets& targets) {
  const Table& table = *targets.table;
  RowFields fields(table);
  for (const Field& field : table.fields) fields.add(&field);
  SelectRows plan{.table = &table, .fields = all_fields(table)};
  plan.where.parts = {RecordKeys::condition(table, targets.named),
                      targets.filter.pushed().condition};
  plan.is_for_update = true;
  const Result<std::vector<Row>> rows = tx.select(plan);
  if (!rows) return Unexpected(rows.error());
  std::vector<FoundRow> found;
  for (const Row& row : *rows) {
    if (!targets.filter.rest(fields, row, {})) continue;
    Result<RecordKey> key = RecordKeys::of_row(table, plan.fields, row);
    if (!key) return Unexpected(std::move(key).error());
    // A database may take 1 for '1': that is another row than the one that was named.
    if (std::find(targets.named.begin(), targets.named.end(), *key) == targets.named.end())
      continue;
    found.push_back({std::move(*key), row});
  }
  if (Result<void> one_each = check_one_each(table, found); !one_each)
    return Unexpected(one_each.error());
  const auto place = [&](const FoundRow& row) {
    return std::find(targets.named.begin(), targets.named.end(), row.key);
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const FoundRow& a, const FoundRow& b) { return place(a) < place(b); });
  return found;
}

Result<void> check_version(const RecordContext& context, const Table& table, const Row& row,
                           const std::string& version) {
  const Field* const field = table.find(table.updated_at);
  if (field == nullptr)
    return fail(ErrorCode::schema,
                fmt::format("The rows of {} have no version. Leave it out.", table.name),
                "version");
  // A database of somebody else's may spell its times in another way; what was shown is good.
  if (value_in(table, row, *field) == Value(version)) return {};
  const Result<Value> given = read_field_value(*field, Json(version), "version", context.limits);
  if (!given) return Unexpected(given.error());
  if (value_in(table, row, *field) == *given) return {};
  return fail(
      ErrorCode::stale,
      fmt::format("A row of {} was changed since the version given was read. Read it again, "
                  "then decide.",
                  table.name),
      "version");
}

Result<MissedRows> missed_rows(Tx& tx, const RecordContext& context, const RowTargets& targets,
                               const std::vector<FoundRow>& found) {
  const auto is_in = [](const std::vector<FoundRow>& rows, const RecordKey& key) {
    return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.key == key; });
  };
  std::vector<RecordKey> missed;
  for (const RecordKey& key : targets.named)
    if (!is_in(found, key)) missed.push_back(key);
  if (missed.empty()) return MissedRows();
  const Result<std::vector<FoundRow>> there =
      lock_targets(tx, targets_of_keys(*targets.table, missed));
  if (!there) return Unexpected(there.error());
  MissedRows refs;
  for (const RecordKey& key : missed) {
    const EntityNo entity = context.registry.find(targets.table->ref, key.view());
    if (entity == kNoEntity) continue;
    refs.not_matched.emplace_back(context.registry.ref(entity).text());
    if (!is_in(*there, key)) refs.gone.push_back(refs.not_matched.back());
  }
  return refs;
}

}  // namespace alfred
