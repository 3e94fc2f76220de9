// From the database to the model: JSON rows in, the same rows in refs out, in one pass over the
// bytes.
//
// R1 only what must be replaced is replaced: the row's key, links, nested rows' keys, and key-shaped text
//    in prose (as lit_n). Everything else is copied byte for byte: numbers, escapes, white space,
//    order.
// R2 a key not seen before is registered: the row's own as read, a link's as linked (D6).
// R3 malformed input is an error with the byte offset, and nothing is registered.
// R4 the same bytes into the same registry give the same bytes.
// R5 a link that is spelt otherwise than the key of its row becomes that row's ref; where it is also part of
//    its own row's key, that key keeps the spelling.
// R6 one object, an array of objects, or any number of these one after the other (NDJSON); nothing at
//    all is no rows, not an error.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "alfred/error.h"
#include "base/byte_buffer.h"
#include "pack/entity_types.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

// By the type of their refs: how links are spelt where that is otherwise than the key of the row
// they lead to → that key (linked_keys.h).
using LinkSpellings =
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>>;

struct RowsOptions {
  bool masks_prose = true;       // off only where the text columns are known to hold no keys
  bool masks_names = true;       // off where all columns of rows are those of a schema
  std::size_t max_depth = 1000;  // of nesting; protects the stack
  // The links that show a row by another spelling than its own; a row's own key is what it holds.
  const LinkSpellings* spellings = nullptr;
};

// Appends the translation of `json`, rows of `table`, to out. On an error out and the registry are
// as before. Begins a transaction of the registry; changes() says what was registered.
Result<void> translate_read_output(RefRegistry& registry, const EntityTypes& types,
                                   std::string_view table, std::string_view json, ByteBuffer& out,
                                   const RowsOptions& options = {});

}  // namespace alfred
