// Generated content as rows for db_create: {"rows":[…],"discrepancies":[…]}.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "pack/pack.h"
#include "pack/schema.h"

namespace alfred {

using NamedContent = std::pair<std::string, const JsonObject*>;

Result<JsonObject> compile_rows(const Schema& schema, const PackEntity& entity,
                                const std::vector<NamedContent>& artifacts);

}  // namespace alfred
