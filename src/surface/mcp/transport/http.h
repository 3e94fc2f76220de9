// MCP over HTTP (Streamable HTTP), apart from any server: a request as values goes in, its answer
// as values comes out. A server reads and writes bytes, and has checked Host, Origin and who it is.
//
// R1 one message a POST. Its answer is JSON where it is one message that is there already, else a stream of events.
// R2 up to 2025-11-25 `initialize` begins a session, named by Mcp-Session-Id: without it 400, with one that is not
//    here 404; GET opens its stream, DELETE ends it. A version that is not spoken is 400.
// R3 from 2026-07-28 on there is none: MCP-Protocol-Version, Mcp-Method and Mcp-Name say the same as the body, or
//    it is 400 with -32020; an unknown method is 404; a client that closes its stream, or its
//    connection before it has an answer, has cancelled.
// R4 at most kMostSessions sessions; the one that was silent longest gives way. Another principal's session is
//    one that is not here.
// R5 any thread may call.
// R6 a call that is to tell of its progress is answered by a stream at once, and run by the server meanwhile.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surface/mcp/endpoint.h"
#include "surface/mcp/transport/event_stream.h"

namespace alfred::mcp {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// What it names lives for as long as it is answered.
struct HttpAsk {
  std::string_view method{};
  const HttpHeaders& headers;
  std::string_view body{};
  std::string_view principal{};  // who asks, where the server knows
  // Set by the server when the client has closed its connection; null: it does not look.
  std::shared_ptr<StopFlag> is_gone{};
};

// What was asked for, for who keeps count: no word of a user's is in it.
struct McpNote {
  std::string method{};
  std::string name{};         // of the tool or prompt
  std::string version{};      // of the protocol
  std::string fault{};        // as a Receipt has it
  std::string traceparent{};  // of `_meta`
};

struct HttpAnswer {
  int status = 200;
  HttpHeaders headers{};
  std::string body{};
  std::shared_ptr<EventStream>
      stream{};                  // not null: the body is what it gives until it is finished
  std::function<void()> work{};  // R6: to be run while the stream is sent
  McpNote note{};
};

class McpHttp {
 public:
  static constexpr std::size_t kMostSessions = 1000;

  McpHttp(McpEndpoint& endpoint, Random& random) : endpoint_(endpoint), random_(random) {}
  ~McpHttp();
  McpHttp(const McpHttp&) = delete;
  McpHttp& operator=(const McpHttp&) = delete;

  HttpAnswer answer(const HttpAsk& ask);
  // The client has closed the connection that this stream went to.
  void closed(const std::shared_ptr<EventStream>& stream);
  // Ends all streams, each with what the protocol says.
  void finish();

 private:
  struct Session {
    McpPeer peer{};
    std::uint64_t last_used = 0;
  };
  using SessionPtr = std::shared_ptr<Session>;

  HttpAnswer post(const HttpAsk& ask);
  HttpAnswer post_modern(const HttpAsk& ask, const RpcMessage& message);
  HttpAnswer post_legacy(const HttpAsk& ask, const RpcMessage& message);
  HttpAnswer begin_session(const HttpAsk& ask, const RpcMessage& message);
  HttpAnswer get(const HttpAsk& ask);
  HttpAnswer end_session(const HttpAsk& ask);
  HttpAnswer receive(const RpcMessage& message, const std::shared_ptr<McpPeer>& peer);
  // The session that is named, or what is wrong with that.
  tl::expected<SessionPtr, HttpAnswer> session_of(const HttpAsk& ask);
  static std::shared_ptr<McpPeer> peer_of(const SessionPtr& session);
  void end(const SessionPtr& session);
  SessionPtr oldest_beyond_limit();

  McpEndpoint& endpoint_;
  Random& random_;
  std::mutex mutex_;
  std::map<std::string, SessionPtr, std::less<>> sessions_;
  std::uint64_t uses_ = 0;
};

// A header by its name, whatever its case; white space around the value is dropped. One that is
// there several times is a list, with commas, so that nobody takes another of them than we do.
// Null: none.
std::optional<std::string> header_of(const HttpHeaders& headers, std::string_view name);
// What the headers of 2026-07-28 have to say of a message (R3; param_headers.h).
RpcResult<void> check_headers(const HttpHeaders& headers, const RpcMessage& message,
                              const ParamHeaders& params = {});

}  // namespace alfred::mcp
