#include "records/write/write_call.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/quoted_text.h"

namespace alfred {
namespace {

constexpr std::size_t kMostAllowed = 10;
constexpr std::string_view kDryRun = "a dry run is undone";

std::vector<std::string> known_members(WriteTool tool) {
  switch (tool) {
    case WriteTool::create: return {"table", "data", "dry_run"};
    case WriteTool::update: return {"table", "filters", "or_filters", "data", "version", "dry_run"};
    case WriteTool::remove: return {"table", "filters", "or_filters", "version", "dry_run"};
  }
  return {};
}

Result<void> check_members(const JsonObject& call, WriteTool tool) {
  const std::vector<std::string> known = known_members(tool);
  for (const auto& member : call)
    if (std::find(known.begin(), known.end(), member.key()) == known.end())
      return fail(
          ErrorCode::schema,
          fmt::format("This call has no parameter {}. Leave it out.", quoted_text(member.key())),
          {}, known);
  return {};
}

std::string read_only_text(const Table& table) {
  return table.may_write || table.is_view
             ? fmt::format("The rows of {} are read, not written.", table.name)
             : fmt::format(
                   "The rows of {} are read, not written: the database's login has no INSERT, "
                   "UPDATE or DELETE on it.",
                   table.name);
}

Result<const Table*> table_of(const Schema& schema, const Json* name) {
  const Table* const table =
      name != nullptr && name->is_string() ? schema.find(name->as_string()) : nullptr;
  std::vector<std::string> writable;
  std::size_t all = 0;
  for (const Table& one : schema.tables()) {
    all += one.is_read_only ? 0 : 1;
    if (!one.is_read_only && writable.size() < kMostAllowed) writable.push_back(one.name);
  }
  if (table != nullptr && !table->is_read_only) return table;
  std::string message =
      with_not_listed(table == nullptr ? "There is no table of this name that you may use."
                                       : read_only_text(*table),
                      writable.size(), all);
  return fail(ErrorCode::table, std::move(message), "table", std::move(writable));
}

Result<bool> truth_of(const Json* json, std::string_view name) {
  if (json == nullptr || json->is_null()) return false;
  if (json->is_bool()) return json->as_bool();
  return fail(ErrorCode::schema, fmt::format("{} is true or false.", name), std::string(name));
}

Result<std::optional<std::string>> version_of(const Json* json) {
  if (json == nullptr || json->is_null()) return std::optional<std::string>();
  if (json->is_string()) return std::optional(std::string(json->as_string()));
  return fail(ErrorCode::schema, "version is the row's time of change as it was read, a text.",
              "version");
}

}  // namespace

std::optional<WriteTool> write_tool_named(std::string_view name) {
  if (name == "db_create") return WriteTool::create;
  if (name == "db_update") return WriteTool::update;
  if (name == "db_delete") return WriteTool::remove;
  return std::nullopt;
}

Result<WriteParams> read_write_params(const RecordContext& context, WriteTool tool,
                                      const Json& params) {
  if (!params.is_object())
    return fail(ErrorCode::schema, "The parameters of a call are a JSON object.", {},
                known_members(tool));
  const JsonObject& call = params.as_object();
  if (const Result<void> known = check_members(call, tool); !known)
    return Unexpected(known.error());
  const Result<const Table*> table = table_of(context.schema, call.if_contains("table"));
  if (!table) return Unexpected(table.error());
  const Result<bool> is_dry_run = truth_of(call.if_contains("dry_run"), "dry_run");
  if (!is_dry_run) return Unexpected(is_dry_run.error());
  Result<std::optional<std::string>> version = version_of(call.if_contains("version"));
  if (!version) return Unexpected(std::move(version).error());
  WriteParams out;
  out.table = *table;
  if (const Json* filters = call.if_contains("filters")) out.filters = *filters;
  if (const Json* either = call.if_contains("or_filters")) out.or_filters = *either;
  out.rows = call.if_contains("data");
  out.version = std::move(*version);
  out.is_dry_run = *is_dry_run;
  return out;
}

Result<RecordOutcome> run_write(Tx& tx, RecordContext& context, bool is_dry_run,
                                const std::function<Result<WriteResult>()>& part) {
  context.registry.begin();
  std::optional<WriteResult> result;
  const Result<void> done = tx.savepoint([&]() -> Result<void> {
    Result<WriteResult> ran = part();
    if (!ran) return Unexpected(std::move(ran).error());
    result = std::move(*ran);
    if (is_dry_run) return fail(ErrorCode::bug, std::string(kDryRun));
    return {};
  });
  if (!done) context.registry.rollback();
  const bool is_undone = !done && is_dry_run && result && done.error().message == kDryRun;
  if (!done && !is_undone) return Unexpected(done.error());
  if (is_undone) {
    result->answer["dry_run"] = true;
    result->effects.clear();
  }
  return RecordOutcome{write_json(result->answer), std::move(result->effects)};
}

void add_texts(JsonObject& answer, std::string_view member, const std::vector<std::string>& texts) {
  if (!texts.empty()) answer[member] = JsonArray(texts.begin(), texts.end());
}

}  // namespace alfred
