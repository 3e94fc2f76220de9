// The tools on records as MCP lists them: names, what they are for, what they take and give.
//
// R1 the whole list has fewer than 2,500 tokens, since a client pays for it in every conversation.
// R2 the order is always the same.
// R3 a server that only reads lists no tool that writes.
#pragma once

#include <string_view>

#include "base/json/json.h"

namespace alfred::mcp {

JsonArray record_tools(bool is_read_only);

// The rules of refs, said once.
std::string_view record_instructions();

}  // namespace alfred::mcp
