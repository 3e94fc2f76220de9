// DueRunner: does what time brings to an inbox, on a thread of its own, as long as it lives.
//
// R1 it sleeps until something is due, until look_now(), or for a short while: another process may have changed
//    what is due. Looking reads four index entries.
// R2 what fails is tried again after the next sleep. It does not stop what else is due.
// R3 a wake-up that is under way is finished before it goes.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "inbox/inbox.h"

namespace alfred {

class DueRunner {
 public:
  using FailFn = std::function<void(const Error&)>;  // on the thread of the runner
  DueRunner(Inbox& inbox, const Clock& clock, const Wakers& wakers, FailFn on_error = {});
  DueRunner(const DueRunner&) = delete;
  DueRunner& operator=(const DueRunner&) = delete;
  ~DueRunner();

  void look_now();

 private:
  void run();
  Result<void> do_what_is_due();
  std::int64_t sleep_ms();

  Inbox& inbox_;
  const Clock& clock_;
  Wakers wakers_;
  FailFn on_error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  bool is_wanted_ = false;
  std::thread thread_;
};

}  // namespace alfred
