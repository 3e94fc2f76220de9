// The revisions of MCP that are spoken here, and the names that 2026-07-28 puts into `_meta`.
#pragma once

#include <array>
#include <string_view>

namespace alfred::mcp {

inline constexpr std::string_view kModern = "2026-07-28";
// Newest first: what a client is offered that asks for one that is not here.
inline constexpr std::array<std::string_view, 2> kLegacy{"2025-11-25", "2025-06-18"};

inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaServer = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kMetaSubscription = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";

inline constexpr std::array<std::string_view, 8> kLogLevels{
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

}  // namespace alfred::mcp
