#include "surface/http/api/api.h"

#include <charconv>
#include <deque>

#include <fmt/format.h>

#include "base/json/json_number.h"
#include "inbox/flow/append.h"
#include "surface/http/inbox/inbox_door.h"
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

Result<Json> body_of(const HttpRequest& request, const Route& route) {
  if (request.body.empty()) return Json(JsonObject{});
  JsonLimits limits = body_limits();
  limits.rounds_wide_integers = route.rounds_wide_integers;
  Result<Json> body = parse_json(request.body, limits);
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

// What is read of who has not shown the token: nothing where everybody may only look. A webhook is
// signed in its body, so that has to come first: no more than makes an event, and its length is
// said before.
constexpr std::size_t kMostOfStrangers = inbox::kMaxEventBytes;

std::optional<Error> refused_body(const HttpRequest& head) {
  const auto limit = [](std::string message) {
    return Error{ErrorCode::limit, std::move(message), "body", {}, {}};
  };
  if (!is_change(head)) return limit("This takes no body. Ask without one.");
  const std::string_view length = head.header("content-length");
  std::size_t bytes = 0;
  const std::errc fault = std::from_chars(length.data(), length.data() + length.size(), bytes).ec;
  if (fault == std::errc() && bytes <= kMostOfStrangers) return std::nullopt;
  return limit(fmt::format(
      "Without the token of this server a body has at most {} bytes, and the header Content-Length "
      "says how many. Send less, or send `Authorization: Bearer <token>` too.",
      kMostOfStrangers));
}

// GET, POST → its methods.
std::vector<std::string> methods_of(std::string_view allow) {
  std::vector<std::string> out;
  while (!allow.empty()) {
    const std::size_t comma = std::min(allow.find(", "), allow.size());
    out.emplace_back(allow.substr(0, comma));
    allow.remove_prefix(std::min(comma + 2, allow.size()));
  }
  return out;
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
                     methods_of(match.allow),
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
  if (match.route == nullptr) return Lane::here;
  const bool is_short = match.route->is_short == nullptr || match.route->is_short({request});
  return is_short ? match.route->lane : Lane::brief;
}

Api::Answered Api::run(const RouteMatch& match, const HttpRequest& request,
                       const TraceParent& trace) {
  const Route& route = *match.route;
  Answered out{.response = {}, .route = route.id, .path = route.path};
  Result<Json> body = body_of(request, route);
  const RouteCall call{request, match.names, body ? std::move(*body) : Json(), trace, &route};
  Result<HttpResponse> response =
      body ? route.run(*this, call) : Unexpected(std::move(body).error());
  if (!response) return failed(request, route, response.error());
  out.response = std::move(*response);
  return out;
}

Api::Answered Api::failed(const HttpRequest& request, const Route& route, const Error& error) {
  return {.response = refused(request, error),
          .route = route.id,
          .path = route.path,
          .code = error_name(error.code),
          .detail = error.detail};
}

std::optional<Api::Answered> Api::barred(const HttpRequest& head, const RouteMatch& match) const {
  const auto rejected = [&](const Rejection& rejection) {
    Answered out{.response = refused(head, rejection.error, rejection.status),
                 .code = error_name(rejection.error.code)};
    out.response.closes = rejection.status == 400;  // what can be read in two ways ends it
    return out;
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
  const RouteMatch match =
      is_mounted(request) ? RouteMatch{} : match_route(request.method, request.path());
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
  std::string line;
  line.reserve(160);
  append_json_string(line += R"("event":"request","route":)", answered.route);
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

struct Api::Watched {
  std::int64_t begun = 0;
  TraceParent parent{};
  Span span{};
};

Api::Watched Api::watch(const HttpRequest& request) {
  Watched out{world_.clock.monotonic_ns(), parse_traceparent(request.header("traceparent"))};
  out.span = spans().begin("", out.parent.trace_id, out.parent.span_id);
  return out;
}

// Counts and logs it.
HttpResponse Api::told(const HttpRequest& request, Watched watched, Answered answered) {
  const std::int64_t took_us = (world_.clock.monotonic_ns() - watched.begun) / 1000;
  metrics_.count_request(answered.route, answered.response.status, took_us);
  // Asked every second by somebody.
  if (answered.route == "healthz") return std::move(answered.response);
  if (watched.span.trace_id.empty()) watched.span.trace_id = watched.parent.trace_id;
  tell(request, answered, took_us, std::move(watched.span));
  return std::move(answered.response);
}

// Counts and logs what the work answers, where it does.
template <class Work>
std::optional<HttpResponse> Api::watched(const HttpRequest& request, const Work& work) {
  Watched watched = watch(request);
  std::optional<Answered> out = work(watched.span);
  if (!out) return std::nullopt;
  return told(request, std::move(watched), std::move(*out));
}

// A request among those that are answered together.
struct Api::Shared {
  const HttpRequest& request;
  Watched watched{};
  RouteMatch match{};
  RouteCall call{request};
  std::optional<Answered> answered{};  // it needs the others no more
  std::optional<JointCall> joint{};    // or this is what it asks with them
};

void Api::read_shared(Shared& shared) {
  shared.watched = watch(shared.request);
  shared.match = match_route(shared.request.method, shared.request.path());
  shared.answered = barred(shared.request, shared.match);
  if (shared.answered) return;
  const Route& route = *shared.match.route;
  if (route.joint == nullptr) {
    shared.answered = routed(shared.request, shared.watched.span);
    return;
  }
  Result<Json> body = body_of(shared.request, route);
  if (!body) {
    shared.answered = failed(shared.request, route, body.error());
    return;
  }
  shared.call.names = std::move(shared.match.names);
  shared.call.body = std::move(*body);
  shared.call.route = &route;
  const Result<JointCall> joint = route.joint(*this, shared.call);
  if (joint)
    shared.joint.emplace(*joint);
  else
    shared.answered = failed(shared.request, route, joint.error());
}

std::vector<HttpResponse> Api::answer_all(std::span<const HttpRequest* const> requests) {
  if (requests.size() == 1) return HttpHandler::answer_all(requests);
  std::deque<Shared> all;
  std::vector<JointCall> calls;
  for (const HttpRequest* const request : requests) {
    read_shared(all.emplace_back(Shared{*request}));
    if (all.back().joint) calls.push_back(*all.back().joint);
  }
  std::vector<Result<Json>> told_together;
  if (!calls.empty()) told_together = world_.inbox->inbox.answer_all(calls);
  std::vector<HttpResponse> out;
  std::size_t at = 0;
  for (Shared& one : all) {
    if (one.joint) {
      const Route& route = *one.call.route;
      const Result<Json>& answer = told_together[at++];
      one.answered =
          answer
              ? Answered{.response = json_response(*answer), .route = route.id, .path = route.path}
              : failed(one.request, route, answer.error());
    }
    out.push_back(told(one.request, std::move(one.watched), std::move(*one.answered)));
  }
  return out;
}

HttpResponse Api::answer(const HttpRequest& request) {
  const auto work = [&](Span& span) { return std::optional(routed(request, span)); };
  return watched(request, work).value_or(HttpResponse{});
}

std::optional<HttpResponse> Api::refuse_head(const HttpRequest& head) {
  return watched(head, [&](Span&) {
    const RouteMatch match = match_route(head.method, head.path());
    std::optional<Answered> no = barred(head, match);
    if (no || is_trusted(head)) return no;
    if (const std::optional<Error> error = refused_body(head))
      no = Answered{.response = refused(head, *error, 413), .code = error_name(error->code)};
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
