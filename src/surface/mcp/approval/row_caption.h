// What a row without a label is known by when a person is asked about it.
//
// R1 a column that the database keeps unique and that is no key, a text before any other; else the first text.
// R2 never a key, a link or what is hidden.
#pragma once

#include "pack/schema.h"

namespace alfred::mcp {

// Null: there is none.
const Field* caption_field(const Table& table);

}  // namespace alfred::mcp
