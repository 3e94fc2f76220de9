#include "records/write/batch/batch_rows.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "records/write/payload_columns.h"
#include "records/write/row_targets.h"
#include "records/write/write_steps.h"

namespace alfred {

// Those that a row may still be for.
std::vector<std::string> BatchRows::open_items() const {
  std::vector<std::string> open;
  for (const BatchItem& item : manifest_->items())
    if (item.status == ItemStatus::pending) open.push_back(item.ref);
  return open;
}

Result<ItemRow> BatchRows::read_row(const Json& json, const std::string& path) {
  if (!json.is_object()) return fail(ErrorCode::schema, "A row is a JSON object.", path);
  const std::string_view member = item_member(*table_);
  const Json* const name = json.as_object().if_contains(member);
  if (name == nullptr || !name->is_string())
    return fail_listing(
        ErrorCode::batch_item,
        fmt::format("Each row of a batch names its item as {}; this one names none.", member), path,
        open_items());
  const std::string ref(name->as_string());
  const BatchItem* const item = manifest_->find(ref);
  if (item == nullptr || item->status != ItemStatus::pending)
    return fail_listing(
        ErrorCode::batch_item,
        fmt::format("{} is {}. Name an item that is pending.", quoted_text(ref),
                    item == nullptr ? std::string("no item of this batch")
                                    : "already " + std::string(item_status_name(item->status))),
        path, open_items());
  if (!named_.insert(ref).second)
    return fail(ErrorCode::batch_dup,
                fmt::format("Two rows are for {}; an item is one row.", quoted_text(ref)), path);
  return ItemRow{ref, &json.as_object(), path};
}

Result<void> BatchRows::read_table(const JsonObject& params) {
  JsonObject named{{"table", manifest_->table()}};
  for (const std::string_view member : {"table", "dry_run"})
    if (const Json* given = params.if_contains(member)) named[member] = *given;
  const Result<WriteParams> call = read_write_params(*context_, WriteTool::create, named);
  if (!call) return Unexpected(call.error());
  table_ = call->table;
  is_dry_run_ = call->is_dry_run;
  if (table_->name == manifest_->table()) return {};
  return fail(ErrorCode::schema,
              fmt::format("This batch is on {}; its rows go there.", manifest_->table()), "table");
}

Result<void> BatchRows::read_rows(const JsonObject& params) {
  const Json* const list = params.if_contains("data");
  if (list == nullptr || !list->is_array() || list->as_array().empty())
    return fail(ErrorCode::schema, "data is a list of rows that each name their item.", "data");
  if (list->as_array().size() > context_->limits.batch_items)
    return fail(ErrorCode::limit,
                fmt::format("One call has at most {} rows; this one has {}.",
                            context_->limits.batch_items, list->as_array().size()),
                "data");
  for (std::size_t at = 0; at < list->as_array().size(); ++at) {
    Result<ItemRow> row = read_row(list->as_array()[at], fmt::format("data[{}]", at));
    if (!row) return Unexpected(std::move(row).error());
    rows_.push_back(std::move(*row));
  }
  return {};
}

Result<BatchRows> BatchRows::read(const RecordContext& context, const BatchManifest& manifest,
                                  WriteTool tool, const Json& params) {
  if (!params.is_object())
    return fail(ErrorCode::schema, "The parameters of a call are a JSON object.");
  constexpr std::array<std::string_view, 4> kOfCall{"table", "data", "batch", "dry_run"};
  for (const auto& member : params.as_object())
    if (std::find(kOfCall.begin(), kOfCall.end(), std::string_view(member.key())) == kOfCall.end())
      return fail(ErrorCode::schema,
                  fmt::format("A call on a batch has no parameter {}. Leave it out.",
                              quoted_text(member.key())),
                  {}, {kOfCall.begin(), kOfCall.end()});
  BatchRows rows(context, manifest);
  Result<void> done = rows.read_table(params.as_object());
  if (done) done = rows.read_rows(params.as_object());
  if (done && tool != WriteTool::create) done = rows.check_distinct();
  if (!done) return Unexpected(std::move(done).error());
  if (tool == WriteTool::create) rows.parents_first();
  return rows;
}

Result<void> BatchRows::check_distinct() const {
  std::set<EntityNo> seen;
  for (const ItemRow& row : rows_) {
    const JsonObject object = named(row);
    const Json& ref = object.at(row_name_member(*table_, object));
    const EntityNo entity = ref.is_string() ? context_->registry.find(ref.as_string()) : kNoEntity;
    if (entity != kNoEntity && !seen.insert(entity).second)
      return fail(ErrorCode::batch_dup,
                  fmt::format("The row of {} is named twice; say all that changes once.",
                              quoted_text(row.item)),
                  row.path);
  }
  return {};
}

std::vector<std::string> BatchRows::parents_of(const ItemRow& row) const {
  std::vector<std::string> parents;
  for (const Field& field : table_->fields) {
    const Json* const value = field.link ? row.row->if_contains(field.name) : nullptr;
    if (value == nullptr || !value->is_string() || value->as_string() == row.item) continue;
    if (named_.contains(std::string_view(value->as_string())))
      parents.emplace_back(value->as_string());
  }
  return parents;
}

void BatchRows::parents_first() {
  has_parents_ = std::any_of(rows_.begin(), rows_.end(),
                             [&](const ItemRow& row) { return !parents_of(row).empty(); });
  if (!has_parents_) return;
  std::vector<ItemRow> ordered;
  std::set<std::string> placed;
  std::vector<bool> is_placed(rows_.size(), false);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      const std::vector<std::string> parents = parents_of(rows_[at]);
      const bool is_ready = std::all_of(parents.begin(), parents.end(), [&](const auto& parent) {
        return placed.contains(parent);
      });
      if (is_placed[at] || !is_ready) continue;
      is_placed[at] = moved = true;
      placed.insert(rows_[at].item);
      ordered.push_back(rows_[at]);
    }
  }
  for (std::size_t at = 0; at < rows_.size(); ++at)  // circles: each will say what it waits for
    if (!is_placed[at]) ordered.push_back(rows_[at]);
  rows_ = std::move(ordered);
}

JsonObject BatchRows::named(const ItemRow& row) const {
  JsonObject object;
  for (const auto& one : *row.row)
    if (one.key() != item_member(*table_)) object.emplace(one.key(), one.value());
  if (row_name_member(*table_, object).empty())
    object[table_->find("_ref") == nullptr ? "_ref" : "id"] = row.item;
  return object;
}

}  // namespace alfred
