#include "surface/mcp/inbox/inbox_page.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "surface/mcp/visible/visible_json.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kScheme = "inbox://";
constexpr std::string_view kJsonType = "application/json";

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// R1: how many of the entries fit.
std::size_t fitting(const JsonArray& entries) {
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const Json& entry : entries) {
    bytes += write_json(entry).size();
    if (count > 0 && bytes > kMostInboxBytes) break;
    ++count;
  }
  return count;
}

}  // namespace

std::string inbox_uri(std::string_view agent) {
  std::string out(kScheme);
  for (const char c : agent)
    if (is_plain(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// One address, one agent: what inbox_uri() would have written in another way is none.
std::optional<std::string> inbox_agent(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  std::string agent;
  for (std::size_t at = kScheme.size(); at < uri.size(); ++at) {
    if (uri[at] != '%') {
      agent += uri[at];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = uri.substr(at + 1, 2);
    const auto [end, wrong] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (wrong != std::errc() || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
    agent += static_cast<char>(byte);
    at += 2;
  }
  if (agent.empty() || inbox_uri(agent) != uri) return std::nullopt;
  return agent;
}

JsonObject inbox_resource(const std::string& agent) {
  return {{"uri", inbox_uri(agent)},
          {"name", agent},
          {"description", "What came to this agent and is not acked"},
          {"mimeType", kJsonType}};
}

Result<Json> inbox_page(Inbox& inbox, std::string_view agent, const inbox::ReadEntries& wanted) {
  Result<Json> page = inbox.entries(agent, wanted);
  if (!page) return page;
  JsonArray entries = page->at("entries").as_array();
  const std::size_t all = entries.size();
  entries.resize(fitting(entries));
  const bool has_more = page->at("hasMore").as_bool() || entries.size() < all;
  return JsonObject{{"entries", std::move(entries)}, {"has_more", has_more}};
}

McpOutcome inbox_content(const std::string& uri, const Result<Json>& page) {
  if (!page)
    return RpcError{RpcCode::resource_missing, page.error().message, JsonObject{{"uri", uri}}};
  return JsonObject{{"contents", JsonArray{JsonObject{{"uri", uri},
                                                      {"mimeType", kJsonType},
                                                      {"text", visible_json(write_json(*page))}}}}};
}

}  // namespace alfred::mcp
