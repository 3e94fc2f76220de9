#include "surface/cli/serve/mcp_mount.h"

#include "surface/http/api/route.h"

namespace alfred::cli {
namespace {

// Unknown methods and names are the client's own words, and are left out (R4).
void describe(const mcp::McpNote& note, const http::HttpRequest& request, http::Span& span) {
  constexpr std::string_view kUnknownMethod = "-32601";
  constexpr std::string_view kWrongParams = "-32602";
  if (note.method.empty() || note.fault == kUnknownMethod) return;
  span.name = note.method;
  span.attributes["mcp.method.name"] = note.method;
  if (!note.version.empty()) span.attributes["mcp.protocol.version"] = note.version;
  if (!note.name.empty() && note.fault != kWrongParams) {
    span.name += " " + note.name;
    const bool is_tool = note.method == "tools/call";
    span.attributes[is_tool ? "gen_ai.tool.name" : "gen_ai.prompt.name"] = note.name;
    if (is_tool) span.attributes["gen_ai.operation.name"] = "execute_tool";
  }
  if (!note.fault.empty()) {
    span.has_failed = true;
    span.attributes["error.type"] = note.fault;
    if (note.fault.starts_with('-')) span.attributes["rpc.response.status_code"] = note.fault;
  }
  // A trace that only the message names is gone on with too.
  const http::TraceParent parent = http::parse_traceparent(note.traceparent);
  if (parent.trace_id.empty() || request.count("traceparent") > 0) return;
  span.trace_id = parent.trace_id;
  span.parent_id = parent.span_id;
}

}  // namespace

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
  opened_ = std::make_shared<Opened>(std::move(*features), open_, ports_);
  return opened_;
}

http::Lane McpMount::lane_of(const http::HttpRequest& request) const {
  if (request.method == "DELETE") return http::Lane::brief;
  return mcp::is_cancellation(request.body) ? http::Lane::brief : http::Lane::call;
}

http::HttpResponse McpMount::answer(const http::HttpRequest& request, http::Span& span) {
  const Result<std::shared_ptr<Opened>> server = opened();
  if (!server) return http::error_response(server.error());
  mcp::HttpAnswer answer = (*server)->http.answer(
      {request.method, request.headers, request.body, principal_, request.is_gone});
  if (!span.span_id.empty()) describe(answer.note, request, span);
  http::HttpResponse out{.status = answer.status, .type = "", .body = std::move(answer.body)};
  for (auto& [name, value] : answer.headers) {
    if (name == "Content-Type")
      out.type = std::move(value);
    else if (name != "Cache-Control")  // every answer says no-store
      out.headers.emplace_back(std::move(name), std::move(value));
  }
  if (answer.work) out.work = [opened = *server, work = std::move(answer.work)] { work(); };
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

void McpMount::stop_watching() {
  const std::scoped_lock lock(mutex_);
  if (opened_ && opened_->watch) opened_->watch->stop();
}

}  // namespace alfred::cli
