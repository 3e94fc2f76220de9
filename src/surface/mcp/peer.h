// McpPeer: what the protocol remembers of one client up to 2025-11-25: over stdio of the process at
// the other end, over HTTP of a session. A client of 2026-07-28 needs none of it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/stop_scope.h"
#include "surface/mcp/message.h"

namespace alfred::mcp {

// Where messages to a client go: standard output, the answer of a POST, a stream.
class McpSink {
 public:
  McpSink() = default;
  McpSink(const McpSink&) = delete;
  McpSink& operator=(const McpSink&) = delete;
  virtual ~McpSink() = default;
  virtual void send(std::string message) = 0;
  virtual void finish() = 0;  // the request that this is for has its response
};

// A request that waits for answers of its client.
struct WaitingCall {
  RpcMessage request{};
  JsonObject inputs{};
  Json kept{};
  std::size_t missing = 0;  // answers to come
  std::shared_ptr<McpSink> sink{};
};

struct McpPeer {
  static constexpr std::size_t kMostQuestions = 64;

  std::string principal{};            // who it is, where the transport knows
  std::string version{};              // empty: not initialized
  JsonObject capabilities{};          // the client's
  std::string log_level{};            // empty: none asked for
  std::set<std::string> watched{};    // resources
  std::shared_ptr<McpSink> stream{};  // for what belongs to no request; null: none is open

  struct Question {  // one that we asked
    std::shared_ptr<WaitingCall> call{};
    std::string key{};
  };
  std::map<std::int64_t, Question> questions{};
  std::int64_t last_question = 0;

  // Requests that are being answered, by their ids as JSON: set to true, one is cancelled.
  std::map<std::string, std::shared_ptr<StopFlag>> running{};
  // A cancellation may come before what it takes back: ids that are not to begin, and the last that
  // did.
  static constexpr std::size_t kMostTakenBack = 64;
  static constexpr std::size_t kMostBegun = 256;
  std::set<std::string> taken_back{};
  std::deque<std::string> begun{};
  // That of its one request, where the transport sets it (2026-07-28 over HTTP); null: none.
  std::shared_ptr<StopFlag> stop{};
  bool is_over = false;  // nothing may wait for it any more
};

}  // namespace alfred::mcp
