// The kitchen that batches are saved into: an empty one as a template, and fresh copies of it.
//
// R1 every measurement starts on its own copy, with the same rows in it: the pack's, no demo.
// R2 the batches are the same each time: 100 recipes with 12 ingredients each, whose links are refs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "../temporary_folder.h"
#include "engine/record_service.h"
#include "storage/open_store.h"

namespace alfred::bench {

inline constexpr std::size_t kBatchItems = 100;
inline constexpr std::size_t kBatchChildren = 12;
inline constexpr std::size_t kBatchRows = kBatchItems * (1 + kBatchChildren);
// Of one repetition; a workspace and its tables grow with them.
inline constexpr int kBatches = 12;

// Opens the kitchen in this database, which is made ours, with the refs of the ingredients known.
Result<std::unique_ptr<RecordService>> open_kitchen(const std::string& url);

// The calls that save one batch: declared, then written in calls of so many items.
class KitchenBatch {
 public:
  explicit KitchenBatch(std::size_t items_per_call);
  Result<void> save(RecordService& service);

 private:
  Json declared_;
  std::vector<Json> calls_;
};

}  // namespace alfred::bench
