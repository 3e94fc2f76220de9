#include "surface/mcp/endpoint.h"

#include <algorithm>
#include <utility>

#include "surface/mcp/revision.h"

namespace alfred::mcp {
namespace {

bool is_same_id(const Json& one, const Json& other) { return write_json(one) == write_json(other); }

// The part of a message that we wrote: ids and tokens are the client's own words.
std::string own_part(const Json& message) {
  const JsonObject& object = message.get_object();
  for (const std::string_view name : {"result", "error", "params"})
    if (const Json* const part = object.if_contains(name)) return write_json(*part);
  return {};
}

}  // namespace

bool can_elicit(const JsonObject& capabilities) {
  const JsonObject* const elicitation = object_member(capabilities, "elicitation");
  return elicitation != nullptr && (elicitation->empty() || elicitation->contains("form"));
}

bool McpEndpoint::is_modern(const RpcMessage& message) {
  if (message.method == "server/discover" || message.method == "subscriptions/listen") return true;
  const JsonObject* const meta = object_member(message.params, "_meta");
  return meta != nullptr && meta->contains(kMetaVersion);
}

Receipt McpEndpoint::receive(std::string_view text, McpPeer& peer,
                             const std::shared_ptr<McpSink>& sink) {
  const RpcResult<RpcMessage> message = read_message(text);
  if (message) return receive(*message, peer, sink);
  send(*sink, error_message(Json(), message.error()), message.error().message);
  sink->finish();
  return {.http_status = 400};
}

Receipt McpEndpoint::receive(const RpcMessage& message, McpPeer& peer,
                             const std::shared_ptr<McpSink>& sink) {
  if (message.kind == MessageKind::request)
    return is_modern(message) ? answer_modern(message, peer, sink)
                              : answer_legacy(message, peer, sink);
  if (message.kind == MessageKind::notification)
    notified(message, peer, *sink);
  else
    replied(message, peer);
  return {.http_status = 202, .is_answered = false};
}

void McpEndpoint::notified(const RpcMessage& message, McpPeer& peer, const McpSink& sink) {
  if (message.method != "notifications/cancelled") return;
  if (const Json* const id = message.params.if_contains("requestId")) cancel(*id, peer, sink);
}

// What runs is done before the next message is looked at; what can be cancelled is what waits. A
// subscription is cancelled by who has its stream: others may use the same id.
void McpEndpoint::cancel(const Json& id, McpPeer& peer, const McpSink& sink) {
  std::erase_if(peer.questions, [&](const auto& one) {
    const bool is_it = is_same_id(one.second.call->request.id, id);
    if (is_it) one.second.call->sink->finish();
    return is_it;
  });
  std::erase_if(listeners_, [&](const Listener& one) {
    const bool is_it = one.sink.get() == &sink && is_same_id(one.id, id);
    if (is_it) one.sink->finish();
    return is_it;
  });
}

void McpEndpoint::drop(const McpSink& sink) {
  std::erase_if(listeners_, [&](const Listener& one) { return one.sink.get() == &sink; });
  for (McpPeer* const peer : peers_)
    if (peer->stream.get() == &sink) peer->stream = nullptr;
}

void McpEndpoint::detach(McpPeer& peer) {
  peers_.erase(&peer);
  for (auto& [id, question] : peer.questions) question.call->sink->finish();
  peer.questions.clear();
}

void McpEndpoint::replied(const RpcMessage& message, McpPeer& peer) {
  const auto found =
      message.id.is_int64() ? peer.questions.find(message.id.get_int64()) : peer.questions.end();
  if (found == peer.questions.end()) return;
  const McpPeer::Question question = std::move(found->second);
  peer.questions.erase(found);
  const JsonObject* const result = object_member(message.response, "result");
  // A client that refuses to ask its user has not got their consent.
  question.call->inputs[question.key] =
      result == nullptr ? Json(JsonObject{{"action", "cancel"}}) : Json(*result);
  if (--question.call->missing == 0) resume(question.call, peer);
}

void McpEndpoint::resume(const std::shared_ptr<WaitingCall>& call, McpPeer& peer) {
  const WaitingCall now = *call;
  const Request request{.message = now.request,
                        .peer = peer,
                        .sink = now.sink,
                        .capabilities = &peer.capabilities,
                        .inputs = &now.inputs,
                        .kept = &now.kept};
  settle_legacy(request, run(request));
}

void McpEndpoint::ask(const std::shared_ptr<WaitingCall>& call, const InputRequired& wanted,
                      McpPeer& peer) {
  call->missing = wanted.requests.size();
  for (const auto& [key, question] : wanted.requests) {
    const std::int64_t id = ++peer.last_question;
    peer.questions[id] = {call, std::string(key)};
    const JsonObject& asked = question.as_object();
    const Json message =
        request_message(id, std::string_view(asked.at("method").as_string()),
                        asked.contains("params") ? asked.at("params").as_object() : JsonObject());
    send(*call->sink, message, own_part(message));
  }
}

Receipt McpEndpoint::respond(const Request& request, JsonObject result) {
  // What the client keeps for us is sealed and looks like nothing.
  std::string checked;
  if (result.contains("requestState")) {
    JsonObject open = result;
    open.erase("requestState");
    checked = write_json(open);
  } else {
    checked = write_json(result);
  }
  send(*request.sink, response_message(request.message.id, std::move(result)), checked);
  request.sink->finish();
  return {};
}

Receipt McpEndpoint::refuse(const Request& request, const RpcError& error, int http_status) {
  const Json message = error_message(request.message.id, error);
  send(*request.sink, message, own_part(message));
  request.sink->finish();
  return {.http_status = http_status};
}

void McpEndpoint::send(McpSink& sink, const Json& message, std::string_view checked) {
  if (features_.may_leave(checked)) return sink.send(write_json(message));
  const JsonObject& object = message.get_object();
  const Json* const id = object.if_contains("id");
  if (id == nullptr || object.contains("method")) return;  // nobody waits for it
  sink.send(write_json(error_message(
      *id,
      {RpcCode::internal, "The answer held something that must not leave. Nothing was sent."})));
}

namespace {

bool names_resource(const JsonObject& wanted, const std::string& uri) {
  const Json* const uris = wanted.if_contains("resourceSubscriptions");
  const JsonArray* const list = uris == nullptr ? nullptr : uris->if_array();
  return list != nullptr && std::find(list->begin(), list->end(), Json(uri)) != list->end();
}

}  // namespace

bool McpEndpoint::is_watched(const std::string& uri) const {
  const auto watches = [&](const McpPeer* peer) {
    return !peer->version.empty() && peer->stream != nullptr && peer->watched.contains(uri);
  };
  return std::any_of(peers_.begin(), peers_.end(), watches) ||
         std::any_of(listeners_.begin(), listeners_.end(),
                     [&](const Listener& one) { return names_resource(one.wanted, uri); });
}

void McpEndpoint::tell(const Notice& notice) {
  JsonObject params;
  if (!notice.uri.empty()) params["uri"] = notice.uri;
  const bool is_update = notice.method == "notifications/resources/updated";
  const Json message = notification_message(notice.method, params);
  for (McpPeer* const peer : peers_) {
    if (peer->version.empty() || peer->stream == nullptr) continue;
    if (is_update && !peer->watched.contains(notice.uri)) continue;
    send(*peer->stream, message, own_part(message));
  }
  for (const Listener& listener : listeners_) {
    if (is_update) {
      if (!names_resource(listener.wanted, notice.uri)) continue;
    } else {
      // "notifications/tools/list_changed" is opted in by "toolsListChanged".
      const std::size_t from = std::string_view("notifications/").size();
      const std::string kind = notice.method.substr(from, notice.method.rfind('/') - from);
      const Json* const flag = listener.wanted.if_contains(kind + "ListChanged");
      if (flag == nullptr || !flag->is_bool() || !flag->get_bool()) continue;
    }
    JsonObject told = params;
    told["_meta"] = JsonObject{{kMetaSubscription, listener.id}};
    send(*listener.sink, notification_message(notice.method, told), write_json(params));
  }
}

void McpEndpoint::finish() {
  for (const Listener& listener : std::exchange(listeners_, {})) {
    JsonObject result{{"resultType", "complete"},
                      {"_meta", JsonObject{{kMetaSubscription, listener.id}}}};
    send(*listener.sink, response_message(listener.id, std::move(result)), "");
    listener.sink->finish();
  }
}

JsonObject McpEndpoint::server_info() const {
  const ServerCard& card = features_.card();
  JsonObject info{{"name", card.name}, {"version", card.version}};
  if (!card.title.empty()) info["title"] = card.title;
  return info;
}

}  // namespace alfred::mcp
