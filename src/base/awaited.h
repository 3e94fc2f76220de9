// Awaited: a value that one thread gives and one thread waits for.
//
// R1 it has its own lock, so that many who are told one after the other do not queue for one that who tells them
//    holds: who is woken runs on.
// R2 it may end as soon as wait() returns: who gave the value has let go by then.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

namespace alfred {

template <class T>
class Awaited {
 public:
  void give(T value) {
    const std::lock_guard lock(mutex_);
    value_ = value;
    given_.notify_one();
  }
  T wait() {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [&] { return value_.has_value(); });
    const T value = *value_;
    value_.reset();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable given_;
  std::optional<T> value_;
};

}  // namespace alfred
