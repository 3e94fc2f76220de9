#include "surface/http/api/api.h"

#include <fmt/format.h>

#include "base/json/json_number.h"
#include "surface/http/page/page.h"

namespace alfred::http {
namespace {

// What a caller may send (robustness.md, resource limits).
JsonLimits body_limits() {
  JsonLimits limits;
  limits.max_depth = 64;
  limits.max_values = 100'000;
  limits.max_key_bytes = 256;
  limits.max_string_bytes = 256 * 1024;
  return limits;
}

Result<Json> body_of(const HttpRequest& request) {
  if (request.body.empty()) return Json(JsonObject{});
  Result<Json> body = parse_json(request.body, body_limits());
  if (body && !body->is_object())
    return fail(ErrorCode::schema, "The body is a JSON object.", "body");
  return body;
}

bool is_change(const HttpRequest& request) {
  return request.method != "GET" && request.method != "HEAD";
}

// The inbox's clients read a hint, and send nothing at all where nothing is to be said.
bool is_inbox(const HttpRequest& request) { return request.path().starts_with("/inbox"); }

HttpResponse refused(const HttpRequest& request, const Error& error,
                     std::optional<int> status = {}) {
  return is_inbox(request) ? hinted_response(error, status) : error_response(error, status);
}

// No form of a page can send this: it would name its type.
bool is_bare(const HttpRequest& request) {
  return is_inbox(request) && request.body.empty() && request.count("content-type") == 0;
}

Rejection unknown_path(const RouteMatch& match) {
  if (match.allow.empty())
    return {404, Error{ErrorCode::request,
                       "There is nothing here. /openapi.json lists what there is.",
                       "path",
                       {},
                       {}}};
  return {405, Error{ErrorCode::request,
                     "This path is not asked that way: " + match.allow + ".",
                     "method",
                     {match.allow},
                     {}}};
}

}  // namespace

bool Api::is_mounted(const HttpRequest& request) const {
  return mount && request.path() == mount->path();
}

void Api::drain() {
  if (mount) mount->drain();
}

Lane Api::lane_of(const HttpRequest& request) const {
  if (is_mounted(request)) return mount->lane_of(request);
  const RouteMatch match = match_route(request.method, request.path());
  return match.route == nullptr ? Lane::here : match.route->lane;
}

Api::Answered Api::run(const RouteMatch& match, const HttpRequest& request,
                       const TraceParent& trace) {
  const Route& route = *match.route;
  Answered out{.response = {}, .route = route.id, .path = route.path};
  Result<Json> body = body_of(request);
  const RouteCall call{request, match.names, body ? std::move(*body) : Json(), trace, &route};
  Result<HttpResponse> response =
      body ? route.run(*this, call) : Unexpected(std::move(body).error());
  if (response) {
    out.response = std::move(*response);
    return out;
  }
  const Error& error = response.error();
  out.response = refused(request, error);
  out.code = error_name(error.code);
  out.detail = error.detail;
  return out;
}

std::optional<Api::Answered> Api::barred(const HttpRequest& head, const RouteMatch& match) const {
  const auto rejected = [&](const Rejection& rejection) {
    return Answered{.response = refused(head, rejection.error, rejection.status),
                    .code = error_name(rejection.error.code)};
  };
  if (!is_plain_path(head.path()))
    return rejected({400, Error{ErrorCode::request,
                                "The path is not one that can be read in one way only.",
                                "path",
                                {},
                                {}}});
  if (const auto no = gate_.check_origin(head)) return rejected(*no);
  if (is_page(head.path())) return std::nullopt;
  const bool is_open = match.route != nullptr && match.route->is_open;
  if (!is_open)
    if (const auto no = gate_.check_token(head)) return rejected(*no);
  if (is_mounted(head)) return std::nullopt;
  if (match.route == nullptr) {
    Answered out = rejected(unknown_path(match));
    if (!match.allow.empty()) out.response.headers.emplace_back("Allow", match.allow);
    return out;
  }
  if (is_change(head) && !is_bare(head))
    if (const auto no = Gate::check_type(head)) return rejected(*no);
  return std::nullopt;
}

Api::Answered Api::routed(const HttpRequest& request, Span& span) {
  const RouteMatch match = match_route(request.method, request.path());
  if (std::optional<Answered> no = barred(request, match)) return std::move(*no);
  if (is_page(request.path()))
    return Answered{.response = page_response(request), .route = "page", .path = "/page"};
  if (is_mounted(request))
    return Answered{.response = mount->answer(request, span),
                    .route = mount->path().substr(1),
                    .path = mount->path()};
  return run(match, request, {span.trace_id, span.span_id});
}

void Api::tell(const HttpRequest& request, const Answered& answered, std::int64_t took_us,
               Span span) {
  const int status = answered.response.status;
  std::string line = R"("event":"request","route":)";
  append_json_string(line, answered.route);
  append_json_string(line += R"(,"method":)", request.method);
  append_json_number(line += R"(,"status":)", std::int64_t{status});
  append_json_number(line += R"(,"ms":)", static_cast<double>(took_us) / 1000.0);
  if (!answered.code.empty()) append_json_string(line += R"(,"code":)", answered.code);
  if (!answered.detail.empty()) append_json_string(line += R"(,"detail":)", answered.detail);
  log().write_members(status >= 500 ? "error" : "info", line, span.trace_id);
  if (!spans().is_on()) return;
  if (span.name.empty())
    span.name = request.method + (answered.path.empty() ? "" : " ") + std::string(answered.path);
  span.kind = SpanKind::server;
  span.has_failed = span.has_failed || status >= 500;
  span.attributes["http.request.method"] = request.method;
  span.attributes["http.response.status_code"] = status;
  span.attributes["url.scheme"] = "http";
  if (!answered.path.empty()) span.attributes["http.route"] = answered.path;
  if (!answered.code.empty()) span.attributes["error.type"] = answered.code;
  spans().end(std::move(span));
}

// Counts and logs what the work answers, where it does.
template <class Work>
std::optional<HttpResponse> Api::watched(const HttpRequest& request, const Work& work) {
  const std::int64_t begun = world_.clock.monotonic_ns();
  const TraceParent parent = parse_traceparent(request.header("traceparent"));
  Span span = spans().begin("", parent.trace_id, parent.span_id);
  std::optional<Answered> out = work(span);
  if (!out) return std::nullopt;
  const std::int64_t took_us = (world_.clock.monotonic_ns() - begun) / 1000;
  metrics_.count_request(out->route, out->response.status, took_us);
  if (out->route == "healthz") return std::move(out->response);  // asked every second by somebody
  if (span.trace_id.empty()) span.trace_id = parent.trace_id;
  tell(request, *out, took_us, std::move(span));
  return std::move(out->response);
}

HttpResponse Api::answer(const HttpRequest& request) {
  const auto work = [&](Span& span) { return std::optional(routed(request, span)); };
  return watched(request, work).value_or(HttpResponse{});
}

std::optional<HttpResponse> Api::refuse_head(const HttpRequest& head) {
  return watched(head, [&](Span&) {
    const RouteMatch match = match_route(head.method, head.path());
    std::optional<Answered> no = barred(head, match);
    // What everybody may look at reads nothing that strangers send; a webhook is signed in its
    // body.
    if (!no && !is_change(head) && !is_trusted(head))
      no = Answered{
          .response = error_response(
              Error{ErrorCode::limit, "This takes no body. Ask without one.", "body", {}, {}}, 413),
          .code = error_name(ErrorCode::limit)};
    return no;
  });
}

HttpResponse Api::refuse(const Refusal& refusal) {
  const ErrorCode code = refusal.status == 413   ? ErrorCode::limit
                         : refusal.status == 503 ? ErrorCode::busy
                         : refusal.status == 500 ? ErrorCode::bug
                                                 : ErrorCode::request;
  metrics_.count_request("none", refusal.status, 0);
  HttpResponse out = error_response(Error{code, refusal.message, "", {}, {}}, refusal.status);
  out.closes = refusal.status != 503;
  log().write(
      "warning",
      JsonObject{{"event", "refused"}, {"status", refusal.status}, {"why", refusal.message}}, "");
  return out;
}

}  // namespace alfred::http
