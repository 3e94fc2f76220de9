// An inbox as an MCP resource: its address, and what is shown of it.
//
// R1 a page has at most kMostInboxBytes, cut at whole entries; one entry that is longer comes alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inbox/inbox.h"
#include "surface/mcp/features.h"

namespace alfred::mcp {

inline constexpr std::size_t kMostInboxBytes = 24'000;
inline constexpr std::int64_t kInboxPage = 20;  // entries, where nobody says how many

// inbox://<agent>, and back; nothing: it is no such address.
std::string inbox_uri(std::string_view agent);
std::optional<std::string> inbox_agent(std::string_view uri);
// As resources/list has it.
JsonObject inbox_resource(const std::string& agent);
// {"entries":[…],"has_more":…}.
Result<Json> inbox_page(Inbox& inbox, std::string_view agent, const inbox::ReadEntries& wanted);
// A page as resources/read gives it.
McpOutcome inbox_content(const std::string& uri, const Result<Json>& page);

}  // namespace alfred::mcp
