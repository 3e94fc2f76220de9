#include "engine/reminders/due_runner.h"

#include <algorithm>
#include <chrono>

namespace alfred {
namespace {

constexpr std::int64_t kLookMs = 1'000;

}  // namespace

DueRunner::DueRunner(Inbox& inbox, const Clock& clock, const Wakers& wakers, FailFn on_error)
    : inbox_(inbox),
      clock_(clock),
      wakers_(wakers),
      on_error_(std::move(on_error)),
      thread_([this] { run(); }) {}

DueRunner::~DueRunner() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DueRunner::look_now() {
  {
    const std::scoped_lock lock(mutex_);
    is_wanted_ = true;
  }
  changed_.notify_all();
}

Result<void> DueRunner::do_what_is_due() {
  if (const Result<Json> pumped = inbox_.pump(); !pumped) return Unexpected(pumped.error());
  const auto next = inbox_.next_due_ms();
  if (!next) return Unexpected(next.error());
  if (!*next || **next > clock_.wall_ms()) return {};
  if (const Result<Json> done = inbox_.run_due(wakers_); !done) return Unexpected(done.error());
  return {};
}

std::int64_t DueRunner::sleep_ms() {
  const auto next = inbox_.next_due_ms();
  if (!next || !*next) return kLookMs;
  // What is due and stays so waits for somebody else; it is no reason to hurry.
  const std::int64_t left = **next - clock_.wall_ms();
  return left <= 0 ? kLookMs : std::min(left, kLookMs);
}

void DueRunner::run() {
  for (;;) {
    const Result<void> done = do_what_is_due();
    if (!done && on_error_) on_error_(done.error());
    const std::int64_t most_ms = sleep_ms();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(most_ms),
                      [&] { return is_over_ || is_wanted_; });
    is_wanted_ = false;
    if (is_over_) return;
  }
}

}  // namespace alfred
