// Links that spell a key otherwise than its row does. To a database that compares keys without
// regard to case (NOCASE, citext) `de` leads to `DE`; a ref stands for a row, so the link is shown
// as the ref of the row that has the key `DE`.
//
// R1 only links to keys that are compared so are looked up, one query a table.
// R2 a link that leads nowhere stays as it is.
// R3 rows stay as they are stored: by that they are found again, also where such a link is part of their
//    own key, and by that a cursor goes on.
#pragma once

#include <vector>

#include "records/read/found_rows.h"
#include "records/to_refs/rows_to_refs.h"

namespace alfred {

// The links among `columns` of a table's rows, and those of nested rows, that are spelt otherwise
// than the keys of the rows they lead to.
Result<LinkSpellings> spellings_of_links(Tx& tx, const Schema& schema,
                                         const std::vector<const Field*>& columns,
                                         const FoundRows& found,
                                         const std::vector<NestedRows>& nested);

// Puts the rows' own keys into a column of rows that come from somewhere else: a link's values
// stand at `at`.
Result<void> name_linked_column(Tx& tx, const Schema& schema, const Field& link, std::size_t at,
                                std::vector<Row>& rows);

// The own key of the row that a link leads to.
Value spelt_as_its_row(const LinkSpellings& spellings, const Table& target, const Value& link);

// Whether a link may be spelt otherwise than the key it leads to (R1).
bool may_be_spelt_otherwise(const Field& field);

}  // namespace alfred
