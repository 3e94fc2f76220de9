// Waker: the port to whatever wakes an agent: a webhook, a tmux pane, an Alfred session, an MCP
// client.
#pragma once

#include <string>

#include "base/json/json.h"

namespace alfred {

struct WakeRequest {
  std::string kind;  // webhook, terminal, session, mcp
  std::string activation, target, agent, inbox;
  std::string address, secret;
  Json config;
  std::int64_t unacked = 0;
  std::string latest_entry;
  std::string preview;  // of the latest entry; written by strangers
  Json entries;         // what is unacked, where the target asked for it; else null
  std::int64_t at_ms = 0;
};

struct WakeOutcome {
  enum class Kind : std::uint8_t {
    delivered,
    busy,    // not now: tried again soon, without being a failure
    failed,  // tried again later
    gone     // the target is no more: it goes offline
  };
  Kind kind = Kind::delivered;
  std::string reason{};
};

class Waker {
 public:
  Waker() = default;
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;
  virtual ~Waker() = default;
  virtual WakeOutcome wake(const WakeRequest& request) = 0;
  // Looks whether the target is there, without waking anybody. Who cannot tell says `delivered`.
  virtual WakeOutcome probe(const WakeRequest&) { return {}; }
};

// Who wakes which kind; a kind without one waits until somebody who has it runs.
struct Wakers {
  Waker* webhook = nullptr;
  Waker* terminal = nullptr;
  Waker* session = nullptr;
  Waker* mcp = nullptr;
  std::string only_agent{};  // empty: whoever is due

  Waker* of(const std::string& kind) const {
    if (kind == "webhook") return webhook;
    if (kind == "terminal") return terminal;
    if (kind == "session") return session;
    return kind == "mcp" ? mcp : nullptr;
  }
};

}  // namespace alfred
