// JSON rows as a table that people read: a column for each scalar member, nested rows indented
// below the row they belong to.
//
// R1 a cell is one line of at most 48 characters; what is longer ends in `…`.
// R2 a ref that `labels` names stands with its label: book_1 (Dune).
// R3 control characters are shown escaped: no cell can move the cursor or forge a line.
#pragma once

#include <string>

#include "base/json/json.h"

namespace alfred::cli {

std::string rows_table(const JsonArray& rows, const JsonObject& labels = {});

}  // namespace alfred::cli
