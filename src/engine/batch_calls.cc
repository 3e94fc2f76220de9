// What a workspace holds beside rows. Batches: declared, looked at, tried again; their rows are
// written by RecordService::call with `batch` among the parameters. Names of generated content.
#include "engine/record_service.h"
#include "refs/key_shapes.h"
#include "refs/literal_mask.h"

namespace alfred {
namespace {

Unexpected unknown_batch() {
  return fail(ErrorCode::batch_item, "There is no batch of this id here.", "batch");
}

// What an item is called is told in every answer of its batch, so it may not be or hold a key.
bool holds_key(std::string_view name, KeyPieces& pieces) {
  std::vector<TextSpan> spans;
  find_key_spans(name, pieces, spans);
  return !spans.empty();
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
    if (holds_key(*text, pieces))
      return fail(ErrorCode::ref_syntax,
                  "An item is called by a ref or by a name of your own; a database key is neither.",
                  "items");
    refs.emplace_back(*text);
  }
  return refs;
}

Result<std::string> table_of(const Schema& schema, const Json& params) {
  const Json* table = params.as_object().if_contains("table");
  const JsonString* name = table == nullptr ? nullptr : table->if_string();
  if (name != nullptr && schema.find(*name) != nullptr) return std::string(*name);
  return fail(ErrorCode::table, "This names the table its rows go to.", "table");
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
  Result<std::vector<std::string>> refs = item_refs(params, workspace_.registry());
  if (!refs) return Unexpected(refs.error());
  Result<std::string> table = table_of(*place_.schema, params);
  if (!table) return table;
  Result<BatchManifest> manifest = BatchManifest::declare(BatchId::random(random_), *table,
                                                          std::move(*refs), limits_.batch_items);
  if (!manifest) return Unexpected(manifest.error());
  return write_state(request_text("declare_batch", params), op, [&]() -> Result<Done> {
    if (Result<void> declared = workspace_.declare(*manifest); !declared)
      return Unexpected(declared.error());
    return Done{write_json(manifest->to_json()), {BatchDeclared{*manifest}}};
  });
}

Result<std::string> RecordService::batch_status(std::string_view batch) {
  if (Result<void> fresh = refresh(); !fresh) return Unexpected(fresh.error());
  const BatchManifest* manifest = workspace_.state().batch(batch);
  if (manifest == nullptr) return unknown_batch();
  return write_json(manifest->to_json());
}

Result<std::string> RecordService::retry_batch(std::string_view batch, OpId op) {
  const std::string id(batch);
  return write_state("retry " + id, op, [&]() -> Result<Done> {
    BatchManifest* manifest = workspace_.find_batch(id);
    if (manifest == nullptr) return unknown_batch();
    Changes changes{ItemsMoved{id, manifest->retry()}};
    return Done{write_json(manifest->to_json()), std::move(changes)};
  });
}

}  // namespace alfred
