// From what a model asks of a tool to the call on the records.
//
// R1 a read step only reads.
// R2 `refs` of generated content become its compiled rows, whole; what did not fit is told (28c).
// R3 in a batch, rows that are named by filters become rows that name their items, so every item ends with its
//    row; a call on another table than the batch's is a call of its own.
// R4 what is to be written is held against the constraints first (D12a, checked_rows.h).
// R5 rows that were only found by search are not changed before the user was asked (asked_first.h).
#pragma once

#include "turn/scene.h"

namespace alfred {

struct ToolCall {
  RecordCall call{};
  std::vector<std::string> discrepancies{};
};

// Errors: tool, schema, ref_unknown, constraint, plan.
Result<ToolCall> make_tool_call(const Scene& scene, std::uint32_t step, std::string tool,
                                Json params);

}  // namespace alfred
