#include "surface/http/inbox/inbox_route.h"

#include <algorithm>
#include <iterator>
#include <list>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "surface/http/api/open_session.h"

namespace alfred::http {
namespace {

constexpr std::string_view kSources = "/inbox/sources";
// What would be done twice (R3): their calls are made by answer_once().
constexpr std::string_view kKeyed[] = {"register_agent", "subscribe", "follow",
                                       "send_message",   "add_timer", "send_delivery",
                                       "invoke_delivery"};

Result<void> check_query(const RouteCall& call) {
  const std::vector<std::string_view>& known = call.route->query;
  std::string_view rest = call.request.query();
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::string_view name = one.substr(0, one.find('='));
    if (one.empty() || std::find(known.begin(), known.end(), name) != known.end()) continue;
    return fail(ErrorCode::schema,
                fmt::format("There is no parameter {} here. {}", quoted_text(name),
                            known.empty() ? "Leave it out."
                                          : fmt::format("Known are: {}.", fmt::join(known, ", "))),
                "query." + std::string(name), {known.begin(), known.end()});
  }
  return {};
}

// What is said of sources holds for streams, as which a client may know them.
void add_streams(std::vector<Route>& routes) {
  static std::list<std::string> names;
  std::vector<Route> more;
  for (const Route& route : routes) {
    if (!route.path.starts_with(kSources)) continue;
    Route copy = route;
    copy.path =
        names.emplace_back(fmt::format("/inbox/streams{}", route.path.substr(kSources.size())));
    copy.id = names.emplace_back(fmt::format("{}_of_stream", route.id));
    more.push_back(std::move(copy));
  }
  routes.insert(routes.end(), more.begin(), more.end());
}

}  // namespace

Result<InboxDoor*> inbox_door(const Api& api, const RouteCall& call) {
  if (api.world().inbox == nullptr)
    return fail(ErrorCode::request, "No inbox is served here. Start `alfred serve`.", "path");
  if (Result<void> good = check_query(call); !good) return Unexpected(std::move(good).error());
  if (call.route->body == "Nothing" && !call.body.as_object().empty())
    return fail(ErrorCode::schema, "This takes no fields. Send {} or nothing.",
                std::string(call.body.as_object().begin()->key()));
  return api.world().inbox;
}

Result<Once> once_of(const Api& api, const RouteCall& call) {
  if (call.request.count("idempotency-key") == 0) return Once{};
  const Result<OpId> op = op_of(api, call);
  if (!op) return Unexpected(op.error());
  return Once{*op, write_json(call.body)};
}

Result<bool> query_flag(const RouteCall& call, std::string_view key) {
  const std::string text = call.text(key);
  if (text == "true" || text == "1") return true;
  if (text.empty() || text == "false" || text == "0") return false;
  return fail(ErrorCode::value, fmt::format("{} is true, false, 1 or 0.", key),
              "query." + std::string(key), {"true", "false", "1", "0"});
}

Result<std::int64_t> query_limit(const RouteCall& call) {
  Result<std::int64_t> limit = call.number("limit", 100, 1000);
  if (!limit || *limit == 0)
    return fail(ErrorCode::value, "limit is a number, 1 to 1000.", "query.limit");
  return limit;
}

Result<inbox::ListPage> query_page(const RouteCall& call) {
  const Result<std::int64_t> limit = query_limit(call);
  if (!limit) return Unexpected(limit.error());
  return inbox::ListPage{call.text("after"), *limit};
}

Route inbox_get(std::string_view path, std::string_view id, std::string_view says,
                std::string_view answer, Result<HttpResponse> (*run)(Api&, const RouteCall&)) {
  return {.method = "GET",
          .path = path,
          .id = id,
          .says = says,
          .answer = answer,
          .run = run,
          .is_keyed = false};
}

Route inbox_post(std::string_view path, std::string_view id, std::string_view says,
                 std::string_view answer, Result<HttpResponse> (*run)(Api&, const RouteCall&)) {
  Route out = inbox_get(path, id, says, answer, run);
  out.method = "POST";
  out.body = "Nothing";
  return out;
}

std::vector<Route> inbox_routes() {
  std::vector<Route> all = upkeep_routes();
  for (const std::vector<Route>& more :
       {agent_routes(), source_routes(), subscription_routes(), entry_routes()})
    all.insert(all.end(), more.begin(), more.end());
  for (Route& route : all)
    route.is_keyed = std::find(std::begin(kKeyed), std::end(kKeyed), route.id) != std::end(kKeyed);
  add_streams(all);
  return all;
}

}  // namespace alfred::http
