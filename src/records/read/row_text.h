// Rows as JSON text with their keys, nested rows inside: what the translator (rows_to_refs.h) is
// given, and nobody else.
//
// R1 every row's key is there, so that its ref is; hidden columns never are.
// R2 a key that no ref can stand for (bytes, no UTF-8) is null: the row is shown without a ref.
#pragma once

#include <string>

#include "records/read/found_rows.h"

namespace alfred {

// Appends the row with this number.
void append_row_text(const ReadRequest& request, const FoundRows& found,
                     const std::vector<NestedRows>& nested, std::size_t row, std::string& out);

// A value that is no key, as the translator is given it.
void append_value_text(const Field& field, const Value& value, std::string& out);

}  // namespace alfred
