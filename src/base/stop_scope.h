// Whether what a thread is doing is still wanted: who asked for it may take it back while it runs.
//
// R1 a StopScope says who to ask for as long as it lives, on its thread; the innermost one counts.
// R2 long work looks at is_stop_wanted() now and then and ends with an error; nothing of it stays.
#pragma once

#include <atomic>

namespace alfred {

using StopFlag = std::atomic<bool>;

class StopScope {
 public:
  explicit StopScope(const StopFlag* flag);  // null: nobody takes it back
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const StopFlag* before_;
};

// Of this thread; null: none.
const StopFlag* stop_flag();
bool is_stop_wanted();

}  // namespace alfred
