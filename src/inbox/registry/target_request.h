// What a target is asked to be, read from a registration or from `targets`.
#pragma once

#include <string>
#include <string_view>

#include "inbox/store/sql.h"

namespace alfred::inbox {

struct TargetRequest {
  std::string kind;     // webhook, terminal, session, mcp
  std::string address;  // the URL, `socket|pane`, the session's id, or `mcp`
  Json config = JsonObject();
  std::int64_t lease_ms = 600'000;
  std::int64_t min_unacked = 1;
};

// {kind, url | tmuxPaneId, tmuxSocket? | sessionId, activationMode?, notifyLeaseMs?,
// minUnackedItems?}
Result<TargetRequest> read_target(const Json& request);
std::string pane_address(std::string_view socket, std::string_view pane);
Json put_target(Sql& sql, std::string_view agent, const TargetRequest& request);

}  // namespace alfred::inbox
