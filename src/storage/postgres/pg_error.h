// From what PostgreSQL says to what a caller is told.
//
// R1 a broken constraint is `conflict` and names the columns that callers know, never a value.
// R2 what may not be touched looks like what does not exist.
// R3 timeouts are `busy`: nothing was done, trying again is right.
// R4 `detail` holds the SQLSTATE and the constraint; the server's own words only where they quote no row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alfred/error.h"
#include "pack/schema.h"
#include "storage/postgres/pg_session.h"
#include "storage/row_plans.h"

namespace alfred {

struct FaultPlace {
  const Table* table = nullptr;         // what the plan was on
  std::vector<std::string> columns{};   // of the constraint, as the database names them
  std::string rule{};                   // of a check, its expression
  std::span<const FieldValue> given{};  // what the statement carried
  std::string_view right{};             // which the statement needs, by its name in GRANT
  bool is_write = false;                // where it happened: a transaction that may write
};

Error error_of(const PgFault& fault, const FaultPlace& place = {});
// A server that cannot be reached; `identity` is host, port and name.
Error unreachable(const PgFault& fault, const std::string& identity);

bool is_rerun(const PgFault& fault);  // 40001, 40P01 and plans that a change of schema made invalid

}  // namespace alfred
