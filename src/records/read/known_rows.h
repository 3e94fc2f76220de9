// Rows in refs straight from their values, where they hold nothing that is new: what is read again
// and again is neither written in keys first nor learned column by column.
//
// R1 gives exactly the text that the translator (rows_to_refs.h) gives of the same rows, or nothing: where a key or
//    a link is not known as that of a live row, a text may have to be hidden, a label has changed,
//    or a row has JSON, nested rows or a key that is no single uuid or integer.
// R2 registers nothing; of rows it gives a text of the translator would register nothing either, names of types
//    apart.
#pragma once

#include <optional>
#include <string>

#include "records/read/found_rows.h"

namespace alfred {

// The first so many of the rows found, as a JSON array.
std::optional<std::string> known_rows_text(const RecordContext& context, const ReadRequest& request,
                                           const FoundRows& found, std::size_t rows);

}  // namespace alfred
