// SQLite's result codes as our errors.
//
// R1 a broken constraint is `conflict` and names columns, never values; columns that callers do not see
//    are left out.
// R2 busy, locked and interrupted → busy; full, I/O and permissions → storage; corrupt and "not a
//    database" → corrupt.
// R3 SQLite's own words go to `detail` only.
#pragma once

#include <string>

#include "alfred/error.h"
#include "pack/schema.h"

struct sqlite3;

namespace alfred {

// `table`: whose rows were changed, to know its hidden columns; may be null.
Error sqlite_error(sqlite3* database, int code, const Table* table = nullptr);

// After these nothing a connection says can be trusted.
bool is_io_failure(int code);

}  // namespace alfred
