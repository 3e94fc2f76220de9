// What is spoken up to 2025-11-25: a session that begins with `initialize`.
#include <algorithm>
#include <utility>

#include "surface/mcp/endpoint.h"
#include "surface/mcp/revision.h"

namespace alfred::mcp {
namespace {

RpcResult<std::string> uri_of(const JsonObject& params) {
  const JsonString* const uri = text_member(params, "uri");
  if (uri == nullptr) return rpc_fail(RpcCode::invalid_params, "params.uri is a text.");
  return std::string(*uri);
}

}  // namespace

Receipt McpEndpoint::answer_legacy(const RpcMessage& message, McpPeer& peer,
                                   const std::shared_ptr<McpSink>& sink) {
  Request request{
      .message = message, .peer = peer, .sink = sink, .capabilities = &peer.capabilities};
  if (const Json* const uri = message.params.if_contains("uri");
      uri != nullptr && message.method == "resources/subscribe")
    tell_watch({*uri});
  std::optional<RpcError> wrong;
  std::optional<RpcResult<JsonObject>> done;
  bool has_begun = false;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, question] : peer.questions)
      if (write_json(question.call->request.id) == write_json(message.id))
        wrong = RpcError{RpcCode::invalid_request, "This id is that of a request that waits."};
    if (!wrong) done = run_session(message, peer);
    has_begun = !peer.version.empty();
  }
  if (wrong) return refuse(request, *wrong, 200);
  if (done && !*done) return refuse(request, done->error(), 200);
  if (done) return respond(request, std::move(**done));
  if (!has_begun)
    return refuse(request,
                  {RpcCode::invalid_request,
                   "Send initialize first, or speak 2026-07-28: params._meta with " +
                       std::string(kMetaVersion) + " and " + std::string(kMetaCapabilities) + "."},
                  400);
  return settle_legacy(request, run_until_cancelled(request));
}

// The mutex is held.
std::optional<RpcResult<JsonObject>> McpEndpoint::run_session(const RpcMessage& message,
                                                              McpPeer& peer) {
  if (message.method == "initialize") return initialize(message, peer);
  if (message.method == "ping") return JsonObject();
  if (peer.version.empty()) return std::nullopt;
  if (message.method == "logging/setLevel" && host_.card().capabilities.contains("logging")) {
    const JsonString* const level = text_member(message.params, "level");
    if (level == nullptr || std::find(kLogLevels.begin(), kLogLevels.end(),
                                      std::string_view(*level)) == kLogLevels.end())
      return rpc_fail(RpcCode::invalid_params,
                      "params.level is one of debug, info, notice, warning, error, critical, "
                      "alert, emergency.");
    peer.log_level = std::string(*level);
    return JsonObject();
  }
  const bool is_subscribe = message.method == "resources/subscribe";
  if (!is_subscribe && message.method != "resources/unsubscribe") return std::nullopt;
  constexpr std::size_t kMostWatched = 1000;
  const RpcResult<std::string> uri = uri_of(message.params);
  if (!uri) return RpcFailure(uri.error());
  if (is_subscribe && peer.watched.size() >= kMostWatched)
    return rpc_fail(RpcCode::invalid_params,
                    "1000 resources are watched already. Unsubscribe some.");
  if (is_subscribe)
    peer.watched.insert(*uri);
  else
    peer.watched.erase(*uri);
  return JsonObject();
}

RpcResult<JsonObject> McpEndpoint::initialize(const RpcMessage& message, McpPeer& peer) {
  const JsonString* const wanted = text_member(message.params, "protocolVersion");
  if (wanted == nullptr)
    return rpc_fail(RpcCode::invalid_params,
                    "params.protocolVersion is a text such as 2025-11-25.");
  if (!peer.version.empty())
    return rpc_fail(RpcCode::invalid_request, "This session was initialized before.");
  const auto* const found = std::find(kLegacy.begin(), kLegacy.end(), std::string_view(*wanted));
  peer.version = found == kLegacy.end() ? kLegacy.front() : *found;
  if (const JsonObject* const offered = object_member(message.params, "capabilities"))
    peer.capabilities = *offered;
  JsonObject result{{"protocolVersion", peer.version},
                    {"capabilities", host_.card().capabilities},
                    {"serverInfo", server_info()}};
  if (!host_.card().instructions.empty()) result["instructions"] = host_.card().instructions;
  return result;
}

Receipt McpEndpoint::settle_legacy(Request& request, std::optional<McpOutcome> outcome) {
  if (!outcome) return say_nothing(request);
  if (auto* const result = std::get_if<JsonObject>(&*outcome))
    return respond(request, std::move(*result));
  if (const auto* const written = std::get_if<WrittenResult>(&*outcome))
    return respond(request, *written, "");
  if (auto* const error = std::get_if<RpcError>(&*outcome)) return refuse(request, *error, 200);
  return wait_for_client(request, std::move(std::get<InputRequired>(*outcome)));
}

Receipt McpEndpoint::wait_for_client(Request& request, InputRequired wanted) {
  if (!request.features->may_leave(write_json(wanted.requests)))
    return refuse(request, {RpcCode::internal, "The question held something that must not leave."},
                  200);
  request.features.reset();
  const auto call = std::make_shared<WaitingCall>();
  call->request = request.message;
  if (request.inputs != nullptr) call->inputs = *request.inputs;
  call->kept = std::move(wanted.kept);
  call->sink = request.sink;
  call->missing = wanted.requests.size();
  {
    const std::lock_guard lock(mutex_);
    McpPeer& peer = request.peer;
    if (peer.is_over) return say_nothing(request);
    if (peer.questions.size() + wanted.requests.size() <= McpPeer::kMostQuestions) {
      for (const auto& [key, question] : wanted.requests) {
        const std::int64_t id = ++peer.last_question;
        peer.questions[id] = {call, std::string(key)};
        const JsonObject& asked = question.as_object();
        const JsonObject* const params = object_member(asked, "params");
        request.sink->send(
            write_json(request_message(id, std::string_view(asked.at("method").as_string()),
                                       params == nullptr ? JsonObject() : *params)));
      }
      return {.is_answered = false};
    }
  }
  return refuse(request, {RpcCode::internal, "Too many calls wait for the user already."}, 200);
}

}  // namespace alfred::mcp
