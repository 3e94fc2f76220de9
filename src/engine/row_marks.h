// What the rows of a call were before it and are after it, by digest, so that it can be told from
// the rows alone whether the call was committed (D13).
//
// R1 marks are taken at the end of the call's transaction: keys that the database made and what its triggers
//    wrote are in them.
// R2 done: a row is as the call left it, and none is as it was before. Not done: all are as they were before.
//    Anything else cannot be told, nor can a delete whose row is there and is another.
// R3 a mark holds no content, only digests, and the key.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "records/record_context.h"

namespace alfred {

enum class CallFate : std::uint8_t { done, not_done, unknown };

// Inside the transaction of the call (R1).
Result<std::string> mark_rows(Tx& tx, std::span<const RowEffect> effects);
// By what the rows are now (R2).
Result<CallFate> fate_of(Tx& tx, const Schema& schema, std::string_view marks);

}  // namespace alfred
