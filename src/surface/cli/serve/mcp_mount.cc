#include "surface/cli/serve/mcp_mount.h"

#include "surface/http/api/route.h"

namespace alfred::cli {

// Events of MCP as a connection sends them.
class McpMount::Stream final : public http::LiveStream {
 public:
  Stream(std::shared_ptr<Opened> opened, std::shared_ptr<mcp::EventStream> events)
      : opened_(std::move(opened)), events_(std::move(events)) {}
  http::StreamPiece take() override {
    const bool is_finished = events_->is_finished();  // before: what comes after it is not sent
    return {events_->take(), is_finished, false};
  }
  void on_change(std::function<void()> wake) override { events_->on_change(std::move(wake)); }
  void closed() override { opened_->http.closed(events_); }

 private:
  std::shared_ptr<Opened> opened_;
  std::shared_ptr<mcp::EventStream> events_;
};

Result<std::shared_ptr<McpMount::Opened>> McpMount::opened() {
  const std::scoped_lock lock(mutex_);
  if (opened_) return opened_;
  Result<std::unique_ptr<mcp::McpFeatures>> features = open_();
  if (!features) return Unexpected(std::move(features).error());
  opened_ = std::make_shared<Opened>(std::move(*features), ports_);
  return opened_;
}

http::HttpResponse McpMount::answer(const http::HttpRequest& request) {
  const Result<std::shared_ptr<Opened>> server = opened();
  if (!server) return http::error_response(server.error());
  mcp::HttpAnswer answer =
      (*server)->http.answer({request.method, request.headers, request.body, principal_});
  http::HttpResponse out;
  out.status = answer.status;
  out.type.clear();
  out.body = std::move(answer.body);
  for (auto& [name, value] : answer.headers) {
    if (name == "Content-Type")
      out.type = std::move(value);
    else if (name != "Cache-Control")  // every answer says no-store
      out.headers.emplace_back(std::move(name), std::move(value));
  }
  if (answer.stream) out.live = std::make_shared<Stream>(*server, std::move(answer.stream));
  return out;
}

void McpMount::drain() {
  std::shared_ptr<Opened> server;
  {
    const std::scoped_lock lock(mutex_);
    server = opened_;
  }
  if (server) server->http.finish();
}

}  // namespace alfred::cli
