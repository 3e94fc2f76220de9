#include "surface/mcp/endpoint.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/json/json_text.h"
#include "surface/mcp/revision.h"

namespace alfred::mcp {
namespace {

constexpr const char* kNoMemory =
    "There is not enough memory for this call. Ask for less at a time. If it was to change "
    "something, read the rows to see whether it did.";

bool is_same_id(const Json& one, const Json& other) { return write_json(one) == write_json(other); }

// The part of a message that we wrote: ids and tokens are the client's own words.
std::string own_part(const Json& message) {
  const JsonObject& object = message.get_object();
  for (const std::string_view name : {"result", "error", "params"})
    if (const Json* const part = object.if_contains(name)) return write_json(*part);
  return {};
}

// Where a response is written up to its result.
std::string response_begin(const Json& id, std::size_t result_bytes) {
  std::string text;
  text.reserve(result_bytes + 128);
  append_json(text += R"({"jsonrpc":"2.0","id":)", id);
  text += R"(,"result":)";
  return text;
}

std::string response_text(const Json& id, std::string_view result) {
  std::string text = response_begin(id, result.size());
  (text += result) += '}';
  return text;
}

// done: the operation that the request was, where it changed something.
std::string withheld(const Json& id, const std::string& done) {
  const std::string text =
      done.empty()
          ? "The answer held something that must not leave. Nothing was sent."
          : "The change was made and is kept (operation " + done +
                "), but its answer held something that must not leave and was not sent. Do not "
                "make it again; read the rows to see it.";
  return write_json(error_message(id, {RpcCode::internal, text}));
}

std::string done_by(McpFeatures* features) {
  return features == nullptr ? "" : features->take_done();
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
  const RpcMessage none{.id = message.error().id};
  Request request{.message = none, .peer = peer, .sink = sink};
  return refuse(request, message.error(), 400);
}

// What a call had to say may be too much to be written down too.
Receipt McpEndpoint::receive(const RpcMessage& message, McpPeer& peer,
                             const std::shared_ptr<McpSink>& sink) {
  try {
    return answer(message, peer, sink);
  } catch (const std::bad_alloc&) {
    if (message.kind != MessageKind::request) return {.http_status = 202, .is_answered = false};
    sink->send(write_json(error_message(message.id, {RpcCode::internal, kNoMemory})));
    sink->finish();
    return {.fault = std::to_string(static_cast<int>(RpcCode::internal))};
  }
}

Receipt McpEndpoint::answer(const RpcMessage& message, McpPeer& peer,
                            const std::shared_ptr<McpSink>& sink) {
  if (message.kind == MessageKind::request && message.fault)
    return answer_fault(message, peer, sink);
  if (message.kind == MessageKind::request)
    return is_modern(message) ? answer_modern(message, peer, sink)
                              : answer_legacy(message, peer, sink);
  if (message.kind == MessageKind::notification)
    notified(message, peer, *sink);
  else
    replied(message, peer);
  return {.http_status = 202, .is_answered = false};
}

// What is wrong with a tool's arguments is told where its model reads it.
Receipt McpEndpoint::answer_fault(const RpcMessage& message, McpPeer& peer,
                                  const std::shared_ptr<McpSink>& sink) {
  Request request{.message = message, .peer = peer, .sink = sink};
  const RpcError& fault = *message.fault;
  const bool is_modern = McpEndpoint::is_modern(message);
  if (message.method != "tools/call" || !message.params.contains("name"))
    return refuse(request, fault, is_modern ? 400 : 200);
  JsonObject result{{"content", JsonArray{JsonObject{{"type", "text"}, {"text", fault.message}}}},
                    {"isError", true}};
  if (is_modern) complete_modern(message, result);
  return respond(request, std::move(result));
}

void McpEndpoint::notified(const RpcMessage& message, McpPeer& peer, const McpSink& sink) {
  if (message.method != "notifications/cancelled") return;
  if (const Json* const id = message.params.if_contains("requestId")) cancel(*id, peer, sink);
}

// A subscription is cancelled by who has its stream: others may use the same id.
void McpEndpoint::cancel(const Json& id, McpPeer& peer, const McpSink& sink) {
  if (cancel_running(id, peer)) return;
  const std::lock_guard lock(mutex_);
  const std::string text = write_json(id);
  const bool has_begun = std::find(peer.begun.begin(), peer.begun.end(), text) != peer.begun.end();
  if (!has_begun && peer.taken_back.size() < McpPeer::kMostTakenBack) peer.taken_back.insert(text);
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

bool McpEndpoint::cancel_running(const Json& id, McpPeer& peer) {
  const std::lock_guard lock(mutex_);
  const auto found = peer.running.find(write_json(id));
  if (found == peer.running.end()) return false;
  *found->second = true;
  return true;
}

void McpEndpoint::drop(const McpSink& sink) {
  const std::lock_guard lock(mutex_);
  std::erase_if(listeners_, [&](const Listener& one) { return one.sink.get() == &sink; });
  for (McpPeer* const peer : peers_)
    if (peer->stream.get() == &sink) peer->stream = nullptr;
}

void McpEndpoint::attach(McpPeer& peer) {
  const std::lock_guard lock(mutex_);
  peers_.insert(&peer);
}

void McpEndpoint::detach(McpPeer& peer) {
  const std::lock_guard lock(mutex_);
  peers_.erase(&peer);
  peer.is_over = true;
  for (auto& [id, stop] : peer.running) *stop = true;
  for (auto& [id, question] : peer.questions) question.call->sink->finish();
  peer.questions.clear();
}

std::shared_ptr<McpSink> McpEndpoint::set_stream(McpPeer& peer, std::shared_ptr<McpSink> stream) {
  const std::lock_guard lock(mutex_);
  return std::exchange(peer.stream, std::move(stream));
}

bool McpEndpoint::begin_running(Request& request) {
  const std::lock_guard lock(mutex_);
  McpPeer& peer = request.peer;
  request.stop = peer.stop ? peer.stop : std::make_shared<StopFlag>(false);
  const std::string id = write_json(request.message.id);
  if (peer.taken_back.erase(id) > 0) *request.stop = true;
  peer.begun.push_back(id);
  if (peer.begun.size() > McpPeer::kMostBegun) peer.begun.pop_front();
  return peer.running.try_emplace(id, request.stop).second;
}

McpOutcome McpEndpoint::run_whole(const Request& request) {
  try {
    return run(request);
  } catch (const std::bad_alloc&) {
    request.features->distrust();
    return RpcError{RpcCode::internal, kNoMemory};
  } catch (const std::exception&) {  // of third-party code
    request.features->distrust();
    return RpcError{RpcCode::internal,
                    "The call failed inside of the server. If it was to change something, read the "
                    "rows to see whether it did."};
  }
}

std::optional<McpOutcome> McpEndpoint::run_until_cancelled(Request& request) {
  if (!begin_running(request))
    return RpcError{RpcCode::invalid_request, "This id is that of a request that is running."};
  std::optional<McpOutcome> outcome;
  const StopScope scope(request.stop.get());
  if (!*request.stop) {
    Result<std::shared_ptr<McpFeatures>> lent = host_.lend();
    if (lent) {
      request.features = std::move(*lent);
      outcome = run_whole(request);
    } else {
      outcome = RpcError{RpcCode::internal, lent.error().message};
    }
  }
  const std::lock_guard lock(mutex_);
  request.peer.running.erase(write_json(request.message.id));
  if (*request.stop) outcome.reset();
  return outcome;
}

void McpEndpoint::replied(const RpcMessage& message, McpPeer& peer) {
  std::shared_ptr<WaitingCall> call;
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        message.id.is_int64() ? peer.questions.find(message.id.get_int64()) : peer.questions.end();
    if (found == peer.questions.end()) return;
    const McpPeer::Question question = std::move(found->second);
    peer.questions.erase(found);
    const JsonObject* const result = object_member(message.response, "result");
    // A client that refuses to ask its user has not got their consent.
    question.call->inputs[question.key] =
        result == nullptr ? Json(JsonObject{{"action", "cancel"}}) : Json(*result);
    if (--question.call->missing == 0) call = question.call;
  }
  if (call) resume(*call, peer);
}

void McpEndpoint::resume(const WaitingCall& call, McpPeer& peer) {
  Request request{.message = call.request,
                  .peer = peer,
                  .sink = call.sink,
                  .capabilities = &peer.capabilities,
                  .inputs = &call.inputs,
                  .kept = &call.kept};
  settle_legacy(request, run_until_cancelled(request));
}

// What was done is known to the next call before its client can ask: the features go back first.
Receipt McpEndpoint::respond(Request& request, JsonObject result) {
  const std::string text = write_json(result);
  const Json* const is_error = result.if_contains("isError");
  const bool has_failed = is_error != nullptr && *is_error == Json(true);
  // What the client keeps for us is sealed and looks like nothing.
  const bool is_sealed = result.erase("requestState") > 0;
  const bool may_leave =
      request.features == nullptr ||
      request.features->may_leave(is_sealed ? write_json(result) : std::string_view(text));
  const std::string done = done_by(request.features.get());
  request.features.reset();
  request.sink->send(may_leave ? response_text(request.message.id, text)
                               : withheld(request.message.id, done));
  request.sink->finish();
  return {.fault = has_failed ? "tool_error" : ""};
}

Receipt McpEndpoint::respond(Request& request, const WrittenResult& result, std::string_view more) {
  std::string text = response_begin(request.message.id, result.members.size() + more.size());
  const std::size_t from = text.size();
  (((text += '{') += result.members) += more) += "}}";
  const bool may_leave =
      request.features == nullptr ||
      request.features->may_leave(std::string_view(text).substr(from, text.size() - from - 1));
  const std::string done = done_by(request.features.get());
  request.features.reset();
  request.sink->send(may_leave ? std::move(text) : withheld(request.message.id, done));
  request.sink->finish();
  return {};
}

Receipt McpEndpoint::refuse(Request& request, const RpcError& error, int http_status) {
  const Json message = error_message(request.message.id, error);
  std::string text = allowed_text(request.features.get(), message, own_part(message));
  const std::string done = done_by(request.features.get());
  request.features.reset();
  request.sink->send(text.empty() ? withheld(request.message.id, done) : std::move(text));
  request.sink->finish();
  return {.http_status = http_status, .fault = std::to_string(static_cast<int>(error.code))};
}

Receipt McpEndpoint::say_nothing(const Request& request) {
  request.sink->finish();
  return {.is_answered = false};
}

std::string McpEndpoint::allowed_text(McpFeatures* features, const Json& message,
                                      std::string_view checked) {
  if (features != nullptr && !checked.empty() && !features->may_leave(checked)) return {};
  return write_json(message);
}

namespace {

bool names_resource(const JsonObject& wanted, const std::string& uri) {
  const Json* const uris = wanted.if_contains("resourceSubscriptions");
  const JsonArray* const list = uris == nullptr ? nullptr : uris->if_array();
  return list != nullptr && std::find(list->begin(), list->end(), Json(uri)) != list->end();
}

}  // namespace

void McpEndpoint::tell_watch(const JsonArray& uris) const {
  if (!on_watch_) return;
  for (const Json& uri : uris)
    if (uri.is_string()) on_watch_(std::string(uri.get_string()));
}

bool McpEndpoint::is_wanted(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  return std::any_of(peers_.begin(), peers_.end(),
                     [&](const McpPeer* peer) { return peer->watched.contains(uri); }) ||
         std::any_of(listeners_.begin(), listeners_.end(),
                     [&](const Listener& one) { return names_resource(one.wanted, uri); });
}

bool McpEndpoint::is_watched(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  const auto watches = [&](const McpPeer* peer) {
    return !peer->version.empty() && peer->stream != nullptr && peer->watched.contains(uri);
  };
  return std::any_of(peers_.begin(), peers_.end(), watches) ||
         std::any_of(listeners_.begin(), listeners_.end(),
                     [&](const Listener& one) { return names_resource(one.wanted, uri); });
}

void McpEndpoint::tell(const Notice& notice) {
  const Result<std::shared_ptr<McpFeatures>> features = host_.lend();
  if (features) tell(notice, **features);
}

void McpEndpoint::tell(const Notice& notice, McpFeatures& features) {
  JsonObject params;
  if (!notice.uri.empty()) params["uri"] = notice.uri;
  if (!features.may_leave(write_json(params))) return;
  const bool is_update = notice.method == "notifications/resources/updated";
  const std::string message = write_json(notification_message(notice.method, params));
  const std::lock_guard lock(mutex_);
  for (McpPeer* const peer : peers_) {
    if (peer->version.empty() || peer->stream == nullptr) continue;
    if (is_update && !peer->watched.contains(notice.uri)) continue;
    peer->stream->send(message);
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
    listener.sink->send(write_json(notification_message(notice.method, std::move(told))));
  }
}

void McpEndpoint::finish() {
  const std::lock_guard lock(mutex_);
  for (const Listener& listener : std::exchange(listeners_, {})) {
    JsonObject result{{"resultType", "complete"},
                      {"_meta", JsonObject{{kMetaSubscription, listener.id}}}};
    listener.sink->send(write_json(response_message(listener.id, std::move(result))));
    listener.sink->finish();
  }
}

JsonObject McpEndpoint::server_info() const {
  const ServerCard& card = host_.card();
  JsonObject info{{"name", card.name}, {"version", card.version}};
  if (!card.title.empty()) info["title"] = card.title;
  return info;
}

}  // namespace alfred::mcp
