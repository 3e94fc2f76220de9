// A database of ours with a pack's tables: made, or brought to its version.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "pack/pack.h"
#include "pack/schema.h"
#include "storage/open_store.h"

namespace alfred {

struct OwnPack {
  std::unique_ptr<RecordStore> rows;
  std::shared_ptr<const Schema> schema;
};
struct PackHome {
  DatabaseUrl url;
  int version = 0;  // of the pack that is in it; 0: not known
};
// Puts rows into a database that is being made.
using FirstRows = std::function<Result<void>(NewDatabase&, const Schema&)>;
Result<OwnPack> open_own_pack(const PackHome& home, const Pack& pack, StoreOptions options,
                              const FirstRows& first_rows = nullptr);

// What is ours in it, whatever the pack.
std::vector<StateTables> own_tables();

}  // namespace alfred
