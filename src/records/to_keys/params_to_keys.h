// From the model to the database: the parameters of a db_* call in refs in, the same in keys out.
//
// R1 by column, never by shape: only the key columns of the table are translated; `route_66` in a text
//    column is text. `lit_n` in any other text is restored to the text it stands for.
// R2 in a key column only a live ref of the column's type is accepted (or null). A key is refused there
//    even when it is right.
// R3 all or nothing: with one bad ref in a list, the call is refused and every bad one is named.
// R4 what is not replaced is copied byte for byte.
// R5 the registry does not change, nor does its open transaction.
// R6 an error is at most 400 bytes and repeats no key, whatever stands in the call.
#pragma once

#include <cstddef>
#include <string_view>

#include "alfred/error.h"
#include "base/byte_buffer.h"
#include "pack/entity_types.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

struct ParamsOptions {
  std::size_t max_list = static_cast<std::size_t>(-1);  // refs in one list
  std::size_t max_depth = 1000;
};

struct ParamsReport {
  std::size_t refs = 0;       // translated
  std::size_t collapsed = 0;  // refs that stood in a list more than once, and were taken once
};

// The whole parameters: an object with `filters`, `or_filters` or `data`; other members are copied.
// Filters may be null, which means none; data may not.
Result<ParamsReport> translate_params(const RefRegistry& registry, const EntityTypes& types,
                                      std::string_view table, std::string_view json,
                                      ByteBuffer& out, const ParamsOptions& options = {});

// An array of filters: {"field","op","value"}, or a group {"any":[…]} or {"all":[…]} of them,
// beside which nothing else stands. The ref of a row with a composite key becomes the key's
// columns: `field` their names, each value a list; in a row to write, those columns that the row
// does not hold.
Result<ParamsReport> translate_filters(const RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::string_view json,
                                       ByteBuffer& out, const ParamsOptions& options = {});

// A row to write, or an array of rows.
Result<ParamsReport> translate_payload(const RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::string_view json,
                                       ByteBuffer& out, const ParamsOptions& options = {});

}  // namespace alfred
