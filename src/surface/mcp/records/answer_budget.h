// What a write or a batch is answered with, cut to what a model is shown at once.
//
// R1 an answer that fits is left as it is, byte for byte.
// R2 one that does not is cut at whole elements of its lists, with `truncated`, the number of all of them, and a
//    `hint` that says where the others are found.
// R3 of a batch what failed comes first, then what is open, then what is done; `counts` tells of all items.
// R4 the status of a batch goes on with a `cursor`: after that item, in the order of R3.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"

namespace alfred::mcp {

// Of db_create, db_update and db_delete, without a batch or with one.
std::string fitting_write(std::string answer, std::size_t tokens);

// Of working_set: `refs` and `has_more`.
std::string fitting_refs(JsonObject answer, std::size_t tokens);

// Which items of a batch are asked for.
struct BatchPart {
  std::string_view cursor{};         // empty: from the beginning
  std::vector<std::string> items{};  // empty: all
};
// Of the tool `batch`.
Result<std::string> fitting_batch(std::string answer, std::size_t tokens, const BatchPart& part);

}  // namespace alfred::mcp
