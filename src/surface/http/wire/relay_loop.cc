#include "surface/http/wire/relay_loop.h"

#include <utility>

namespace alfred::http {
namespace {

constexpr int kLooksInVain = 64;  // then it sleeps

}  // namespace

RelayLoop::RelayLoop() {
  try {
    for (const State self : {State{0}, kRunner})
      threads_.emplace_back([this, self] { relay(self); });
  } catch (...) {
    end();
    throw;
  }
}

void RelayLoop::end() {
  stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void RelayLoop::stop() {
  io_.stop();
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

void RelayLoop::run() {
  std::unique_lock lock(mutex_);
  is_started_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return is_over_; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void RelayLoop::relay(State self) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_started_ || is_over_; });
  }
  try {
    while (!io_.stopped()) {
      run_loop(self);
      if (!take_over(self)) return;
    }
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
    }
    stop();
  }
}

void RelayLoop::run_loop(State self) {
  State before = state_.load(std::memory_order_acquire);
  for (State now = before; (now & kRunner) == self; now = state_.load(std::memory_order_acquire)) {
    const bool was_aside = std::exchange(before, now) != now;
    if (was_aside && finds_more()) continue;
    if (io_.run_one() == 0) return;
  }
}

// R5. Where there is one processor, whoever could ask cannot run while this looks.
bool RelayLoop::finds_more() {
  static const bool is_worth_it = std::thread::hardware_concurrency() > 1;
  if (!is_worth_it) return false;
  const auto until = std::chrono::steady_clock::now() + kLooksOn;
  do {
    if (io_.poll_one() != 0) return true;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < until);
  return false;
}

bool RelayLoop::aside(const std::function<void()>& work) {
  const State mine = (state_.load(std::memory_order_relaxed) | kAside) + kStep;
  state_.store(
      mine);  // before the watcher is looked for: it looks for this after it says it sleeps
  if (!is_watched_.load()) wake_watcher();
  work();
  State now = mine;
  return state_.compare_exchange_strong(now, mine & ~kAside);
}

void RelayLoop::wake_watcher() {
  const std::lock_guard lock(mutex_);
  is_watched_ = true;
  changed_.notify_all();
}

// False: it is over.
bool RelayLoop::take_over(State self) {
  while (!io_.stopped()) {
    if (!sleep_until_aside()) return false;
    if (look_on(self)) return true;
  }
  return false;
}

bool RelayLoop::sleep_until_aside() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_watched_ || is_over_; });
  return !is_over_;
}

// True: what was going on at one look and is at the next has lost the loop to this thread.
bool RelayLoop::look_on(State self) {
  State before = state_.load();
  for (int in_vain = 0; in_vain < kLooksInVain; ++in_vain) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, kPatience, [&] { return is_over_; })) return false;
    }
    State now = state_.load();
    if (now != before) {
      in_vain = 0;
    } else if ((now & kAside) != 0 &&
               state_.compare_exchange_strong(now, ((now & ~kAside) & ~kRunner) | self)) {
      return true;
    }
    before = now;
  }
  is_watched_ = false;
  if (state_.load() != before) is_watched_ = true;
  return false;
}

}  // namespace alfred::http
