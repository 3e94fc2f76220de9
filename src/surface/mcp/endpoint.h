// McpEndpoint: MCP, apart from any transport. One message goes in with its peer and a sink; what
// answers it goes out through the sink, then or later.
//
// R1 the era is decided by message: `_meta` with a protocol version is 2026-07-28 and needs nothing from before;
//    `initialize` begins what came earlier. Both may be spoken at once.
// R2 a request gets one response, unless it was cancelled: what runs is stopped, what waits is forgotten.
// R3 calls that ask their client for input wait without a thread (features.h, R1): in the peer up to 2025-11-25,
//    with the client, sealed, from 2026-07-28 on.
// R4 what the guard does not let out is replaced by an internal error that says nothing but whether something was
//    changed, and by which operation.
// R5 any thread may call. Requests run beside each other as far as the host has features to lend; of a peer no
//    two have the same id at the same time.
// R6 progress is told where a token was given, and only ever rises.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "surface/mcp/feature_pool.h"
#include "surface/mcp/peer.h"
#include "surface/mcp/request_state.h"

namespace alfred::mcp {

// What a transport with status codes says beside the messages.
struct Receipt {
  int http_status = 200;
  bool is_answered = true;  // false: nothing answers it, or only later
  std::string fault{};      // the code of the error that answers it, or tool_error; empty: none
};

class McpEndpoint {
 public:
  McpEndpoint(McpHost& host, const Clock& clock, Random& random)
      : host_(host), modern_end_(modern_end()), states_(clock, random) {}
  McpEndpoint(McpFeatures& features, const Clock& clock, Random& random)
      : own_(std::make_unique<FeaturePool>(features)),
        host_(*own_),
        modern_end_(modern_end()),
        states_(clock, random) {}

  Receipt receive(std::string_view text, McpPeer& peer, const std::shared_ptr<McpSink>& sink);
  Receipt receive(const RpcMessage& message, McpPeer& peer, const std::shared_ptr<McpSink>& sink);

  // Peers that are told what changes, while they are here. What a peer asked for ends with it.
  void attach(McpPeer& peer);
  void detach(McpPeer& peer);
  // From now on this is where what belongs to no request goes; returns where it went before.
  std::shared_ptr<McpSink> set_stream(McpPeer& peer, std::shared_ptr<McpSink> stream);
  // The client closed a stream: what it was for is cancelled.
  void drop(const McpSink& sink);
  // Whether a request of this id was running; it is stopped (R2).
  bool cancel_running(const Json& id, McpPeer& peer);
  void tell(const Notice& notice);
  // Whether some client has asked to be told of this resource; watched: and can be told now.
  bool is_wanted(const std::string& uri);
  bool is_watched(const std::string& uri);
  // Who is told of each resource that a client asks to be told of, before the client is answered.
  // Set once, before anything is received.
  void on_watch(std::function<void(const std::string& uri)> begin) { on_watch_ = std::move(begin); }
  // Ends all subscriptions with their response.
  void finish();

  const ParamHeaders& param_headers() const { return host_.param_headers(); }
  // Whether a request speaks 2026-07-28.
  static bool is_modern(const RpcMessage& message);
  // What is wrong with the `_meta` of one that does.
  static RpcResult<const JsonObject*> checked_meta(const RpcMessage& message);

 private:
  struct Request {  // as it is being answered
    const RpcMessage& message;
    McpPeer& peer;
    const std::shared_ptr<McpSink>& sink;
    bool is_modern = false;
    const JsonObject* capabilities = nullptr;
    const JsonObject* inputs = nullptr;
    const Json* kept = nullptr;
    std::shared_ptr<StopFlag> stop{};
    std::shared_ptr<McpFeatures> features{};  // lent for it
  };
  struct Listener {  // subscriptions/listen
    Json id;
    JsonObject wanted;
    std::shared_ptr<McpSink> sink;
  };

  Receipt answer(const RpcMessage& message, McpPeer& peer, const std::shared_ptr<McpSink>& sink);
  // To a request that cannot be read (message.h, R4).
  Receipt answer_fault(const RpcMessage& message, McpPeer& peer,
                       const std::shared_ptr<McpSink>& sink);
  Receipt answer_legacy(const RpcMessage& message, McpPeer& peer,
                        const std::shared_ptr<McpSink>& sink);
  Receipt answer_modern(const RpcMessage& message, McpPeer& peer,
                        const std::shared_ptr<McpSink>& sink);
  Receipt listen(Request& request);
  void tell_watch(const JsonArray& uris) const;
  void notified(const RpcMessage& message, McpPeer& peer, const McpSink& sink);
  void replied(const RpcMessage& message, McpPeer& peer);
  void cancel(const Json& id, McpPeer& peer, const McpSink& sink);
  void resume(const WaitingCall& call, McpPeer& peer);

  // Has the request run, to be cancelled meanwhile. Nothing: it was, and is not answered.
  std::optional<McpOutcome> run_until_cancelled(Request& request);
  bool begin_running(Request& request);
  // What run() says, or that there was an exception (features.h, R6).
  McpOutcome run_whole(const Request& request);
  // Methods that both eras have; none: unknown_method.
  McpOutcome run(const Request& request);
  McpOutcome run_named(const Request& request, const CallScope& scope);
  RpcResult<JsonObject> initialize(const RpcMessage& message, McpPeer& peer);
  // Methods of a session only; nothing: it is none of them.
  std::optional<RpcResult<JsonObject>> run_session(const RpcMessage& message, McpPeer& peer);
  JsonObject discover() const;
  CallScope scope_of(const Request& request);
  McpOutcome list(const Request& request, std::string_view member, JsonArray all) const;

  Receipt settle_legacy(Request& request, std::optional<McpOutcome> outcome);
  Receipt settle_modern(Request& request, std::optional<McpOutcome> outcome);
  Receipt wait_for_client(Request& request, InputRequired wanted);
  void complete_modern(const RpcMessage& message, JsonObject& result) const;
  Receipt respond(Request& request, JsonObject result);
  // With more members, written as those of the result are.
  Receipt respond(Request& request, const WrittenResult& result, std::string_view more);
  // What every result of a tool ends with from 2026-07-28 on.
  std::string modern_end() const;
  Receipt refuse(Request& request, const RpcError& error, int http_status);
  Receipt say_nothing(const Request& request);
  // The message as it may go out, by what the features say of `checked`; nothing: it may not.
  static std::string allowed_text(McpFeatures* features, const Json& message,
                                  std::string_view checked);
  void tell(const Notice& notice, McpFeatures& features);
  JsonObject server_info() const;

  std::unique_ptr<FeaturePool> own_;  // where one set of features is all there is
  McpHost& host_;
  std::string modern_end_;
  std::function<void(const std::string&)> on_watch_{};
  std::mutex mutex_;  // of all below, and of what is in peers; never held while features work
  RequestState states_;
  std::set<McpPeer*> peers_;
  std::vector<Listener> listeners_;
};

}  // namespace alfred::mcp
