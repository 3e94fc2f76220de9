// What an undo did, in refs (undo_rows.h).
#pragma once

#include <span>

#include "records/write/row_writer.h"

namespace alfred {

// Rows are as the writer has them, each maybe more than once; what was noted is in the registry.
JsonObject undone_answer(const RecordContext& context, std::span<const WrittenRow> rows);

}  // namespace alfred
