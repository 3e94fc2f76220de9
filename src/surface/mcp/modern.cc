// What is spoken from 2026-07-28 on: every request says all that is needed to answer it.
#include <algorithm>
#include <utility>

#include "surface/mcp/endpoint.h"
#include "surface/mcp/revision.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kCached[] = {"server/discover", "tools/list",
                                        "prompts/list",    "resources/list",
                                        "resources/read",  "resources/templates/list"};

// What a state is bound to: the request without what changes when it is sent again.
std::string bound_to(const RpcMessage& message, const McpPeer& peer) {
  JsonObject params = message.params;
  for (const std::string_view name : {"_meta", "inputResponses", "requestState"})
    params.erase(name);
  return peer.principal + "\n" + message.method + "\n" + sorted_text(params);
}

int status_of(const RpcError& error) {
  switch (error.code) {
    case RpcCode::unknown_method: return 404;
    case RpcCode::capability_missing:
    case RpcCode::unsupported_version:
    case RpcCode::header_mismatch: return 400;
    default: return 200;
  }
}

bool offers(const JsonObject& capabilities, std::string_view what, std::string_view flag) {
  const JsonObject* const one = object_member(capabilities, what);
  const Json* const is_offered = one == nullptr ? nullptr : one->if_contains(flag);
  return is_offered != nullptr && *is_offered == Json(true);
}

// Of what a client asks to be told, what it will be told; of resources as `features` has them.
JsonObject supported(const JsonObject& asked, const JsonObject& capabilities,
                     McpFeatures& features) {
  JsonObject out;
  for (const std::string_view list : {"tools", "prompts", "resources"}) {
    const std::string name = std::string(list) + "ListChanged";
    const Json* const wants = asked.if_contains(name);
    if (wants != nullptr && *wants == Json(true) && offers(capabilities, list, "listChanged"))
      out[name] = true;
  }
  const Json* const uris = asked.if_contains("resourceSubscriptions");
  if (uris == nullptr || !uris->is_array() || !offers(capabilities, "resources", "subscribe"))
    return out;
  JsonArray watched;
  for (const Json& uri : uris->get_array())
    if (uri.is_string() && features.may_be_watched(std::string(uri.get_string())))
      watched.push_back(uri);
  out["resourceSubscriptions"] = std::move(watched);
  return out;
}

}  // namespace

RpcResult<const JsonObject*> McpEndpoint::checked_meta(const RpcMessage& message) {
  const JsonObject* const meta = object_member(message.params, "_meta");
  const JsonString* const version = meta == nullptr ? nullptr : text_member(*meta, kMetaVersion);
  if (version == nullptr)
    return rpc_fail(RpcCode::invalid_params,
                    "params._meta has no " + std::string(kMetaVersion) + ".");
  if (*version != kModern)
    return rpc_fail(RpcCode::unsupported_version, "This protocol version is not spoken here.",
                    JsonObject{{"supported", JsonArray{kModern}}, {"requested", *version}});
  const JsonObject* const capabilities = object_member(*meta, kMetaCapabilities);
  if (capabilities == nullptr)
    return rpc_fail(RpcCode::invalid_params,
                    "params._meta has no " + std::string(kMetaCapabilities) + ".");
  return capabilities;
}

Receipt McpEndpoint::answer_modern(const RpcMessage& message, McpPeer& peer,
                                   const std::shared_ptr<McpSink>& sink) {
  static const JsonObject no_inputs;
  Request request{.message = message, .peer = peer, .sink = sink, .is_modern = true};
  const RpcResult<const JsonObject*> capabilities = checked_meta(message);
  if (!capabilities) return refuse(request, capabilities.error(), 400);
  request.capabilities = *capabilities;
  if (message.method == "server/discover") return settle_modern(request, McpOutcome(discover()));
  if (message.method == "subscriptions/listen") return listen(request);

  Json kept;
  const JsonObject* inputs = nullptr;  // without a state they answer what was never asked
  if (const JsonString* const state = text_member(message.params, "requestState")) {
    Result<Json> opened = [&] {
      const std::lock_guard lock(mutex_);
      return states_.open(*state, bound_to(message, peer));
    }();
    if (!opened) return refuse(request, {RpcCode::invalid_params, opened.error().message}, 400);
    kept = std::move(*opened);
    inputs = object_member(message.params, "inputResponses");
  }
  request.inputs = inputs == nullptr ? &no_inputs : inputs;
  request.kept = &kept;
  return settle_modern(request, run_until_cancelled(request));
}

