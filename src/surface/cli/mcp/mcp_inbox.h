// `alfred mcp --inbox AGENT`: the agent's inbox for the client at the other end.
//
// R1 the agent is registered when it is new; its target `mcp` is what wakes it.
// R2 a wake-up is notifications/resources/updated for inbox://AGENT. It counts as delivered when the client has
//    subscribed to that; else it is tried again later.
#pragma once

#include <memory>
#include <optional>

#include "inbox/inbox_runner.h"
#include "surface/cli/inbox/named_inbox.h"
#include "surface/mcp/endpoint.h"
#include "surface/mcp/transport/errands.h"

namespace alfred::cli {

class McpInbox {
 public:
  static Result<std::unique_ptr<McpInbox>> open(const Arguments& arguments, const Streams& streams);
  std::unique_ptr<mcp::McpFeatures> offered_with(std::unique_ptr<mcp::McpFeatures> base);
  // Wake-ups go to this endpoint until stop().
  void start(mcp::McpEndpoint& endpoint);
  void stop() { runner_.reset(); }
  mcp::Errands& errands() { return errands_; }

 private:
  class Teller;
  McpInbox(std::unique_ptr<NamedInbox> opened, std::string agent);

  std::unique_ptr<NamedInbox> opened_;
  std::string agent_;
  mcp::Errands errands_;
  std::unique_ptr<Waker> teller_;
  std::optional<InboxRunner> runner_;
};

}  // namespace alfred::cli
