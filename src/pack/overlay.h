// A pack laid over a database: the catalogue is the truth, pack.toml says what it means.
//
// R1 a table or column that the pack names and the database has not is an error at its place in
//    pack.toml, with what the database has.
// R2 what the pack does not say is derived (derive.h).
// R3 tables that the pack does not declare are left out, unless it says `undeclared = "show"`; a
//    column that leads to one of them is hidden, since nothing could stand for its key.
// R4 a link has the type of the key it leads to.
// R5 a declared type must be one that the database's column can hold.
#pragma once

#include "alfred/error.h"
#include "pack/catalogue.h"
#include "pack/pack.h"
#include "pack/schema.h"

namespace alfred {

Result<Schema> overlay(const Pack& pack, const Catalogue& catalogue);

}  // namespace alfred
