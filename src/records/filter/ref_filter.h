// The filter that names rows by their refs, {"field":"_ref","op":"in","value":[…]}, read without a
// way through JSON in keys: what `refs` of a tool's call becomes.
//
// R1 gives exactly what FilterReader gives, or nothing: where anything is to be repaired, refused, counted
//    or served from what is not saved yet.
#pragma once

#include <optional>
#include <string>

#include "records/filter/row_filter.h"
#include "records/record_context.h"

namespace alfred {

struct RefFilter {
  RowFilter filter;
  std::string shaped;  // the filters as FilterReader::shape() has them, as JSON
};

std::optional<RefFilter> read_ref_filter(const RecordContext& context, const Table& table,
                                         const Json& filters);

}  // namespace alfred
