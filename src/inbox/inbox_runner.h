// InboxRunner: the threads that do what is due: timers, digests, retirements and wake-ups.
//
// R1 what this process appends is noticed at once, what others append within a second.
// R2 a target that takes long to answer holds up no timer.
// R3 an error of the store is told and tried again; it ends nothing.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "inbox/inbox.h"

namespace alfred {

class InboxRunner {
 public:
  struct Options {
    Wakers more{};  // for sessions and MCP clients; webhooks and panes are woken by the runner
    std::function<void(const Error&)> on_error{};
    std::size_t waking_threads = 2;
    bool wakes_others = true;  // false: only those of `more`
  };
  InboxRunner(Inbox& inbox, const Clock& clock, Options options);
  InboxRunner(const InboxRunner&) = delete;
  InboxRunner& operator=(const InboxRunner&) = delete;
  ~InboxRunner();  // waits for what is running

 private:
  void keep_time();
  void wake();
  // Until there is something to do, at most a second. False: the end.
  bool rest(std::uint64_t seen, std::int64_t most_ms);
  void told(const Error& error);

  Inbox& inbox_;
  const Clock& clock_;
  Options options_;
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

}  // namespace alfred
