// Rows that a model typed, held against the constraints before they are written (D12a).
//
// R1 what always holds is held against every table that has all the places its check names: a list of things to buy
//    is no dish, though both have names. The goal's hold for the first table of its subdomain too.
// R2 nested rows written by themselves, and what an update says, are parts: they may not have what is forbidden.
#pragma once

#include <string_view>

#include "turn/scene.h"

namespace alfred {

// `params` of a db_create or db_update. Error: constraint.
Result<void> check_typed_rows(const Scene& scene, std::string_view tool, const JsonObject& params);

}  // namespace alfred
