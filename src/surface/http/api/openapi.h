// /openapi.json: OpenAPI 3.1 of the route table, with the schemas that bodies and answers follow.
#pragma once

#include "base/json.h"

namespace alfred::http {

Json openapi();
// The schemas by name: {"Session":{…},…}.
Json api_schemas();

}  // namespace alfred::http
