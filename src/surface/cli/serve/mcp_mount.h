// /mcp of `alfred serve`: MCP over HTTP, both eras, behind the gate.
//
// R1 the workspace is opened by the first request, so that a server nobody speaks MCP to does without it; what
//    went wrong is answered, and tried again by the next.
// R2 all requests act for the server's user, who is the principal.
// R3 calls run beside each other, each on a copy of the workspace that knows all that was answered before.
// R4 a span of it has the names of OpenTelemetry's MCP and GenAI conventions, and no word of a user's.
// R5 a cancellation, and the end of a session, do not wait behind the calls that they are for.
// R6 where there is an inbox, who watches inbox://<agent> is told what comes to it, until stop_watching().
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "surface/http/api/mount.h"
#include "surface/mcp/inbox/inbox_watch.h"
#include "surface/mcp/transport/http.h"

namespace alfred::cli {

class McpMount final : public http::Mount {
 public:
  static constexpr std::size_t kMostAtOnce = 4;  // calls
  using Open = mcp::FeaturePool::Open;
  struct Ports {
    const Clock& clock;
    Random& random;
    Inbox* inbox = nullptr;
  };
  McpMount(Open open, std::string principal, Ports ports)
      : open_(std::move(open)), principal_(std::move(principal)), ports_(ports) {}

  std::string_view path() const override { return "/mcp"; }
  http::Lane lane_of(const http::HttpRequest& request) const override;
  http::HttpResponse answer(const http::HttpRequest& request, http::Span& span) override;
  void drain() override;
  // The inbox is not used any more. To be called when no request is running.
  void stop_watching();

 private:
  struct Opened {
    Opened(std::unique_ptr<mcp::McpFeatures> first, Open more, const Ports& ports)
        : features(std::move(first), std::move(more), kMostAtOnce, ports.clock),
          endpoint(features, ports.clock, ports.random),
          http(endpoint, ports.random) {
      if (ports.inbox != nullptr) watch.emplace(*ports.inbox, endpoint, ports.clock);
    }
    mcp::FeaturePool features;
    mcp::McpEndpoint endpoint;
    mcp::McpHttp http;
    std::optional<mcp::InboxWatch> watch;
  };
  class Stream;
  Result<std::shared_ptr<Opened>> opened();

  Open open_;
  std::string principal_;
  Ports ports_;
  std::mutex mutex_;
  std::shared_ptr<Opened> opened_;
};

}  // namespace alfred::cli
