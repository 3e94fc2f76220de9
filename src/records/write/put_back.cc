// Rows that were deleted come back as they were (row_writer.h, R7).
#include <utility>

#include <fmt/format.h>

#include "records/record_keys.h"
#include "records/write/row_writer.h"

namespace alfred {
namespace {

Unexpected not_taken(const Table& table, const Error* why) {
  Unexpected refused = fail(
      ErrorCode::conflict,
      fmt::format("A deleted row of {} cannot be put back: the database does not take it as it "
                  "was. Nothing was done.",
                  table.name));
  if (why != nullptr) refused.value().detail = why->message + " " + why->detail;
  return refused;
}

bool is_unavailable(const Error& error) { return error_kind(error.code) == ErrorKind::unavailable; }

InsertRow plan_of(const Table& table, const Row& row, const FieldList& all) {
  InsertRow plan{&table, {}, all, true};
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const Field& field = table.fields[i];
    const bool is_said = !field.is_computed && (field.has_default || !is_null(row[i]));
    if (field.name != table.owner && is_said) plan.values.push_back({&field, row[i]});
  }
  return plan;
}

}  // namespace

// Rows that lead to each other in a circle went together, so none of them can come first with its
// links: those that lead to what is still to come are left out, where they may be.
std::vector<FieldValue> RowWriter::take_awaited_links(std::size_t row, InsertRow& plan,
                                                      const IsAwaited& is_awaited) const {
  std::vector<FieldValue> taken;
  for (FieldValue& one : plan.values) {
    const Field& field = *one.field;
    if (!field.link || !field.is_nullable || is_null(one.value)) continue;
    if (plan.table->is_key(field.name)) continue;
    const Table* const target = context_.schema.find(field.link->table);
    const Result<RecordKey> key = RecordKeys::linked(field, one.value);
    if (target == nullptr || !key || !is_awaited(row, *target, *key)) continue;
    taken.push_back(one);
    one.value = Value();
  }
  return taken;
}

Result<void> RowWriter::put_back(const Table& table, std::span<const Row* const> rows,
                                 const IsAwaited& is_awaited) {
  std::vector<InsertRow> plans;
  std::vector<Row> expected;
  const std::size_t first = rows_.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    plans.push_back(plan_of(table, *rows[i], columns_of(table).all));
    expected.push_back(*rows[i]);
    std::vector<FieldValue> links = take_awaited_links(i, plans.back(), is_awaited);
    for (const FieldValue& link : links)
      expected.back()[static_cast<std::size_t>(link.field - table.fields.data())] = Value();
    if (!links.empty()) unlinked_.push_back({first + i, rows[i], std::move(links)});
  }
  std::size_t failed_at = 0;
  Result<std::vector<Row>> stored = tx_.insert_all(plans, failed_at);
  if (!stored && is_unavailable(stored.error())) return Unexpected(std::move(stored).error());
  if (!stored) return not_taken(table, &stored.error());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= stored->size() || (*stored)[i] != expected[i]) return not_taken(table, nullptr);
    Result<RecordKey> key = RecordKeys::of_row(table, columns_of(table).all.fields(), *rows[i]);
    if (!key) return Unexpected(std::move(key).error());
    rows_.push_back({{RowEffect::Kind::created, &table, std::move(*key), item_, std::nullopt,
                      std::move((*stored)[i])}});
  }
  return {};
}

Result<void> RowWriter::relink() {
  for (Unlinked& row : std::exchange(unlinked_, {})) {
    RowEffect& effect = rows_[row.at].effect;
    const RecordKey keys[] = {effect.key};
    const Result<std::uint64_t> changed = tx_.update(
        {effect.table, std::move(row.links), RecordKeys::condition(*effect.table, keys)});
    if (!changed && is_unavailable(changed.error())) return Unexpected(changed.error());
    if (!changed) return not_taken(*effect.table, &changed.error());
    Result<Row> now = read_back(*effect.table, effect.key);
    if (!now && is_unavailable(now.error())) return Unexpected(std::move(now).error());
    if (!now || *now != *row.whole) return not_taken(*effect.table, now ? nullptr : &now.error());
    effect.after = std::move(*now);
  }
  return {};
}

}  // namespace alfred
