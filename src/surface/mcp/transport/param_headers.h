// Arguments of tools that a client repeats in headers of its own (2026-07-28): a property of a
// tool's input schema with "x-mcp-header":"Region" stands in Mcp-Param-Region too.
//
// R1 only properties that are reached through `properties` alone, and that are texts, numbers or truths.
// R2 an argument that is null or not given has no header.
// R3 numbers compare as numbers, truths as `true` and `false`; a text may be wrapped (http.h, R3).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "surface/mcp/message.h"

namespace alfred::mcp {

struct ParamHeader {
  std::string header{};             // "Mcp-Param-Region"
  std::vector<std::string> path{};  // of names, from the arguments on
};
using ParamHeaders = std::map<std::string, std::vector<ParamHeader>, std::less<>>;  // by tool

ParamHeaders param_headers_of(const JsonArray& tools);

}  // namespace alfred::mcp
