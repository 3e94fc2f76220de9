// InboxRunner: the threads that do what is due: timers, digests, retirements and wake-ups.
//
// R1 what this process appends is noticed at once, what others append within a second.
// R2 a target that takes long to answer holds up no timer and no other agent: many are woken at once, each target by one at a
//    time, and those that are known to be slow or to fail share half of the places
//    (wake/wake_slots.h).
// R3 an error of the store is told and tried again, a second later; it ends nothing.
// R4 an end does not wait for webhooks: their attempts are broken off, and made again under the same id.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "inbox/inbox.h"
#include "inbox/wake/wake_slots.h"

namespace alfred {

class InboxRunner {
 public:
  struct Options {
    Wakers more{};  // for sessions and MCP clients; webhooks and panes are woken by the runner
    std::function<void(const Error&)> on_error{};
    std::size_t at_once = 32;  // wake-ups; threads are made when they are needed
    bool wakes_others = true;  // false: only those of `more`
  };
  InboxRunner(Inbox& inbox, const Clock& clock, Options options);
  InboxRunner(const InboxRunner&) = delete;
  InboxRunner& operator=(const InboxRunner&) = delete;
  ~InboxRunner();  // waits for what is running

 private:
  void keep_time();
  void look_for_due();
  void hand_out(const inbox::DueWake& wake);
  void wake_handed();
  void wake_one(const inbox::DueWake& wake, const Wakers& wakers);
  // Until there is something to do, at most a second. False: the end.
  bool rest(std::uint64_t seen, std::int64_t most_ms);
  void told(const Error& error);

  Inbox& inbox_;
  const Clock& clock_;
  Options options_;
  std::atomic<bool> is_over_{false};
  inbox::WakeSlots slots_;
  std::atomic<bool> has_waiting_{false};  // somebody is due and had no place
  std::mutex mutex_;
  std::condition_variable handed_;
  std::deque<inbox::DueWake> queue_;
  std::size_t idle_ = 0;  // of workers_
  std::vector<std::thread> workers_;
  std::thread timekeeper_;
  std::thread looker_;
};

}  // namespace alfred
