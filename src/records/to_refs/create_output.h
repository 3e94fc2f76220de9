// What a create brought back: each new row gets its ref, matched to what it was saved from by
// lineage, never by position or title (D10).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pack/entity_types.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

struct CreatedRow {
  RecordKey key;
  std::string saved_from;  // the gen_ ref it was compiled from; empty: created straight
  std::string label;       // raw; masked before it is kept
};

// The refs of the created rows, in their order. All or nothing: on an error nothing is registered.
Result<std::vector<Ref>> translate_create_output(RefRegistry& registry, const EntityTypes& types,
                                                 std::string_view table,
                                                 std::span<const CreatedRow> rows);

}  // namespace alfred
