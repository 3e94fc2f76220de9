// A tool's answer as MCP says it, and a tool's arguments as the engine takes them.
//
// R1 a tool's error is a result with isError that names what came, what is allowed and what to call next.
#pragma once

#include <string>

#include "alfred/error.h"
#include "base/json/json.h"
#include "surface/mcp/features.h"

namespace alfred::mcp {

// A tool's result with this answer, which is JSON on one line, as text and, where it is an object,
// as structured content.
WrittenResult tool_result(std::string_view answer);
// R1. Paths are those of the call as it came: the engine was given its refs as the first filter.
JsonObject tool_error(const Error& error, const JsonObject& arguments);
JsonObject tool_error(const std::string& text);
// The engine's parameters: `refs` as the first of the filters, and none of what is MCP's own.
JsonObject engine_params(const JsonObject& arguments);

}  // namespace alfred::mcp
