// What a PostgreSQL database says of its tables.
//
// R1 tables and views of all schemas but the system's, extensions' and our own; a table of the default
//    schema (the first of the search path that exists) by its bare name.
// R2 what the login may not read does not exist, single columns included: no key or link has them. Of
//    what it may read it says whether it may be written, and which columns hold keys of what it may
//    not read: those of foreign keys, and those of views.
// R3 a domain is given as the type it is made of.
// R4 a partitioned table is one table; its parts are not listed.
#pragma once

#include "alfred/error.h"
#include "pack/catalogue.h"
#include "storage/postgres/pg_tx.h"

namespace alfred {

Result<Catalogue> read_catalogue(PgTx& tx);

// The values of CHECK ((x = ANY (ARRAY['a'::text, 'b'::text]))); none where it says anything else.
std::vector<std::string> values_of_check(std::string_view definition);

}  // namespace alfred
