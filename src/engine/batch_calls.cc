// What a workspace holds beside rows. Batches: declared, looked at, tried again, finished; their
// rows are written by RecordService::call with `batch` among the parameters. Names of generated
// content.
#include <fmt/format.h>

#include "base/files/file.h"
#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "engine/record_service.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

constexpr std::size_t kMostAllowed = 10;

Unexpected unknown_batch() {
  return fail(ErrorCode::batch_item, "There is no batch of this id here.", "batch");
}

// What an item is called is told in every answer of its batch, so it may not be or hold a key.
bool holds_key(std::string_view name, KeyPieces& pieces) {
  std::vector<TextSpan> spans;
  find_key_spans(name, pieces, spans);
  return !spans.empty();
}

// Its members, and the number of its items where it is told (A17).
Result<void> check_declaration(const Json& params) {
  const JsonObject* object = params.if_object();
  if (object == nullptr) return {};
  for (const auto& member : *object)
    if (member.key() != "table" && member.key() != "items" && member.key() != "total")
      return fail(ErrorCode::schema,
                  fmt::format("A batch has no member {}.", quoted_text(member.key())), "",
                  {"table", "items", "total"});
  const Json* total = object->if_contains("total");
  const Json* items = object->if_contains("items");
  if (total == nullptr || items == nullptr || !items->is_array()) return {};
  const std::size_t count = items->get_array().size();
  if (total->is_int64() && total->get_int64() == static_cast<std::int64_t>(count)) return {};
  return fail(ErrorCode::batch_count,
              fmt::format("total is {}, but the batch has {} items. Give the number of its items, "
                          "or leave total out.",
                          total->is_number() ? write_json(*total) : "no number", count),
              "total");
}

Result<std::vector<std::string>> item_refs(const Json& params, const RefRegistry& registry) {
  const JsonObject* object = params.if_object();
  const Json* items = object == nullptr ? nullptr : object->if_contains("items");
  const JsonArray* array = items == nullptr ? nullptr : items->if_array();
  if (array == nullptr)
    return fail(ErrorCode::value, "A batch names its items: a list of refs or names.", "items");
  std::vector<std::string> refs;
  KeyPieces pieces(registry.keys());
  for (const Json& item : *array) {
    const JsonString* text = item.if_string();
    if (text == nullptr) return fail(ErrorCode::value, "An item is a text.", "items");
    // A ref that was shown is none, although a row may have a key that reads the same.
    if (registry.find(*text) == kNoEntity && holds_key(*text, pieces))
      return fail(ErrorCode::ref_syntax,
                  "An item is called by a ref or by a name of your own; a database key is neither.",
                  "items");
    refs.emplace_back(*text);
  }
  return refs;
}

std::vector<std::string> writable_tables(const Schema& schema) {
  std::vector<std::string> tables;
  for (const Table& one : schema.tables())
    if (!one.is_read_only) tables.push_back(one.name);
  return tables;
}

Result<std::string> table_of(const Schema& schema, const Json& params) {
  const Json* table = params.as_object().if_contains("table");
  const JsonString* name = table == nullptr ? nullptr : table->if_string();
  if (name != nullptr && schema.find(*name) != nullptr) return std::string(*name);
  std::vector<std::string> tables = writable_tables(schema);
  if (name == nullptr)
    return fail_listing(ErrorCode::table, "Name the table that the rows go to.", "table",
                        std::move(tables));
  return fail_listing(
      ErrorCode::table,
      fmt::format("There is no table {} that you may use. Name the one that the rows go to.",
                  quoted_text(*name)),
      "table", std::move(tables));
}

// Registers one piece of generated content; {"ref","label"}.
Result<Json> name_generated(RefRegistry& registry, const Table& table, const Json& label,
                            std::uint32_t number) {
  const JsonString* text = label.if_string();
  if (text == nullptr) return fail(ErrorCode::value, "A label is a text.", "labels");
  const Result<TypeNo> type = registry.type_named(table.ref, table.name);
  if (!type) return Unexpected(type.error());
  const Result<MaskedText> masked = LiteralMask(registry).mask(*text);
  if (!masked) return Unexpected(masked.error());
  const Result<EntityNo> entity = registry.register_generated(*type, masked->view(), {0, number});
  if (!entity) return Unexpected(entity.error());
  return Json(JsonObject{{"ref", registry.ref(*entity).text()}, {"label", masked->view()}});
}

// Whether items that are to be tried again are items of the batch that failed.
Result<void> check_failed(const BatchManifest& manifest, std::span<const std::string> items) {
  std::vector<std::string> failed;
  for (const BatchItem& item : manifest.items())
    if (item.status == ItemStatus::failed) failed.push_back(item.ref);
  for (const std::string& name : items) {
    const BatchItem* const item = manifest.find(name);
    if (item != nullptr && item->status == ItemStatus::failed) continue;
    return fail_listing(ErrorCode::batch_item,
                        fmt::format("{} is no item of this batch that failed.", quoted_text(name)),
                        "items", std::move(failed));
  }
  return {};
}

// The batch as it is now, and which items were taken up again and which were not.
Json retry_answer(const BatchManifest& manifest, const BatchChanges& moved) {
  JsonArray retried;
  for (const ItemMoved& one : moved) retried.emplace_back(one.item.ref);
  JsonArray left;
  for (const BatchItem& item : manifest.items())
    if (item.status == ItemStatus::failed)
      left.push_back(JsonObject{{"ref", item.ref}, {"error", item.error}});
  Json answer = manifest.to_json();
  JsonObject& object = answer.as_object();
  object["retried"] = std::move(retried);
  if (left.empty()) return answer;
  object["not_retried"] = std::move(left);
  object["hint"] =
      "what is not retried would fail again as it is; correct it, name the item with the retry, and "
      "then send its row";
  return answer;
}

