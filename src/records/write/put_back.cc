// Rows that were deleted come back as they were (row_writer.h, R7).
#include <fmt/format.h>

#include "records/record_keys.h"
#include "records/write/row_writer.h"

namespace alfred {

Result<void> RowWriter::put_back(const Table& table, std::span<const Row* const> rows) {
  std::vector<InsertRow> plans;
  for (const Row* const row : rows) {
    InsertRow plan{&table, {}, columns_of(table).all, true};
    for (std::size_t i = 0; i < table.fields.size(); ++i) {
      const Field& field = table.fields[i];
      const bool is_said = !field.is_computed && (field.has_default || !is_null((*row)[i]));
      if (field.name != table.owner && is_said) plan.values.push_back({&field, (*row)[i]});
    }
    plans.push_back(std::move(plan));
  }
  std::size_t failed_at = 0;
  Result<std::vector<Row>> stored = tx_.insert_all(plans, failed_at);
  if (!stored && error_kind(stored.error().code) == ErrorKind::unavailable)
    return Unexpected(std::move(stored).error());
  for (std::size_t i = 0; stored && i < stored->size(); ++i) {
    if ((*stored)[i] != *rows[i]) break;
    Result<RecordKey> key = RecordKeys::of_row(table, columns_of(table).all, *rows[i]);
    if (!key) return Unexpected(std::move(key).error());
    rows_.push_back({{RowEffect::Kind::created, &table, std::move(*key), item_, std::nullopt,
                      std::move((*stored)[i])}});
    if (i + 1 == rows.size()) return {};
  }
  Unexpected refused = fail(
      ErrorCode::conflict,
      fmt::format("A deleted row of {} cannot be put back: the database does not take it as it "
                  "was. Nothing was done.",
                  table.name));
  if (!stored) refused.value().detail = stored.error().message + " " + stored.error().detail;
  return refused;
}

}  // namespace alfred
