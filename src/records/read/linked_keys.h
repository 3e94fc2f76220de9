// Links that spell a key otherwise than its row does. To a database that compares keys without
// regard to case (NOCASE, citext) `de` leads to `DE`; a ref stands for a row, so the link is shown
// as the row's own key.
//
// R1 only links to keys that are compared so are looked up, one query a table.
// R2 a link that leads nowhere stays as it is.
// R3 so does one that is part of its own row's key: the row is found by it. Spelt otherwise, it has a ref of its own.
#pragma once

#include <vector>

#include "records/read/found_rows.h"

namespace alfred {

// Puts the rows' own keys into the links among `columns` of a table's rows, and into those of
// nested rows. Gives the rows as they were where any of them changed.
Result<std::vector<Row>> name_linked_keys(Tx& tx, const Schema& schema, const Table& table,
                                          const std::vector<const Field*>& columns,
                                          FoundRows& found, std::vector<NestedRows>& nested);

// The same for one column of rows that come from somewhere else: a link's values stand at `at`.
Result<void> name_linked_column(Tx& tx, const Schema& schema, const Field& link, std::size_t at,
                                std::vector<Row>& rows);
// Whether a link may be spelt otherwise than the key it leads to (R1, R3).
bool may_be_spelt_otherwise(const Table& table, const Field& field);

}  // namespace alfred
