// Columns that hold keys although no foreign key says so (D4, D33).
//
// R1 a key of one column that no ref can stand for (a number with a fraction, a truth, json) is hidden,
//    and so are the foreign keys that lead to it.
// R2 `author_id` (or authorId) without a foreign key is a link where one table is called so (author,
//    authors), has a key of one column and the types agree; `parent_id` leads to its own table
//    where no other is meant.
// R3 a view's column that is a key or a link of a table is a link. One that is computed of keys is
//    hidden, and so are all columns of a UNION in which keys meet something else.
// R4 a column of a foreign key of several columns, or of one that leads to no key, is a link where what it leads to is one, or is its table's
//    whole key: (order_id, product_id) of a return are links as those of the order line they lead
//    to.
// R5 a column that holds keys of what the login may not read is hidden, unless it is a link all the
//    same or its table's whole key; a key of several columns with one of those is none.
// R6 a column of a foreign key that is no link and leads to a part of a key of several columns is such a
//    part too, and so is a view's column that comes from one. What a view computes where it reads a
//    table with such columns is taken for one.
#pragma once

#include <vector>

#include "pack/catalogue.h"
#include "pack/schema.h"

namespace alfred {

void hide_odd_key(Table& table);
// `sources` are the tables' own in the catalogue, in the same order.
void hide_odd_links(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables);
void hide_out_of_sight(const std::vector<const CatalogueTable*>& sources,
                       std::vector<Table>& tables);
void link_parts(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables);
void link_by_name(std::vector<Table>& tables);
void mark_key_parts(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables);
void link_views(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables);

}  // namespace alfred
