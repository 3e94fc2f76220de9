// MCP over HTTP (Streamable HTTP), apart from any server: a request as values goes in, its answer
// as values comes out. A server reads and writes bytes, and has checked Host, Origin and who it is.
//
// R1 one message a POST. Its answer is JSON where it is one message that is there already, else a stream of events.
// R2 up to 2025-11-25 `initialize` begins a session, named by Mcp-Session-Id: without it 400, with one that is not
//    here 404; GET opens its stream, DELETE ends it. A version that is not spoken is 400.
// R3 from 2026-07-28 on there is none: MCP-Protocol-Version, Mcp-Method and Mcp-Name say the same as the body, or
//    it is 400 with -32020; an unknown method is 404; a client that closes its stream has
//    cancelled.
// R4 at most kMostSessions sessions; the one that was silent longest gives way. Another principal's session is
//    one that is not here.
// R5 any thread may call; one at a time is let in.
#pragma once

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

struct HttpAsk {
  std::string method{};
  HttpHeaders headers{};
  std::string body{};
  std::string principal{};  // who asks, where the server knows
};

struct HttpAnswer {
  int status = 200;
  HttpHeaders headers{};
  std::string body{};
  std::shared_ptr<EventStream>
      stream{};  // not null: the body is what it gives until it is finished
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

  HttpAnswer post(const HttpAsk& ask);
  HttpAnswer post_modern(const HttpAsk& ask, const RpcMessage& message);
  HttpAnswer post_legacy(const HttpAsk& ask, const RpcMessage& message);
  HttpAnswer begin_session(const HttpAsk& ask, const RpcMessage& message);
  HttpAnswer get(const HttpAsk& ask);
  HttpAnswer end_session(const HttpAsk& ask);
  HttpAnswer receive(const RpcMessage& message, McpPeer& peer);
  // The session that is named, or what is wrong with that.
  tl::expected<Session*, HttpAnswer> session_of(const HttpAsk& ask);
  void make_room();

  McpEndpoint& endpoint_;
  Random& random_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Session>, std::less<>> sessions_;
  std::uint64_t uses_ = 0;
};

// A header by its name, whatever its case; white space around the value is dropped. Null: none.
std::optional<std::string> header_of(const HttpHeaders& headers, std::string_view name);
// What the headers of 2026-07-28 have to say of a message (R3).
RpcResult<void> check_headers(const HttpHeaders& headers, const RpcMessage& message);

}  // namespace alfred::mcp
