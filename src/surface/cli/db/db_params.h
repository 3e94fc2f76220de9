// From the options of `alfred db` to the parameters of a call.
#pragma once

#include "base/json/json.h"
#include "pack/schema.h"
#include "surface/cli/command.h"

namespace alfred::cli {

// "FIELD OP VALUE": the value as JSON where it is JSON, else as text; no value for is_null. A list
// after in, not_in, contains_any or between may be written with commas. Where the table is known a
// number or a truth value means a text in columns of texts, dates and refs.
Result<Json> filter_of(std::string_view text, const Table* table = nullptr);
// What read_params and write_params made of --filter, read once more by the table's columns.
Result<Json> fitted_filters(Json params, const Arguments& arguments, const Table* table);

// The parameters that --filter --columns --include --order --limit --cursor --count say, added to
// those of --params.
Result<Json> read_params(const Arguments& arguments, const Streams& streams);
// For create: --data, --batch, --dry-run. For update and delete: --ref too.
Result<Json> write_params(const Arguments& arguments, const Streams& streams);

}  // namespace alfred::cli