// Nobody finishes a batch over items that were neither done nor failed (I-14).
Result<void> check_settled(const BatchManifest& manifest) {
  const BatchCounts counts = manifest.counts();
  const std::size_t open = counts.pending + counts.in_progress;
  if (open == 0) return {};
  std::vector<std::string> names;
  for (const BatchItem& item : manifest.items()) {
    const bool is_settled =
        item.status == ItemStatus::complete || item.status == ItemStatus::failed;
    if (!is_settled && names.size() < kMostAllowed) names.push_back(quoted_text(item.ref));
  }
  const std::string more =
      open > names.size() ? fmt::format(" and {} more", open - names.size()) : std::string();
  return fail(ErrorCode::batch_pending,
              fmt::format("{} of {} items are open: {}{}. Send their rows with this batch, so that "
                          "each is done or fails, and finish it then.",
                          open, counts.total, fmt::join(names, ", "), more),
              "batch");
}

Json finish_answer(const BatchManifest& manifest) {
  const BatchCounts counts = manifest.counts();
  Json answer = manifest.to_json();
  JsonObject& object = answer.as_object();
  object["finished"] = true;
  object["completed"] = counts.completed;
  object["failed"] = counts.failed;
  return answer;
}

}  // namespace

Result<std::string> RecordService::generate(const Json& params, OpId op) {
  const JsonObject* object = params.if_object();
  const Json* labels = object == nullptr ? nullptr : object->if_contains("labels");
  const JsonArray* list = labels == nullptr ? nullptr : labels->if_array();
  if (list == nullptr)
    return fail(ErrorCode::value, "What was generated is named: a list of labels.", "labels");
  Result<std::string> name = table_of(*place_.schema, params);
  if (!name) return name;
  const Table& table = *place_.schema->find(*name);
  return write_state(request_text("generate", params), op, [&]() -> Result<Done> {
    JsonArray generated;
    for (const Json& label : *list) {
      Result<Json> named = name_generated(workspace_.registry(), table, label,
                                          static_cast<std::uint32_t>(generated.size()));
      if (!named) return Unexpected(named.error());
      generated.push_back(std::move(*named));
    }
    return Done{write_json(JsonObject{{"generated", std::move(generated)}}), refs_changed()};
  });
}

Result<std::string> RecordService::declare_batch(const Json& params, OpId op) {
  if (Result<void> declared = check_declaration(params); !declared)
    return Unexpected(declared.error());
  Result<std::vector<std::string>> refs = item_refs(params, workspace_.registry());
  if (!refs) return Unexpected(refs.error());
  Result<std::string> table = table_of(*place_.schema, params);
  if (!table) return table;
  if (place_.schema->find(*table)->is_read_only)
    return fail_listing(
        ErrorCode::table,
        fmt::format("The rows of {} are read, not written, so a batch on it could never "
                    "end. Name a table that is written.",
                    *table),
        "table", writable_tables(*place_.schema));
  Result<BatchManifest> manifest = BatchManifest::declare(BatchId::random(random_), *table,
                                                          std::move(*refs), limits_.batch_items);
  if (!manifest) return Unexpected(manifest.error());
  return write_state(request_text("declare_batch", params), op, [&]() -> Result<Done> {
    if (Result<void> declared = workspace_.declare(*manifest); !declared)
      return Unexpected(declared.error());
    return Done{write_json(manifest->to_json()), {BatchDeclared{*manifest}}};
  });
}

// What other processes did counts, and what a dead one left open. Where somebody is at work, it is
// told as it was before that.
Result<void> RecordService::look_at_calls() {
  std::optional<Result<FileLock>> lock;
  if (!place_.is_shared()) lock.emplace(lock_file(place_.lock_path, 0));
  return lock && *lock ? settle_open_calls() : catch_up();
}

Result<std::string> RecordService::batch_status(std::string_view batch) {
  if (Result<void> fresh = look_at_calls(); !fresh) return Unexpected(fresh.error());
  const BatchManifest* manifest = workspace_.state().batch(batch);
  if (manifest == nullptr) return unknown_batch();
  return write_json(manifest->to_json());
}

Result<std::string> RecordService::retry_batch(std::string_view batch, OpId op,
                                               std::span<const std::string> items) {
  const std::string id(batch);
  std::string request = "retry " + id;
  for (const std::string& item : items) request += " " + write_json(Json(item));
  return write_state(request, op, [&]() -> Result<Done> {
    BatchManifest* manifest = workspace_.find_batch(id);
    if (manifest == nullptr) return unknown_batch();
    if (Result<void> failed = check_failed(*manifest, items); !failed)
      return Unexpected(failed.error());
    const BatchChanges moved = manifest->retry(items);
    std::string answer = write_json(retry_answer(*manifest, moved));
    return Done{std::move(answer), {ItemsMoved{id, moved}}};
  });
}

Result<std::string> RecordService::finish_batch(std::string_view batch, OpId op) {
  const std::string id(batch);
  return write_state("finish " + id, op, [&]() -> Result<Done> {
    BatchManifest* manifest = workspace_.find_batch(id);
    if (manifest == nullptr) return unknown_batch();
    if (Result<void> settled = check_settled(*manifest); !settled)
      return Unexpected(settled.error());
    const BatchChanges moved = manifest->give_up();
    return Done{write_json(finish_answer(*manifest)), {ItemsMoved{id, moved}}};
  });
}

}  // namespace alfred
