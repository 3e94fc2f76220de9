#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "records/write/dependents.h"
#include "records/write/row_answer.h"
#include "records/write/write_rows.h"
#include "records/write/write_steps.h"

namespace alfred {
namespace {

// targets.named.size() for a row that was not named
std::size_t place_among_named(const RowTargets& targets, const WrittenRow& row) {
  if (row.effect.table != targets.table) return targets.named.size();
  const auto at = std::find(targets.named.begin(), targets.named.end(), row.effect.key);
  return static_cast<std::size_t>(at - targets.named.begin());
}

JsonObject deleted_answer(const RecordContext& context, const RowTargets& targets,
                          std::span<const WrittenRow> rows) {
  // Rows are told as they were named: where one leads to another they go in another order.
  std::map<std::size_t, const WrittenRow*> named;
  std::vector<const WrittenRow*> also_deleted;
  std::vector<const WrittenRow*> also_updated;
  for (const WrittenRow& row : rows) {
    const std::size_t place = place_among_named(targets, row);
    if (row.effect.kind == RowEffect::Kind::updated)
      also_updated.push_back(&row);
    else if (place < targets.named.size())
      named.emplace(place, &row);
    else
      also_deleted.push_back(&row);
  }
  JsonArray deleted;
  for (const auto& [place, row] : named) deleted.push_back(named_row(context, row->entity));
  const std::size_t count = deleted.size();
  JsonObject answer{{"deleted", std::move(deleted)}, {"count", count}};
  if (count == 0) answer["no_match"] = true;
  if (!also_deleted.empty()) answer["also_deleted"] = side_answer(context, also_deleted);
  if (!also_updated.empty()) answer["also_updated"] = side_answer(context, also_updated);
  return answer;
}

}  // namespace

Result<void> delete_with_dependents(Tx& tx, RecordContext& context, RowWriter& writer,
                                    const Table& table, std::vector<FoundRow> rows) {
  Dependents dependents(tx, context);
  if (Result<void> found = dependents.collect(table, std::move(rows)); !found) return found;
  return dependents.run(writer);
}

Result<RecordOutcome> delete_rows(Tx& tx, RecordContext& context, const Json& params) {
  const Result<WriteParams> call = read_write_params(context, WriteTool::remove, params);
  if (!call) return Unexpected(call.error());
  const Result<RowTargets> targets = targets_of_filters(
      context, *call->table, {call->filters, call->or_filters, context.limits.delete_rows});
  if (!targets) return Unexpected(targets.error());
  return run_write(tx, context, call->is_dry_run, [&]() -> Result<WriteResult> {
    Result<std::vector<FoundRow>> found = lock_targets(tx, *targets);
    if (!found) return Unexpected(std::move(found).error());
    for (const FoundRow& row : *found) {
      if (!call->version) break;
      const Result<void> fresh = check_version(context, *call->table, row.row, *call->version);
      if (!fresh) return Unexpected(fresh.error());
    }
    const Result<MissedRows> missed = missed_rows(tx, context, *targets, *found);
    if (!missed) return Unexpected(missed.error());
    RowWriter writer(tx, context);
    const Result<void> done =
        delete_with_dependents(tx, context, writer, *call->table, std::move(*found));
    if (!done) return Unexpected(done.error());
    if (const Result<void> noted = writer.note(); !noted) return Unexpected(noted.error());
    JsonObject answer = deleted_answer(context, *targets, writer.rows());
    add_texts(answer, "not_matched", missed->not_matched);
    add_texts(answer, "gone", missed->gone);
    add_texts(answer, "repaired", targets->repaired);
    return WriteResult{std::move(answer), writer.take_effects()};
  });
}

}  // namespace alfred
