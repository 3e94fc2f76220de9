#include <fmt/format.h>

#include "records/write/row_answer.h"
#include "records/write/write_call.h"
#include "records/write/write_rows.h"

namespace alfred {
namespace {

Result<std::vector<NewRow>> read_rows_to_create(const RecordContext& context,
                                                const WriteParams& call) {
  if (call.rows == nullptr || call.rows->is_null())
    return fail(ErrorCode::schema, "A create has data: a row, or a list of rows.", "data");
  std::vector<NewRow> rows;
  PayloadReader reader(context);
  const auto add = [&](const Json& json, const std::string& path) -> Result<void> {
    if (!json.is_object()) return fail(ErrorCode::schema, "A row is a JSON object.", path);
    Result<NewRow> row = reader.new_row(*call.table, json.as_object(), path);
    if (!row) return Unexpected(std::move(row).error());
    rows.push_back(std::move(*row));
    return {};
  };
  if (!call.rows->is_array()) {
    if (const Result<void> added = add(*call.rows, "data"); !added)
      return Unexpected(added.error());
    return rows;
  }
  const JsonArray& list = call.rows->as_array();
  if (list.empty()) return fail(ErrorCode::value, "The list of rows to create is empty.", "data");
  if (list.size() > context.limits.write_rows)
    return fail(ErrorCode::limit,
                fmt::format("One call creates at most {} rows; this one has {}. Nothing was done; "
                            "split it.",
                            context.limits.write_rows, list.size()),
                "data");
  for (std::size_t at = 0; at < list.size(); ++at)
    if (const Result<void> added = add(list[at], fmt::format("data[{}]", at)); !added)
      return Unexpected(added.error());
  return rows;
}

}  // namespace

Result<RecordOutcome> create_rows(Tx& tx, RecordContext& context, const Json& params) {
  const Result<WriteParams> call = read_write_params(context, WriteTool::create, params);
  if (!call) return Unexpected(call.error());
  Result<std::vector<NewRow>> rows = read_rows_to_create(context, *call);
  if (!rows) return Unexpected(rows.error());
  return run_write(tx, context, call->is_dry_run, [&]() -> Result<WriteResult> {
    RowWriter writer(tx, context);
    if (const Result<void> there = writer.check_links(*rows); !there)
      return Unexpected(there.error());
    if (const Result<void> done = writer.create(*rows); !done) return Unexpected(done.error());
    if (const Result<void> noted = writer.note(); !noted) return Unexpected(noted.error());
    JsonObject answer = created_answer(context, writer.rows(), call->is_dry_run);
    return WriteResult{std::move(answer), writer.take_effects()};
  });
}

}  // namespace alfred
