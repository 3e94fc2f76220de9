#include "inbox/inbox_runner.h"

#include <algorithm>
#include <chrono>

#include "inbox/wake/tmux.h"
#include "inbox/wake/webhook.h"

namespace alfred {
namespace {

constexpr std::int64_t kLookMs = 1'000;
constexpr std::int64_t kBreathMs = 20;  // between two looks, however much is going on

std::int64_t sum_of(const Json& counts) {
  std::int64_t sum = 0;
  for (const auto& member : counts.as_object()) sum += member.value().as_int64();
  return sum;
}

}  // namespace

InboxRunner::InboxRunner(Inbox& inbox, const Clock& clock, Options options)
    : inbox_(inbox), clock_(clock), options_(std::move(options)) {
  threads_.emplace_back([this] { keep_time(); });
  for (std::size_t i = 0; i < options_.waking_threads; ++i)
    threads_.emplace_back([this] { wake(); });
}

InboxRunner::~InboxRunner() {
  is_over_ = true;
  for (std::thread& thread : threads_) thread.join();
}

void InboxRunner::told(const Error& error) {
  if (options_.on_error) options_.on_error(error);
}

bool InboxRunner::rest(std::uint64_t seen, std::int64_t most_ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(kBreathMs));
  // In steps, so that an end is seen soon.
  for (std::int64_t left = std::clamp<std::int64_t>(most_ms, 0, kLookMs); left > 0; left -= 100)
    if (is_over_ || inbox_.wait_for_change(seen, std::min<std::int64_t>(left, 100)) != seen) break;
  return !is_over_;
}

void InboxRunner::keep_time() {
  if (const Result<Json> settled = inbox_.settle_deliveries(); !settled) told(settled.error());
  for (std::uint64_t seen = 0; !is_over_;) {
    std::int64_t wait_ms = kLookMs;
    if (const Result<Json> pumped = inbox_.pump(); !pumped) told(pumped.error());
    seen = inbox_.changes();
    const Result<std::optional<std::int64_t>> next = inbox_.next_due_ms();
    if (!next) told(next.error());
    if (next && *next) wait_ms = **next - clock_.wall_ms();
    if (wait_ms <= 0) {
      const Result<Json> done = inbox_.run_due({});
      if (!done) told(done.error());
      seen = inbox_.changes();
      // What is due is a wake-up, which is not for this thread.
      wait_ms = done && sum_of(*done) > 0 ? 0 : kLookMs;
    }
    rest(seen, wait_ms);
  }
}

void InboxRunner::wake() {
  WebhookWaker webhook;
  TmuxWaker tmux;
  Wakers wakers = options_.more;
  if (wakers.webhook == nullptr && options_.wakes_others) wakers.webhook = &webhook;
  if (wakers.terminal == nullptr && options_.wakes_others) wakers.terminal = &tmux;
  while (!is_over_) {
    const std::uint64_t seen = inbox_.changes();
    const Result<Json> done = inbox_.dispatch(wakers);
    if (!done) told(done.error());
    std::int64_t wait_ms = kLookMs;
    const Result<std::optional<std::int64_t>> next = inbox_.next_due_ms();
    if (next && *next) wait_ms = **next - clock_.wall_ms();
    // Due already, and not for here: a look now and then is enough.
    rest(seen, wait_ms <= 0 ? kLookMs : wait_ms);
  }
}

}  // namespace alfred
