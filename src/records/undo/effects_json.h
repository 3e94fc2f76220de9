// What calls changed, as text: kept beside the journal, so that it can be taken back later.
//
// R1 what is read is what was written, every kind of value included: whole numbers stay apart from others,
//    bytes and texts of no encoding come back byte for byte.
// R2 columns are kept by name. What was kept of a table or a column that the schema has no more cannot
//    be read: the error `conflict` says so, in words for a model.
// R3 it holds keys: it is for our own tables and never reaches a model.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_context.h"

namespace alfred {

Json value_json(const Value& value);
Result<Value> read_value(const Json& json);

std::string write_effects(std::span<const RowEffect> effects);
Result<std::vector<RowEffect>> read_effects(const Schema& schema, std::string_view text);

}  // namespace alfred
