// The MCP server of a place, as a command's options want it: for `alfred mcp` and for /mcp of
// `alfred serve`.
#pragma once

#include <memory>

#include "surface/cli/named_place.h"
#include "surface/mcp/records/record_features.h"
#include "surface/mcp/turns/turn_features.h"

namespace alfred::cli {

// --approve, --read-only, --turns. Error: usage.
Result<mcp::RecordServerOptions> record_server_options(const Arguments& arguments);

// With --tables and --turns. `secrets` are what no prompt of a turn may hold. Errors: usage, and
// those of opening the workspace. Those that serve the same clients have the same codes.
Result<std::unique_ptr<mcp::McpFeatures>> open_record_server(
    RecordPlace place, const Arguments& arguments, Ports& ports, std::vector<std::string> secrets,
    std::shared_ptr<mcp::ApprovalCodes> codes = {});

}  // namespace alfred::cli
