// What a SELECT does with columns that hold keys, told from its words before it runs (D4).
//
// R1 a key column (a table's key of one column, or a link) is shown as it is, compared, joined, counted,
//    ordered and grouped by. Every other use is refused: upper(id), id || '', max(id), a row as a
//    whole.
// R2 a name that a key column is given (AS, a column of WITH) is a key column.
// R3 UNION and the like take keys of one table into a column, or none.
// R4 columns that are keys by R2 and R3, and of which a database does not say so, are named in `shown`.
// R5 what words alone cannot tell apart is refused, and the message says how to write it: a text or one of
//    SQL's own words as a name, names given to the columns of a table, TABLE t.
// It knows a column by its name and by the tables that the SELECT names, so it may refuse what is
// harmless; it is never asked to understand SQL, only to see that nothing else is done.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "pack/schema.h"
#include "pack/sql/sql_words.h"

namespace alfred {

struct KeyUse {
  // Names of result columns, in lower case → the table whose keys they are; null: of several.
  std::map<std::string, const Table*, std::less<>> shown;

  // The table whose keys a column of this name holds of which the database says nothing; null:
  // none. Refused where they are of several tables.
  Result<const Table*> owner_of(std::string_view column) const;
};

Result<KeyUse> read_key_use(std::string_view sql, std::span<const Table* const> tables,
                            Brackets brackets);

// The tables with parts of keys of several columns (Field::is_key_part) that the SELECT names:
// these parts may be used in any way, so what is computed may show one.
std::vector<const Table*> named_with_key_parts(std::string_view sql,
                                               std::span<const Table* const> tables,
                                               Brackets brackets);

}  // namespace alfred
