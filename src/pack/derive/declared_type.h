// What a column holds, by the type its database declares for it.
//
// R1 one table serves SQLite and PostgreSQL: a name means the same on both, whatever its case and
//    its length in brackets.
// R2 a name that is in no table follows SQLite's affinity: INT → integer; CHAR, CLOB, TEXT → text;
//    BLOB → bytes; REAL, FLOA, DOUB → number. Anything else is text.
// R3 an array of texts is a list; any other array is json that is only read.
#pragma once

#include <string_view>

#include "pack/schema.h"

namespace alfred {

struct DeclaredType {
  FieldType type = FieldType::text;
  bool is_read_only = false;  // we can show it, and would not write it right
  bool is_uuid_text = false;  // char(36): a text that is made for uuids
};

DeclaredType read_declared_type(std::string_view declared);

}  // namespace alfred
