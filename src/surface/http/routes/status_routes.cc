// How the server is: alive, ready, counted, described.
#include "surface/http/api/api.h"
#include "surface/http/api/openapi.h"

namespace alfred::http {
namespace {

Result<HttpResponse> healthz(Api& /*api*/, const RouteCall& /*call*/) {
  return json_text(R"({"status":"ok"})");
}

// Ready: the store can be read, and the last write worked.
Result<HttpResponse> readyz(Api& api, const RouteCall& /*call*/) {
  RecordPlace place = api.world().place;
  const auto nothing = [](Tx&) -> Result<void> { return {}; };
  const Result<void> read = place.state().read(place.caller, nothing);
  const StoreHealth health = place.state().health();
  if (read && health.is_writable) return json_text(R"({"status":"ok"})");
  const std::string reason = read ? "nothing can be written" : read.error().message;
  return json_response(JsonObject{{"status", "unavailable"}, {"reason", reason}}, 503);
}

Result<HttpResponse> metrics(Api& api, const RouteCall& /*call*/) {
  const ServerCounts counts = api.counts ? api.counts() : ServerCounts{};
  const auto number = [](auto value) { return static_cast<double>(value); };
  HttpResponse out;
  out.type = "text/plain; version=0.0.4; charset=utf-8";
  out.body = api.metrics().text(
      {{"alfred_connections", "Open connections.", number(counts.connections)},
       {"alfred_working", "Requests and streams that are being answered.", number(counts.working)},
       {"alfred_turns_running", "Turns that are being driven.", number(api.slots().size())},
       {"alfred_refused_total", "Refused for want of room.", number(counts.refused), true},
       {"alfred_timeouts_total", "Connections that took too long.", number(counts.timed_out), true},
       {"alfred_log_drops_total", "Lines of the log that were lost.", number(api.log().drops()),
        true},
       {"alfred_spans_lost_total", "Spans that reached no collector.", number(api.spans().lost()),
        true}});
  return out;
}

Result<HttpResponse> describe(Api& /*api*/, const RouteCall& /*call*/) {
  static const std::string text = write_json(openapi());
  return json_text(text);
}

Route status(std::string_view path, std::string_view says, std::string_view answer,
             Result<HttpResponse> (*run)(Api&, const RouteCall&)) {
  const std::string_view id = path.substr(1, path.find('.') - 1);
  return {.method = "GET", .path = path, .id = id, .says = says, .answer = answer, .run = run};
}

}  // namespace

std::vector<Route> status_routes() {
  std::vector<Route> out{
      status("/healthz", "Whether the process is alive.", "Health", healthz),
      status("/readyz", "Whether it can read and write.", "Health", readyz),
      status("/metrics", "What happened since the start, for Prometheus.", "", metrics),
      status("/openapi.json", "This description.", "OpenApi", describe)};
  out[0].lane = Lane::here;
  out[0].is_open = true;
  out[1].is_open = true;
  return out;
}

}  // namespace alfred::http
