#include "storage/postgres/pg_pool.h"

#include <chrono>
#include <thread>
#include <utility>

#include "base/time/clock.h"
#include "storage/postgres/pg_error.h"

namespace alfred {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

// Away or starting up: worth another try. A wrong password or name is not.
bool may_come_back(const PgFault& fault) {
  const std::string& text = fault.message;
  for (const char* sign : {"starting up", "shutting down", "Connection refused", "No such file",
                           "closed the connection", "recovery mode", "Connection reset",
                           "Broken pipe", "too many clients", "timeout expired"})
    if (text.find(sign) != std::string::npos) return true;
  return fault.is_lost;
}

}  // namespace

PgLease::PgLease(PgPool* pool, std::unique_ptr<PgSession> session)
    : pool_(pool), session_(std::move(session)) {}
PgLease::PgLease(PgLease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      session_(std::move(other.session_)),
      is_dropped_(other.is_dropped_) {}

PgLease::~PgLease() {
  if (pool_ == nullptr) return;
  if (is_dropped_) session_.reset();
  pool_->take_back(std::move(session_));
}

void PgLease::drop() { is_dropped_ = true; }

Result<void> PgLease::renew() {
  pool_->forget_idle();
  session_.reset();
  Result<std::unique_ptr<PgSession>> fresh = pool_->connect();
  if (!fresh) return Unexpected(std::move(fresh).error());
  session_ = std::move(*fresh);
  is_dropped_ = false;
  return {};
}

Result<std::unique_ptr<PgSession>> PgPool::connect_once() const {
  PgResult<std::unique_ptr<PgSession>> session = PgSession::open(options_.url);
  if (session) return std::move(*session);
  return Unexpected(unreachable(session.error(), options_.identity));
}

Result<std::unique_ptr<PgSession>> PgPool::connect() const {
  const SystemClock clock;
  const std::int64_t end = clock.monotonic_ns() + options_.busy_timeout_ms * kNsPerMs;
  for (std::int64_t wait_ms = 5;; wait_ms = std::min<std::int64_t>(wait_ms * 2, 200)) {
    PgResult<std::unique_ptr<PgSession>> session = PgSession::open(options_.url);
    if (session) return std::move(*session);
    if (!may_come_back(session.error()) || clock.monotonic_ns() >= end)
      return Unexpected(unreachable(session.error(), options_.identity));
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
  }
}

Result<PgLease> PgPool::lend() {
  std::unique_lock lock(mutex_);
  const auto is_free = [&] { return lent_ < options_.size; };
  if (!returned_.wait_for(lock, std::chrono::milliseconds(options_.busy_timeout_ms), is_free))
    return fail(ErrorCode::busy,
                "All connections to the database are in use. Nothing was done; try again.");
  ++lent_;
  if (!idle_.empty()) {
    std::unique_ptr<PgSession> session = std::move(idle_.back());
    idle_.pop_back();
    return PgLease(this, std::move(session));
  }
  lock.unlock();
  Result<std::unique_ptr<PgSession>> session = connect();
  if (session) return PgLease(this, std::move(*session));
  take_back(nullptr);
  return Unexpected(std::move(session).error());
}

void PgPool::take_back(std::unique_ptr<PgSession> session) {
  {
    const std::scoped_lock lock(mutex_);
    --lent_;
    if (session != nullptr && session->is_usable()) idle_.push_back(std::move(session));
  }
  returned_.notify_one();
}

void PgPool::forget_idle() {
  std::vector<std::unique_ptr<PgSession>> gone;
  const std::scoped_lock lock(mutex_);
  gone.swap(idle_);
}

}  // namespace alfred
