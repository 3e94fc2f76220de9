#include "inbox/inbox_runner.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "inbox/wake/tmux.h"
#include "inbox/wake/webhook.h"

namespace alfred {
namespace {

constexpr std::int64_t kLookMs = 1'000;
constexpr std::int64_t kBreathMs = 20;  // between two looks, however much is going on
constexpr std::int64_t kMillion = 1'000'000;

std::int64_t sum_of(const Json& counts) {
  std::int64_t sum = 0;
  for (const auto& member : counts.as_object()) sum += member.value().as_int64();
  return sum;
}

// Says which kinds are woken here, to who only asks what is due.
class NobodyWaker final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest&) override { return {WakeOutcome::Kind::busy}; }
};

}  // namespace

InboxRunner::InboxRunner(Inbox& inbox, const Clock& clock, Options options)
    : inbox_(inbox),
      clock_(clock),
      options_(std::move(options)),
      slots_(options_.at_once),
      timekeeper_([this] { keep_time(); }) {
  try {
    looker_ = std::thread([this] { look_for_due(); });
  } catch (...) {  // no thread to be had: none is left behind
    is_over_ = true;
    timekeeper_.join();
    throw;
  }
}

InboxRunner::~InboxRunner() {
  is_over_ = true;
  timekeeper_.join();
  looker_.join();
  {
    const std::scoped_lock lock(mutex_);
    handed_.notify_all();
  }
  for (std::thread& thread : workers_) thread.join();
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
  std::int64_t pump_after_ns = 0;
  for (std::uint64_t seen = 0; !is_over_;) {
    std::int64_t wait_ms = kLookMs;
    if (clock_.monotonic_ns() >= pump_after_ns)
      if (const Result<Json> pumped = inbox_.pump(); !pumped) {
        told(pumped.error());
        pump_after_ns = clock_.monotonic_ns() + kLookMs * kMillion;
      }
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

void InboxRunner::look_for_due() {
  NobodyWaker nobody;
  Wakers kinds = options_.more;
  if (kinds.webhook == nullptr && options_.wakes_others) kinds.webhook = &nobody;
  if (kinds.terminal == nullptr && options_.wakes_others) kinds.terminal = &nobody;
  while (!is_over_) {
    const std::uint64_t seen = inbox_.changes();
    const Result<std::vector<inbox::DueWake>> due = inbox_.due_wakes(kinds);
    if (!due) told(due.error());
    for (const inbox::DueWake& one : due.value_or(std::vector<inbox::DueWake>())) {
      if (slots_.take(one))
        hand_out(one);
      else
        has_waiting_ = true;
    }
    std::int64_t wait_ms = kLookMs;
    const Result<std::optional<std::int64_t>> next = inbox_.next_due_ms();
    if (next && *next) wait_ms = **next - clock_.wall_ms();
    // Due already, and not for here: a look now and then is enough.
    rest(seen, wait_ms <= 0 ? kLookMs : wait_ms);
  }
}

void InboxRunner::hand_out(const inbox::DueWake& wake) {
  const std::scoped_lock lock(mutex_);
  queue_.push_back(wake);
  if (queue_.size() > idle_ && workers_.size() < options_.at_once) {
    try {
      workers_.emplace_back([this] { wake_handed(); });
    } catch (const std::system_error&) {
      // No thread to be had: those that there are take it, or the next one that is made.
    }
  }
  handed_.notify_one();
}

void InboxRunner::wake_handed() {
  WebhookWaker webhook(WebhookWaker::kTimeoutMs, &is_over_);
  TmuxWaker tmux;
  Wakers wakers = options_.more;
  if (wakers.webhook == nullptr && options_.wakes_others) wakers.webhook = &webhook;
  if (wakers.terminal == nullptr && options_.wakes_others) wakers.terminal = &tmux;
  for (;;) {
    inbox::DueWake mine;
    {
      std::unique_lock lock(mutex_);
      ++idle_;
      handed_.wait(lock, [&] { return is_over_ || !queue_.empty(); });
      --idle_;
      if (is_over_) return;
      mine = std::move(queue_.front());
      queue_.pop_front();
    }
    wake_one(mine, wakers);
  }
}

void InboxRunner::wake_one(const inbox::DueWake& wake, const Wakers& wakers) {
  const std::int64_t begun = clock_.monotonic_ns();
  const Result<std::optional<WakeOutcome>> outcome = inbox_.wake(wake.target, wakers);
  if (!outcome) told(outcome.error());
  slots_.give_back(wake, (clock_.monotonic_ns() - begun) / kMillion);
  if (has_waiting_.exchange(false)) inbox_.tell_change();
}

}  // namespace alfred
