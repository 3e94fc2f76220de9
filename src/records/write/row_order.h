// The order in which rows of one table go, where they lead to one another: each before the one it
// leads to, so that the way back (undo_rows.h, R1) never meets a row whose parent is missing. In a
// circle any may be first; rows that lead nowhere keep their places among themselves.
#pragma once

#include <vector>

#include "records/write/row_writer.h"

namespace alfred {

void order_leading_first(const Table& table, std::vector<RowWriter::Doomed>& rows);

}  // namespace alfred
