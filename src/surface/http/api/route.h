// Route: one thing that can be asked for, as data. The table dispatches, and /openapi.json is
// written from it, so the two cannot disagree.
//
// R1 a path is fixed text and {names}; a name stands for one segment. The first route that matches answers.
// R2 a path that some route has, with another method, is 405 with Allow; one that none has is 404.
// R3 a body is a JSON object within the limits of requests; an empty one counts as {}.
// R4 every error is {"error":{"code","message","path"?,"allowed"?}} with the status of docs/errors.md.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "inbox/inbox.h"
#include "surface/http/gate/gate.h"
#include "surface/http/watch/spans.h"
#include "surface/http/wire/http_message.h"
#include "surface/http/wire/server.h"

namespace alfred::http {

class Api;
struct Route;

struct RouteCall {
  const HttpRequest& request;
  std::map<std::string, std::string, std::less<>> names{};  // of the path
  Json body{};
  TraceParent trace{};  // of the request's span; empty: nobody collects them
  const Route* route = nullptr;

  const std::string& name(std::string_view key) const { return names.find(key)->second; }
  // A number of the query. Error: value.
  Result<std::int64_t> number(std::string_view key, std::int64_t usual, std::int64_t most) const;
  std::string text(std::string_view key) const;  // of the query, escapes resolved; empty: none
  // What stands for a name of the path, escapes resolved.
  std::string plain_name(std::string_view key) const;
  // The Idempotency-Key header; empty: none. Error: request.
  Result<std::string> key() const;
};

struct Route {
  std::string_view method;
  std::string_view path;
  std::string_view id;      // operationId
  std::string_view says;    // one sentence
  std::string_view answer;  // the name of its schema; empty: it is no JSON
  Result<HttpResponse> (*run)(Api&, const RouteCall&);
  std::string_view body{};                // the name of its schema; empty: none is read
  std::vector<std::string_view> query{};  // parameters
  std::string_view header{};              // that it reads beside those of every request
  Lane lane = Lane::brief;
  int status = 200;
  bool is_open = false;  // without the token
  bool streams = false;  // as server-sent events where they are asked for
  // The body holds what others wrote for other readers (JsonLimits::rounds_wide_integers).
  bool rounds_wide_integers = false;
  // A POST takes an Idempotency-Key.
  bool is_keyed = true;
  // Of the lanes `together` and `between`: what it asks of the inbox, with others. Errors are those
  // of `run`.
  Result<JointCall> (*joint)(Api&, const RouteCall&) = nullptr;
  // Whether a request is for that lane: it makes the others wait. Null: each is.
  bool (*is_short)(const RouteCall&) = nullptr;
};

std::span<const Route> routes();
// What each file of routes brings.
std::vector<Route> session_routes();
std::vector<Route> turn_routes();
std::vector<Route> look_routes();
std::vector<Route> record_routes();
std::vector<Route> status_routes();
std::vector<Route> inbox_routes();

struct RouteMatch {
  const Route* route = nullptr;  // null: none
  std::map<std::string, std::string, std::less<>> names{};
  std::string allow{};  // methods of the path, where only the method is wrong
};
RouteMatch match_route(std::string_view method, std::string_view path);

HttpResponse json_response(const Json& json, int status = 200);
HttpResponse json_text(std::string json, int status = 200);
HttpResponse error_response(const Error& error, std::optional<int> status = {});
// The same with `hint`, what to do next in a member of its own, as the inbox's clients read it.
HttpResponse hinted_response(const Error& error, std::optional<int> status = {});

}  // namespace alfred::http