Receipt McpEndpoint::settle_modern(Request& request, std::optional<McpOutcome> outcome) {
  if (!outcome) return say_nothing(request);
  if (const auto* const written = std::get_if<WrittenResult>(&*outcome))
    return respond(request, *written, modern_end_);
  if (auto* const error = std::get_if<RpcError>(&*outcome)) {
    if (error->code == RpcCode::resource_missing) error->code = RpcCode::invalid_params;
    return refuse(request, *error, status_of(*error));
  }
  if (auto* const wanted = std::get_if<InputRequired>(&*outcome)) {
    const std::string request_text = bound_to(request.message, request.peer);
    std::string state;
    {
      const std::lock_guard lock(mutex_);
      state = states_.seal(wanted->kept, request_text);
    }
    return respond(request, {{"resultType", "input_required"},
                             {"inputRequests", wanted->requests},
                             {"requestState", state},
                             {"_meta", JsonObject{{kMetaServer, server_info()}}}});
  }
  JsonObject result = std::move(std::get<JsonObject>(*outcome));
  complete_modern(request.message, result);
  return respond(request, std::move(result));
}

std::string McpEndpoint::modern_end() const {
  JsonObject members;
  complete_modern({}, members);
  const std::string text = write_json(members);
  return "," + text.substr(1, text.size() - 2);
}

void McpEndpoint::complete_modern(const RpcMessage& message, JsonObject& result) const {
  result["resultType"] = "complete";
  Json& meta = result["_meta"];
  if (!meta.is_object()) meta = JsonObject();
  meta.get_object()[kMetaServer] = server_info();
  if (std::find(std::begin(kCached), std::end(kCached), message.method) == std::end(kCached))
    return;
  // Rows change by anybody's hand: what was read is not to be kept.
  result["ttlMs"] = message.method == "resources/read" ? 0 : host_.card().cache_ms;
  result["cacheScope"] = "private";
}

JsonObject McpEndpoint::discover() const {
  JsonObject capabilities = host_.card().capabilities;
  capabilities.erase("logging");
  JsonObject result{{"supportedVersions", JsonArray{kModern}},
                    {"capabilities", std::move(capabilities)}};
  if (!host_.card().instructions.empty()) result["instructions"] = host_.card().instructions;
  return result;
}

Receipt McpEndpoint::listen(Request& request) {
  constexpr std::size_t kMostListeners = 1000;
  const JsonObject* const asked = object_member(request.message.params, "notifications");
  if (asked == nullptr)
    return refuse(request, {RpcCode::invalid_params, "params.notifications is an object."}, 400);
  JsonObject wanted;
  {
    const Result<std::shared_ptr<McpFeatures>> features = host_.lend();
    if (!features) return refuse(request, {RpcCode::internal, features.error().message}, 200);
    wanted = supported(*asked, host_.card().capabilities, **features);
  }
  if (const Json* const uris = wanted.if_contains("resourceSubscriptions"); uris != nullptr)
    if (const JsonArray* const list = uris->if_array()) tell_watch(*list);
  const std::string told = write_json(notification_message(
      "notifications/subscriptions/acknowledged",
      {{"_meta", JsonObject{{kMetaSubscription, request.message.id}}}, {"notifications", wanted}}));
  {
    const std::lock_guard lock(mutex_);
    if (listeners_.size() < kMostListeners) {
      listeners_.push_back({request.message.id, wanted, request.sink});
      request.sink->send(told);
      return {.is_answered = false};
    }
  }
  return refuse(request, {RpcCode::internal, "Too many clients listen. Try again later."}, 200);
}

}  // namespace alfred::mcp
