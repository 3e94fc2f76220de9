// Rows that a call names by `refs`: a filter like others to who reads the call, and a place of its
// own in what is told of it.
//
// R1 refs become the first filter, `_ref in […]`, before those that the call has; all else stays.
// R2 an error's path is told as the call had it: of the first filter it is refs, the second is
//    filters[0]; where the call has no filters, what is said of them is said of refs.
#pragma once

#include <string>

#include "base/json/json.h"

namespace alfred {

JsonObject with_ref_filter(JsonObject call);
std::string path_as_given(std::string path, const JsonObject& call);

}  // namespace alfred
