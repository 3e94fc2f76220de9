#include "batch/manifest.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/quoted_text.h"

namespace alfred {
namespace {

constexpr std::size_t kNamedBytes = 240;  // of refs in one message

bool is_open(ItemStatus status) {
  return status == ItemStatus::pending || status == ItemStatus::in_progress;
}

// Whether an item may go from one status to the other (R2).
bool may_move(ItemStatus from, ItemStatus to) {
  switch (to) {
    case ItemStatus::pending: return from == ItemStatus::failed;
    case ItemStatus::in_progress: return from == ItemStatus::pending;
    case ItemStatus::complete:
    case ItemStatus::failed: return from == ItemStatus::in_progress;
  }
  return false;
}

BatchItem given_up(BatchItem item) {
  item.is_retriable = false;
  return item;
}

Unexpected no_move(const BatchItem& item, ItemStatus to) {
  return fail(ErrorCode::batch_item,
              fmt::format("{} is {} and cannot become {}.", item.ref, item_status_name(item.status),
                          item_status_name(to)),
              item.ref);
}

// A member only where the status has it, so that equal items have equal bytes.
JsonObject item_json(const BatchItem& item) {
  JsonObject out{{"ref", item.ref}, {"status", item_status_name(item.status)}};
  if (item.status == ItemStatus::complete) out["result_ref"] = item.result_ref;
  if (item.status == ItemStatus::failed) {
    out["error"] = item.error;
    out["is_retriable"] = item.is_retriable;
  }
  return out;
}

Unexpected bad_form(std::string path) {
  return fail(ErrorCode::schema, "This is no batch manifest; it cannot be used.", std::move(path));
}

std::optional<ItemStatus> status_of(std::string_view name) {
  for (const ItemStatus status :
       {ItemStatus::pending, ItemStatus::in_progress, ItemStatus::complete, ItemStatus::failed})
    if (item_status_name(status) == name) return status;
  return std::nullopt;
}

std::optional<std::string> text_member(const JsonObject& object, std::string_view name) {
  const Json* member = object.if_contains(name);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return std::string(member->as_string());
}

std::optional<BatchItem> read_item(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const JsonObject& object = json.as_object();
  const std::optional<std::string> ref = text_member(object, "ref");
  const std::optional<std::string> name = text_member(object, "status");
  const std::optional<ItemStatus> status = name ? status_of(*name) : std::nullopt;
  if (!ref || !status) return std::nullopt;
  BatchItem item{*ref, *status, {}, {}, false};
  std::size_t members = 2;
  if (*status == ItemStatus::complete) {
    const std::optional<std::string> result_ref = text_member(object, "result_ref");
    if (!result_ref) return std::nullopt;
    item.result_ref = *result_ref;
    members = 3;
  }
  if (*status == ItemStatus::failed) {
    const std::optional<std::string> error = text_member(object, "error");
    const Json* retriable = object.if_contains("is_retriable");
    if (!error || retriable == nullptr || !retriable->is_bool()) return std::nullopt;
    item.error = *error;
    item.is_retriable = retriable->as_bool();
    members = 4;
  }
  if (object.size() != members) return std::nullopt;
  return item;
}

}  // namespace

Json batch_item_json(const BatchItem& item) { return item_json(item); }

Result<BatchItem> read_batch_item(const Json& json) {
  std::optional<BatchItem> item = read_item(json);
  if (!item) return bad_form("");
  return std::move(*item);
}

Result<BatchManifest> BatchManifest::declare(BatchId id, std::string table,
                                             std::vector<std::string> refs, std::size_t max_items) {
  if (refs.empty())
    return fail(ErrorCode::value, "A batch names at least one item; this one names none.", "items");
  if (refs.size() > max_items)
    return fail(ErrorCode::limit,
                fmt::format("A batch has at most {} items; this one has {}. Split it.", max_items,
                            refs.size()),
                "items");
  BatchManifest manifest(id, std::move(table));
  std::set<std::string, std::less<>> seen;
  for (std::string& ref : refs) {
    const std::string path = fmt::format("items[{}]", manifest.items_.size());
    if (ref.empty())
      return fail(ErrorCode::value, "An item of a batch has a name; this one is empty.", path);
    if (!seen.insert(ref).second)
      return fail(
          ErrorCode::batch_dup,
          fmt::format("The batch names {} twice; each item is named once.", quoted_text(ref)),
          path);
    manifest.items_.push_back({std::move(ref), ItemStatus::pending, {}, {}, false});
  }
  return manifest;
}

const BatchItem* BatchManifest::find(std::string_view ref) const {
  const auto found = std::find_if(items_.begin(), items_.end(),
                                  [&](const BatchItem& item) { return item.ref == ref; });
  return found == items_.end() ? nullptr : &*found;
}

BatchCounts BatchManifest::counts() const {
  BatchCounts counts;
  counts.total = items_.size();
  for (const BatchItem& item : items_) {
    switch (item.status) {
      case ItemStatus::pending: ++counts.pending; break;
      case ItemStatus::in_progress: ++counts.in_progress; break;
      case ItemStatus::complete: ++counts.completed; break;
      case ItemStatus::failed: ++counts.failed; break;
    }
  }
  return counts;
}

bool BatchManifest::is_finished() const {
  return std::none_of(items_.begin(), items_.end(),
                      [](const BatchItem& item) { return is_open(item.status); });
}

Result<void> BatchManifest::check_finished() const {
  std::string open;
  std::size_t count = 0;
  for (const BatchItem& item : items_) {
    if (!is_open(item.status)) continue;
    ++count;
    if (open.size() + item.ref.size() <= kNamedBytes)
      open += (open.empty() ? "" : ", ") + item.ref;
    else if (!open.ends_with(" …"))
      open += " …";
  }
  if (count == 0) return {};
  return fail(ErrorCode::batch_pending,
              fmt::format("{} of {} pending: {}. Each must be done or fail before the step is "
                          "complete.",
                          count, items_.size(), open),
              "items");
}

Result<ItemMoved> BatchManifest::move(BatchItem item) {
  if (const Result<void> folded = fold({item}); !folded) return Unexpected(folded.error());
  return ItemMoved{std::move(item)};
}

Result<ItemMoved> BatchManifest::start(std::string_view ref) {
  return move({std::string(ref), ItemStatus::in_progress, {}, {}, false});
}

Result<ItemMoved> BatchManifest::complete(std::string_view ref, std::string_view result_ref) {
  return move({std::string(ref), ItemStatus::complete, std::string(result_ref), {}, false});
}

Result<ItemMoved> BatchManifest::fail_item(std::string_view ref, std::string_view error,
                                           bool is_retriable) {
  return move({std::string(ref), ItemStatus::failed, {}, std::string(error), is_retriable});
}

BatchChanges BatchManifest::retry(std::span<const std::string> named) {
  BatchChanges changes;
  for (BatchItem& item : items_) {
    const bool is_named = std::find(named.begin(), named.end(), item.ref) != named.end();
    const bool is_meant = named.empty() ? item.is_retriable : is_named;
    if (item.status != ItemStatus::failed || !is_meant) continue;
    item = {item.ref, ItemStatus::pending, {}, {}, false};
    changes.push_back({item});
  }
  return changes;
}

BatchChanges BatchManifest::give_up() {
  BatchChanges changes;
  for (BatchItem& item : items_) {
    if (item.status != ItemStatus::failed || !item.is_retriable) continue;
    item = given_up(item);
    changes.push_back({item});
  }
  return changes;
}

Result<void> BatchManifest::fold(const ItemMoved& change) {
  const auto found = std::find_if(items_.begin(), items_.end(), [&](const BatchItem& item) {
    return item.ref == change.item.ref;
  });
  if (found == items_.end())
    return fail(ErrorCode::batch_item,
                fmt::format("{} is no item of this batch.", quoted_text(change.item.ref)));
  const bool is_given_up = found->status == ItemStatus::failed && change.item == given_up(*found);
  if (!is_given_up && !may_move(found->status, change.item.status))
    return no_move(*found, change.item.status);
  *found = change.item;
  return {};
}

Json BatchManifest::to_json() const {
  JsonArray items;
  for (const BatchItem& item : items_) items.push_back(item_json(item));
  return JsonObject{{"id", id_.view()}, {"table", table_}, {"items", std::move(items)}};
}

Result<BatchManifest> BatchManifest::from_json(const Json& json) {
  if (!json.is_object() || json.as_object().size() != 3) return bad_form("");
  const JsonObject& object = json.as_object();
  const std::optional<std::string> id_text = text_member(object, "id");
  const std::optional<std::string> table = text_member(object, "table");
  const Json* items = object.if_contains("items");
  if (!id_text || !table || items == nullptr || !items->is_array()) return bad_form("");
  const Result<BatchId> id = BatchId::parse(*id_text);
  if (!id) return bad_form("id");
  std::vector<BatchItem> read;
  std::vector<std::string> refs;
  for (const Json& element : items->as_array()) {
    std::optional<BatchItem> item = read_item(element);
    if (!item) return bad_form(fmt::format("items[{}]", read.size()));
    refs.push_back(item->ref);
    read.push_back(std::move(*item));
  }
  Result<BatchManifest> manifest = declare(*id, *table, refs, refs.size());
  if (manifest) manifest->items_ = std::move(read);
  return manifest;
}

}  // namespace alfred
