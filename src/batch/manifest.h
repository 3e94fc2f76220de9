// BatchManifest: the explicit list of items of an operation on several, as a value. "Save all 3" is
// three items that each end complete or failed, and nothing else ends the batch.
//
// R1 completed + failed + pending + in_progress = total, always (I-12).
// R2 pending → in_progress → complete or failed; failed → pending only by retry(); complete is final (I-13).
//    A failed item stays failed when it is given up, which says that it is not to be tried again.
// R3 is_finished() says that nothing is pending or in progress (I-14).
// R4 items are known by their ref; one ref, one item; never by position.
// R5 changes are values: folding a manifest's changes into the one it was declared as gives the same manifest.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alfred/error.h"
#include "alfred/ids.h"
#include "base/json/json.h"

namespace alfred {

using BatchId = ShortId<IdKind::batch>;

enum class ItemStatus : std::uint8_t { pending, in_progress, complete, failed };
std::string_view item_status_name(ItemStatus status);

struct BatchItem {
  std::string ref;  // gen_type_n, a ref to change, or a label the plan gave it
  ItemStatus status = ItemStatus::pending;
  std::string result_ref;  // complete: the row's ref
  std::string error;       // failed: why, safe for a model
  bool is_retriable = false;
  friend bool operator==(const BatchItem&, const BatchItem&) = default;
};

struct ItemMoved {  // the one kind of change after the declaration
  BatchItem item;   // as it is now
  friend bool operator==(const ItemMoved&, const ItemMoved&) = default;
};
using BatchChanges = std::vector<ItemMoved>;

// One item as the journal holds it, both ways.
Json batch_item_json(const BatchItem& item);
Result<BatchItem> read_batch_item(const Json& json);

struct BatchCounts {
  std::size_t total = 0, completed = 0, failed = 0, pending = 0, in_progress = 0;
  friend bool operator==(const BatchCounts&, const BatchCounts&) = default;
};

class BatchManifest {
 public:
  // Refs must be distinct and not empty (batch_dup, value); at most max_items.
  static Result<BatchManifest> declare(BatchId id, std::string table, std::vector<std::string> refs,
                                       std::size_t max_items = 500);

  const BatchId& id() const { return id_; }
  const std::string& table() const { return table_; }
  std::span<const BatchItem> items() const { return items_; }
  const BatchItem* find(std::string_view ref) const;
  BatchCounts counts() const;
  bool is_finished() const;
  // The error a completion gets while items are open: names them (batch_pending).
  Result<void> check_finished() const;

  // Transitions; each returns the change it made, or why it cannot be (batch_item).
  Result<ItemMoved> start(std::string_view ref);
  Result<ItemMoved> complete(std::string_view ref, std::string_view result_ref);
  Result<ItemMoved> fail_item(std::string_view ref, std::string_view error, bool is_retriable);
  // Failed items become pending: those that are named, whatever they failed of; else every one that
  // may succeed as it was.
  BatchChanges retry(std::span<const std::string> named = {});
  // What failed is left as it is: a retry takes it up only where it is named.
  BatchChanges give_up();
  Result<void> fold(const ItemMoved& change);

  // Canonical JSON, both ways.
  Json to_json() const;
  static Result<BatchManifest> from_json(const Json& json);

 private:
  BatchManifest(BatchId id, std::string table) : id_(id), table_(std::move(table)) {}
  Result<ItemMoved> move(BatchItem item);
  BatchId id_;
  std::string table_;
  std::vector<BatchItem> items_;
};

}  // namespace alfred
