#include "inbox/registry/target_request.h"

#include "inbox/fields.h"
#include "inbox/registry/web_address.h"

namespace alfred::inbox {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

// %3: nothing else is given to tmux as the name of a pane.
bool is_pane(std::string_view pane) {
  return pane.size() >= 2 && pane.size() <= 12 && pane[0] == '%' &&
         pane.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

void read_webhook(Fields& fields, TargetRequest& out) {
  out.address = fields.text("url");
  if (!out.address.empty())
    if (const Result<void> good = check_web_address(out.address); !good)
      fields.refuse(good.error().code, good.error().message, "url");
  const std::string mode =
      fields.choice("activationMode", {"activation_only", "activation_with_items"});
  if (!mode.empty()) out.config = JsonObject{{"activationMode", mode}};
}

void read_pane(Fields& fields, TargetRequest& out) {
  const std::string pane = fields.text("tmuxPaneId");
  const std::string socket = fields.maybe_text("tmuxSocket").value_or("");
  if (!pane.empty() && !is_pane(pane))
    fields.refuse(ErrorCode::value, "tmuxPaneId is what $TMUX_PANE says, such as %3.",
                  "tmuxPaneId");
  out.address = pane_address(socket, pane);
  out.config = JsonObject{{"tmuxPaneId", pane}, {"tmuxSocket", socket}};
}

void read_session(Fields& fields, TargetRequest& out) {
  const std::string session = fields.text("sessionId");
  const Result<std::string> id = id_text<IdKind::session>(session);
  if (!id) fields.refuse(id.error().code, id.error().message, "sessionId");
  out.address = session;
}

}  // namespace

std::string pane_address(std::string_view socket, std::string_view pane) {
  return std::string(socket) + "|" + std::string(pane);
}

Result<TargetRequest> read_target(const Json& request) {
  Fields fields(request, {"kind", "url", "activationMode", "tmuxPaneId", "tmuxSocket", "sessionId",
                          "notifyLeaseMs", "minUnackedItems", "forceRebind"});
  TargetRequest out;
  out.kind = fields.choice("kind", {"webhook", "terminal", "session", "mcp"});
  if (out.kind == "webhook") read_webhook(fields, out);
  if (out.kind == "terminal") read_pane(fields, out);
  if (out.kind == "session") read_session(fields, out);
  if (out.kind == "mcp") out.address = "mcp";
  if (out.kind.empty())
    fields.refuse(ErrorCode::schema, "kind is webhook, terminal, session or mcp.", "kind",
                  {"webhook", "terminal", "session", "mcp"});
  out.lease_ms = fields.maybe_number("notifyLeaseMs", 0, kDayMs);
  out.min_unacked = fields.maybe_number("minUnackedItems", 1, 10'000);
  out.is_forced = fields.maybe_flag("forceRebind").value_or(false);
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  return out;
}

}  // namespace alfred::inbox
