#include <algorithm>

#include <fmt/format.h>

#include "records/write/row_answer.h"
#include "records/write/write_rows.h"
#include "records/write/write_steps.h"

namespace alfred {
namespace {

// An update as it is meant: the same changes to all targets, or each row's own.
struct UpdatePlan {
  const Table* table = nullptr;
  std::optional<RowTargets> targets{};
  std::vector<FieldValue> values{};  // of targets
  std::optional<std::string> version{};
  std::vector<NamedChange> named{};
  std::vector<std::string> repaired{};
};

Result<void> add_named(const RecordContext& context, const JsonArray& list, UpdatePlan& plan) {
  if (list.size() > context.limits.write_rows)
    return fail(ErrorCode::limit,
                fmt::format("One call changes at most {} rows; this one has {}. Nothing was done; "
                            "split it.",
                            context.limits.write_rows, list.size()),
                "data");
  for (std::size_t at = 0; at < list.size(); ++at) {
    const std::string path = fmt::format("data[{}]", at);
    if (!list[at].is_object()) return fail(ErrorCode::schema, "A row is a JSON object.", path);
    Result<NamedChange> change =
        read_named_change(context, *plan.table, list[at].as_object(), path);
    if (!change) return Unexpected(std::move(change).error());
    const bool is_twice =
        std::any_of(plan.named.begin(), plan.named.end(),
                    [&](const NamedChange& other) { return other.key == change->key; });
    if (is_twice)
      return fail(ErrorCode::batch_dup, "This row is named twice; say all that changes once.",
                  path);
    plan.named.push_back(std::move(*change));
  }
  return {};
}

bool is_empty(const Json& filters) {
  return filters.is_null() || (filters.is_array() && filters.as_array().empty()) ||
         (filters.is_object() && filters.as_object().empty());
}

// Rows that carry their own names.
Result<UpdatePlan> plan_named(const RecordContext& context, const WriteParams& call) {
  UpdatePlan plan{call.table};
  if (call.rows->is_object()) {
    Result<NamedChange> change =
        read_named_change(context, *call.table, call.rows->as_object(), "data");
    if (!change) return Unexpected(std::move(change).error());
    if (call.version) change->version = call.version;
    plan.named.push_back(std::move(*change));
    return plan;
  }
  if (call.version)
    return fail(ErrorCode::schema, "In a list each row has its own version.", "version");
  const Result<void> added = add_named(context, call.rows->as_array(), plan);
  if (!added) return Unexpected(added.error());
  return plan;
}

// One row of changes for the rows that filters name.
Result<UpdatePlan> plan_filtered(RecordContext& context, const WriteParams& call) {
  UpdatePlan plan{call.table};
  plan.version = call.version;
  const Json* row = call.rows;
  if (row->is_array() && row->as_array().size() == 1) {
    row = &row->as_array().front();
    plan.repaired.emplace_back("data was a list of one row; that row was used");
  }
  if (!row->is_object())
    return fail(ErrorCode::schema,
                "With filters, data is one row of changes. Without them, a list of rows that each "
                "have their id.",
                "data");
  Result<RowTargets> targets = targets_of_filters(
      context, *call.table, {call.filters, call.or_filters, context.limits.write_rows});
  if (!targets) return Unexpected(std::move(targets).error());
  Result<std::vector<FieldValue>> values =
      PayloadReader(context).changes(*call.table, row->as_object(), "data");
  if (!values) return Unexpected(std::move(values).error());
  plan.repaired.insert(plan.repaired.begin(), targets->repaired.begin(), targets->repaired.end());
  plan.targets = std::move(*targets);
  plan.values = std::move(*values);
  return plan;
}

Result<UpdatePlan> plan_update(RecordContext& context, const WriteParams& call) {
  if (call.rows == nullptr || call.rows->is_null())
    return fail(ErrorCode::schema, "An update has data: the columns that change.", "data");
  const Json& rows = *call.rows;
  if (rows.is_array() && rows.as_array().empty())
    return fail(ErrorCode::value, "The list of rows to change is empty.", "data");
  const bool has_filters = !is_empty(call.filters) || !is_empty(call.or_filters);
  const bool is_named =
      rows.is_array() ||
      (rows.is_object() && !row_name_member(*call.table, rows.as_object()).empty());
  return !has_filters && is_named ? plan_named(context, call) : plan_filtered(context, call);
}

Result<void> change_named(const RecordContext& context, RowWriter& writer, const Table& table,
                          const NamedChange& change, const Row& before) {
  if (change.version)
    if (Result<void> fresh = check_version(context, table, before, *change.version); !fresh)
      return fresh;
  Result<void> done = writer.change(table, change.key, before, change.values);
  if (!done) return at_row(std::move(done).error(), change.path);
  return done;
}

// Makes the changes; tells which rows were named and not changed.
Result<MissedRows> change_rows(Tx& tx, RecordContext& context, RowWriter& writer,
                               const UpdatePlan& plan) {
  const Table& table = *plan.table;
  std::vector<RecordKey> keys;
  for (const NamedChange& change : plan.named) {
    keys.push_back(change.key);
    if (const Result<void> there = writer.check_links(table, change.values, change.path); !there)
      return Unexpected(there.error());
  }
  if (const Result<void> there = writer.check_links(table, plan.values, "data"); !there)
    return Unexpected(there.error());
  const RowTargets targets = plan.targets ? *plan.targets : targets_of_keys(table, keys);
  const Result<std::vector<FoundRow>> found = lock_targets(tx, targets);
  if (!found) return Unexpected(found.error());
  for (const FoundRow& row : *found) {
    const auto own = std::find_if(plan.named.begin(), plan.named.end(),
                                  [&](const auto& change) { return change.key == row.key; });
    const NamedChange change =
        own != plan.named.end() ? *own : NamedChange{row.key, plan.values, plan.version, "data"};
    const Result<void> done = change_named(context, writer, table, change, row.row);
    if (!done) return Unexpected(done.error());
  }
  return missed_rows(tx, context, targets, *found);
}

}  // namespace

std::string_view row_name_member(const Table& table, const JsonObject& row) {
  if (row.contains("_ref") && table.find("_ref") == nullptr) return "_ref";
  const Field* const id = table.find("id");
  const bool is_name = id == nullptr || (table.key.size() == 1 && table.is_key("id"));
  if (row.contains("id") && is_name) return "id";
  if (table.key.size() == 1 && row.contains(table.key.front())) {
    const Field* const key = table.find(table.key.front());
    if (!key->link) return key->name;
  }
  return {};
}

Result<NamedChange> read_named_change(const RecordContext& context, const Table& table,
                                      const JsonObject& row, const std::string& path) {
  const std::string_view name = row_name_member(table, row);
  if (name.empty())
    return fail(ErrorCode::filter_required,
                fmt::format("Each row of an update has its id, a ref such as {}_1.", table.ref),
                path, context.registry.known_refs(table.ref));
  Result<RecordKey> key =
      target_of_ref(context, table, row.at(name), fmt::format("{}.{}", path, name));
  if (!key) return Unexpected(std::move(key).error());
  JsonObject rest;
  std::optional<std::string> version;
  for (const auto& member : row) {
    const bool is_version = member.key() == "version" && table.find("version") == nullptr;
    if (is_version && member.value().is_string())
      version = std::string(member.value().as_string());
    else if (member.key() != name)
      rest.emplace(member.key(), member.value());
  }
  Result<std::vector<FieldValue>> values = PayloadReader(context).changes(table, rest, path);
  if (!values) return Unexpected(std::move(values).error());
  return NamedChange{std::move(*key), std::move(*values), std::move(version), path};
}

Result<RecordOutcome> update_rows(Tx& tx, RecordContext& context, const Json& params) {
  const Result<WriteParams> call = read_write_params(context, WriteTool::update, params);
  if (!call) return Unexpected(call.error());
  const Result<UpdatePlan> plan = plan_update(context, *call);
  if (!plan) return Unexpected(plan.error());
  return run_write(tx, context, call->is_dry_run, [&]() -> Result<WriteResult> {
    RowWriter writer(tx, context);
    const Result<MissedRows> missed = change_rows(tx, context, writer, *plan);
    if (!missed) return Unexpected(missed.error());
    if (const Result<void> noted = writer.note(); !noted) return Unexpected(noted.error());
    JsonArray updated;
    for (const WrittenRow& row : writer.rows()) updated.emplace_back(ref_text(context, row.entity));
    JsonObject answer{{"updated", std::move(updated)}, {"count", writer.rows().size()}};
    if (writer.rows().empty()) answer["no_match"] = true;
    add_texts(answer, "not_matched", missed->not_matched);
    add_texts(answer, "gone", missed->gone);
    add_texts(answer, "repaired", plan->repaired);
    return WriteResult{std::move(answer), writer.take_effects()};
  });
}

}  // namespace alfred
