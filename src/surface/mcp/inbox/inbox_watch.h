// InboxWatch: tells clients that watch inbox://<agent> when something came to it.
//
// R1 what came after a client's subscription was confirmed is told, by whichever process it came; what this process
//    appends at once, the rest within a second.
// R2 nothing is read while nobody watches.
// R3 while a client that subscribed has no stream open, what came waits for it, for up to kForgetMs.
// R4 an agent that has a target of kind `mcp` counts as woken by that: a wake-up that is due while somebody watches its
//    inbox is delivered within a second. Nobody is told twice of the same entries.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "inbox/inbox.h"
#include "surface/mcp/endpoint.h"

namespace alfred::mcp {

class InboxWatch {
 public:
  static constexpr std::int64_t kForgetMs = 60'000;
  static constexpr std::size_t kMostAwaited = 1000;  // beyond it, only agents that are there

  // Both live until stop().
  InboxWatch(Inbox& inbox, McpEndpoint& endpoint, const Clock& clock);
  InboxWatch(const InboxWatch&) = delete;
  InboxWatch& operator=(const InboxWatch&) = delete;
  ~InboxWatch() { stop(); }
  void stop();

 private:
  struct Watched {
    std::int64_t told = 0;  // the sequence of the newest entry that is known
    std::int64_t said = 0;  // and of the newest that somebody was told of
    std::int64_t wanted_ns = 0;
  };
  // A client is about to be told that it has subscribed.
  void begin(const std::string& uri);
  class Teller;
  void look();
  void wake(const std::string& uri);
  // Tells of what came after this mark, if anything did.
  void tell_beyond(const std::string& uri, std::int64_t Watched::*mark);
  void run();
  std::optional<std::int64_t> newest(const std::string& uri);

  Inbox& inbox_;
  McpEndpoint& endpoint_;
  const Clock& clock_;
  std::atomic<bool> is_over_{false};
  std::mutex mutex_;
  std::map<std::string, Watched> watched_;
  std::int64_t wake_after_ns_ = 0;  // of the thread alone
  std::thread thread_;
};

}  // namespace alfred::mcp
