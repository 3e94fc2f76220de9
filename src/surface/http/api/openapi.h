// /openapi.json: OpenAPI 3.1 of the route table, with the schemas that bodies and answers follow.
#pragma once

#include <string_view>

#include "base/json/json.h"

namespace alfred::http {

// Of the routes whose path begins so; the paths are then told without it.
Json openapi(std::string_view base = "");
// The schemas by name: {"Session":{…},…}.
Json api_schemas();
JsonObject inbox_schemas();

}  // namespace alfred::http
