// What a target is asked to be, read from a registration or from `targets`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inbox/store/sql.h"

namespace alfred::inbox {

struct TargetRequest {
  std::string kind;     // webhook, terminal, session, mcp
  std::string address;  // the URL, `socket|pane`, the session's id, or `mcp`
  Json config = JsonObject();
  std::optional<std::int64_t> lease_ms{};  // not given: as it was, 10 minutes at first
  std::optional<std::int64_t> min_unacked{};
  bool is_forced = false;  // takes a pane away from another agent
};

// {kind, url | tmuxPaneId, tmuxSocket?, forceRebind? | sessionId, activationMode?, notifyLeaseMs?,
// minUnackedItems?}
Result<TargetRequest> read_target(const Json& request);
std::string pane_address(std::string_view socket, std::string_view pane);
// A pane is one agent's; is_forced takes it away from another.
Result<void> claim_pane(Sql& sql, std::string_view agent, const TargetRequest& target);
Json put_target(Sql& sql, std::string_view agent, const TargetRequest& request);

}  // namespace alfred::inbox
