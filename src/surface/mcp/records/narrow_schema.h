// The part of a schema that a server was told to offer.
//
// R1 a table that is left out does not exist: no column, nested rows or search leads to it, and a column whose
//    values are its keys is hidden.
// R2 read-only: no row of any table can be written, whatever the tools say.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "pack/schema.h"

namespace alfred::mcp {

// No tables: all of them. Errors: table, for a name that is none; usage, where a table that is left
// out has keys that name rows of one that stays, which it says; schema, where the rest is no
// schema.
Result<std::shared_ptr<const Schema>> narrow_schema(const Schema& schema,
                                                    std::span<const std::string> tables,
                                                    bool is_read_only);

// An error of a create that failed because a column which is hidden has no value: with the columns,
// and why they cannot be given. Any other error stays.
Error with_hidden_columns(Error error, const Table& table);

}  // namespace alfred::mcp
