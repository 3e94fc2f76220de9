// Our own tables in a PostgreSQL database: made and brought to the newest version.
//
// R1 one transaction, one process at a time (an advisory lock): a step is done once or not at all.
// R2 a database of a newer version is refused and left as it is.
// R3 a login that may not make tables can open what another one made.
// R4 a pack's tables are made from its portable schema.sql, in the default schema; each with an owner gets
//    forced row-level security by app.tenant, the second wall behind the builder's condition. It
//    binds neither superusers nor roles with BYPASSRLS: a server should log in as neither.
#pragma once

#include <string>

#include "alfred/error.h"
#include "storage/open_store.h"
#include "storage/postgres/pg_session.h"

namespace alfred {

Result<void> migrate(PgSession& session, const StoreOptions& options);
Result<void> add_op_table(PgSession& session);
// At which version `migrate` installed a pack here; 0: it did not, or nothing of ours can be seen.
Result<int> installed_version(PgSession& session, std::string_view pack);

std::string row_security_ddl(const PackTables& pack);

}  // namespace alfred
