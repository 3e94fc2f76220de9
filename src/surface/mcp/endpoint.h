// McpEndpoint: MCP, apart from any transport. One message goes in with its peer and a sink; what
// answers it goes out through the sink, then or later.
//
// R1 the era is decided by message: `_meta` with a protocol version is 2026-07-28 and needs nothing from before;
//    `initialize` begins what came earlier. Both may be spoken at once.
// R2 a request gets one response, unless it was cancelled.
// R3 calls that ask their client for input wait without a thread (features.h, R1): in the peer up to 2025-11-25,
//    with the client, sealed, from 2026-07-28 on.
// R4 what the guard does not let out is replaced by an internal error that says nothing.
// R5 one thread at a time.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "surface/mcp/features.h"
#include "surface/mcp/peer.h"
#include "surface/mcp/request_state.h"

namespace alfred::mcp {

// What a transport with status codes says beside the messages.
struct Receipt {
  int http_status = 200;
  bool is_answered = true;  // false: nothing answers it, or only later
};

class McpEndpoint {
 public:
  McpEndpoint(McpFeatures& features, const Clock& clock, Random& random)
      : features_(features), states_(clock, random) {}

  Receipt receive(std::string_view text, McpPeer& peer, const std::shared_ptr<McpSink>& sink);
  Receipt receive(const RpcMessage& message, McpPeer& peer, const std::shared_ptr<McpSink>& sink);

  // Peers that are told what changes, while they are here.
  void attach(McpPeer& peer) { peers_.insert(&peer); }
  void detach(McpPeer& peer);
  // The client closed a stream: what it was for is cancelled.
  void drop(const McpSink& sink);
  void tell(const Notice& notice);
  // Whether some client has asked to be told of this resource.
  bool is_watched(const std::string& uri) const;
  // Ends all subscriptions with their response.
  void finish();

  const McpFeatures& features() const { return features_; }
  // Whether a request speaks 2026-07-28.
  static bool is_modern(const RpcMessage& message);

 private:
  struct Request {  // as it is being answered
    const RpcMessage& message;
    McpPeer& peer;
    const std::shared_ptr<McpSink>& sink;
    bool is_modern = false;
    const JsonObject* capabilities = nullptr;
    const JsonObject* inputs = nullptr;
    const Json* kept = nullptr;
  };
  struct Listener {  // subscriptions/listen
    Json id;
    JsonObject wanted;
    std::shared_ptr<McpSink> sink;
  };

  Receipt answer_legacy(const RpcMessage& message, McpPeer& peer,
                        const std::shared_ptr<McpSink>& sink);
  Receipt answer_modern(const RpcMessage& message, McpPeer& peer,
                        const std::shared_ptr<McpSink>& sink);
  Receipt listen(const Request& request);
  void notified(const RpcMessage& message, McpPeer& peer, const McpSink& sink);
  void replied(const RpcMessage& message, McpPeer& peer);
  void cancel(const Json& id, McpPeer& peer, const McpSink& sink);
  void resume(const std::shared_ptr<WaitingCall>& call, McpPeer& peer);

  // Methods that both eras have; none: unknown_method.
  McpOutcome run(const Request& request);
  McpOutcome run_named(const Request& request, const CallScope& scope);
  RpcResult<JsonObject> initialize(const RpcMessage& message, McpPeer& peer);
  // Methods of a session only; nothing: it is none of them.
  std::optional<RpcResult<JsonObject>> run_session(const RpcMessage& message, McpPeer& peer);
  JsonObject discover() const;
  CallScope scope_of(const Request& request);
  McpOutcome list(const Request& request, std::string_view member, JsonArray all) const;

  Receipt settle_legacy(const Request& request, McpOutcome outcome);
  Receipt settle_modern(const Request& request, McpOutcome outcome);
  void ask(const std::shared_ptr<WaitingCall>& call, const InputRequired& wanted, McpPeer& peer);
  void complete_modern(const RpcMessage& message, JsonObject& result) const;
  Receipt respond(const Request& request, JsonObject result);
  Receipt refuse(const Request& request, const RpcError& error, int http_status);
  void send(McpSink& sink, const Json& message, std::string_view checked);
  JsonObject server_info() const;

  McpFeatures& features_;
  RequestState states_;
  std::set<McpPeer*> peers_;
  std::vector<Listener> listeners_;
};

}  // namespace alfred::mcp
