#include "surface/cli/mcp/mcp_inbox.h"

#include <chrono>
#include <future>

#include "surface/mcp/inbox/inbox_features.h"

namespace alfred::cli {

// R2. The endpoint serves one thread: what it is to say is an errand there.
class McpInbox::Teller final : public Waker {
 public:
  Teller(mcp::McpEndpoint& endpoint, mcp::Errands& errands)
      : endpoint_(endpoint), errands_(errands) {}

  WakeOutcome wake(const WakeRequest& request) override {
    const auto told = std::make_shared<std::promise<bool>>();
    std::future<bool> answer = told->get_future();
    errands_.add([this, told, uri = mcp::inbox_uri(request.agent)] {
      const bool is_watched = endpoint_.is_watched(uri);
      if (is_watched) endpoint_.tell({"notifications/resources/updated", uri});
      told->set_value(is_watched);
    });
    if (answer.wait_for(std::chrono::seconds(1)) != std::future_status::ready)
      return {WakeOutcome::Kind::busy, "The server is answering a request."};
    if (!answer.get()) return {WakeOutcome::Kind::busy, "No client has subscribed to the inbox."};
    return {};
  }

 private:
  mcp::McpEndpoint& endpoint_;
  mcp::Errands& errands_;
};

McpInbox::McpInbox(std::unique_ptr<NamedInbox> opened, std::string agent)
    : opened_(std::move(opened)), agent_(std::move(agent)) {}

Result<std::unique_ptr<McpInbox>> McpInbox::open(const Arguments& arguments,
                                                 const Streams& streams) {
  Result<std::unique_ptr<NamedInbox>> opened =
      NamedInbox::open(arguments.text("--inbox-db"), streams);
  if (!opened) return Unexpected(std::move(opened).error());
  const std::string agent = arguments.text("--inbox");
  const Result<Json> registered =
      (*opened)->inbox().register_agent(JsonObject{{"agentId", agent}, {"backend", "mcp"}});
  if (!registered) return Unexpected(registered.error());
  return std::unique_ptr<McpInbox>(new McpInbox(std::move(*opened), agent));
}

std::unique_ptr<mcp::McpFeatures> McpInbox::offered_with(std::unique_ptr<mcp::McpFeatures> base) {
  return std::make_unique<mcp::InboxFeatures>(std::move(base), opened_->inbox(), agent_);
}

void McpInbox::start(mcp::McpEndpoint& endpoint) {
  teller_ = std::make_unique<Teller>(endpoint, errands_);
  InboxRunner::Options options;
  options.more.mcp = teller_.get();
  options.more.only_agent = agent_;
  options.wakes_others = false;
  options.at_once = 1;
  runner_.emplace(opened_->inbox(), opened_->clock(), std::move(options));
}

}  // namespace alfred::cli
