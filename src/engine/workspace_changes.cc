// {"refs":[…],"declared":{…},"batch":"bat_…","moved":[…]}: what the journal of a workspace holds.
#include "engine/workspace.h"
#include "refs/registry_json.h"

namespace alfred {
namespace {

Json item_json(const BatchItem& item) {
  JsonObject out;
  out["ref"] = item.ref;
  out["status"] = item_status_name(item.status);
  if (!item.result_ref.empty()) out["result_ref"] = item.result_ref;
  if (!item.error.empty()) out["error"] = item.error;
  if (item.is_retriable) out["is_retriable"] = true;
  return out;
}

std::string text_member(const JsonObject& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  const JsonString* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

Unexpected damaged(std::string_view what) {
  return fail(ErrorCode::corrupt, "A change in a workspace's journal cannot be read: " +
                                      std::string(what) + ". The file was left as it is.");
}

Result<BatchItem> read_item(const Json& json) {
  const JsonObject* object = json.if_object();
  if (object == nullptr) return damaged("an item is an object");
  BatchItem item;
  item.ref = text_member(*object, "ref");
  item.result_ref = text_member(*object, "result_ref");
  item.error = text_member(*object, "error");
  item.is_retriable = object->contains("is_retriable");
  const std::string status = text_member(*object, "status");
  for (const ItemStatus known :
       {ItemStatus::pending, ItemStatus::in_progress, ItemStatus::complete, ItemStatus::failed}) {
    if (item_status_name(known) != status) continue;
    item.status = known;
    return item;
  }
  return damaged("an item's status is not known");
}

Result<void> read_batch(const JsonObject& object, WorkspaceChanges& changes) {
  if (const Json* declared = object.if_contains("declared")) {
    Result<BatchManifest> manifest = BatchManifest::from_json(*declared);
    if (!manifest) return Unexpected(manifest.error());
    changes.declared = std::move(*manifest);
  }
  const Json* moved = object.if_contains("moved");
  if (moved == nullptr) return {};
  const Result<BatchId> id = BatchId::parse(text_member(object, "batch"));
  if (!id || !moved->is_array()) return damaged("items move in a batch");
  changes.batch = *id;
  for (const Json& json : moved->get_array()) {
    Result<BatchItem> item = read_item(json);
    if (!item) return Unexpected(item.error());
    changes.moved.push_back({std::move(*item)});
  }
  return {};
}

}  // namespace

std::string write_workspace_changes(const WorkspaceChanges& changes) {
  std::string out = "{\"refs\":" + RegistryJson::write_changes(changes.refs);
  if (changes.declared) out += ",\"declared\":" + write_json(changes.declared->to_json());
  if (!changes.moved.empty()) {
    JsonArray moved;
    for (const ItemMoved& change : changes.moved) moved.push_back(item_json(change.item));
    out +=
        ",\"batch\":\"" + std::string(changes.batch->view()) + "\",\"moved\":" + write_json(moved);
  }
  return out + "}";
}

Result<WorkspaceChanges> read_workspace_changes(std::string_view text) {
  const Result<Json> json = parse_json(text, JsonLimits::none());
  const JsonObject* object = json ? json->if_object() : nullptr;
  if (object == nullptr || !object->contains("refs")) return damaged("it is no object with refs");
  Result<RefChanges> refs = RegistryJson::read_changes(object->at("refs"));
  if (!refs) return damaged(refs.error().message);
  WorkspaceChanges changes;
  changes.refs = std::move(*refs);
  if (Result<void> read = read_batch(*object, changes); !read) return Unexpected(read.error());
  return changes;
}

}  // namespace alfred
