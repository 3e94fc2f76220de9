// From the options of `alfred db` to the parameters of a call.
#pragma once

#include "base/json/json.h"
#include "surface/cli/command.h"

namespace alfred::cli {

// "FIELD OP VALUE": the value as JSON where it is JSON, else as text; no value for is_null. A list
// of refs or words after in / not_in may be written with commas.
Result<Json> filter_of(std::string_view text);

// The parameters that --filter --columns --include --order --limit --cursor --count say, added to
// those of --params.
Result<Json> read_params(const Arguments& arguments, const Streams& streams);
// For create: --data, --batch, --dry-run. For update and delete: --ref too.
Result<Json> write_params(const Arguments& arguments, const Streams& streams);

}  // namespace alfred::cli
