// What the routes work with, given by whoever starts the server: a place, who answers, and ports.
//
// R1 nothing of a session is kept between requests: each opens it, so any number of servers may serve one place.
// R2 of one session one request at a time moves its turn; another is told so (turn_open). Looking never waits.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/random.h"
#include "base/time/clock.h"
#include "contracts/ask.h"
#include "engine/record_service.h"
#include "engine/session/session.h"
#include "interpreter/interpreter.h"

namespace alfred::http {

struct InboxDoor;

// How a turn is watched by who drives it.
struct TurnWatch {
  std::function<void(const Ask&, std::string_view piece)> on_token{};  // of a reply that is coming
  const std::atomic<bool>* is_cancelled = nullptr;
};

struct ApiWorld {
  RecordPlace place;
  const Clock& clock;
  Random& random;
  // By name: "rules", or the server's own for an empty one. Null: there is none of this name.
  // Several turns may have the same.
  std::function<Result<std::shared_ptr<Interpreter>>(const std::string& name, const TurnWatch&)>
      interpreter{};
  std::string interpreter_name{};      // of the server's own
  std::vector<std::string> secrets{};  // that no prompt and no log may hold
  std::string zone{};                  // of the user's clock
  SessionTuning tuning{};
  InboxDoor* inbox = nullptr;  // null: there is none here
};

// The turns that this process is moving (R2).
class TurnSlots {
 public:
  class Slot {
   public:
    Slot(TurnSlots& slots, std::string session) : slots_(slots), session_(std::move(session)) {}
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { slots_.give_back(session_); }
    std::atomic<bool>& is_cancelled() { return is_cancelled_; }

   private:
    TurnSlots& slots_;
    std::string session_;
    std::atomic<bool> is_cancelled_{false};
  };

  // Null: somebody has it.
  std::shared_ptr<Slot> take(const std::string& session) {
    const std::scoped_lock lock(mutex_);
    auto [at, is_new] = slots_.try_emplace(session);
    if (!is_new) return nullptr;
    auto slot = std::make_shared<Slot>(*this, session);
    at->second = slot;
    return slot;
  }
  // Whether something is running there that will see it.
  bool cancel(const std::string& session) {
    const std::scoped_lock lock(mutex_);
    const auto found = slots_.find(session);
    const std::shared_ptr<Slot> slot = found == slots_.end() ? nullptr : found->second.lock();
    if (slot) slot->is_cancelled() = true;
    return slot != nullptr;
  }
  bool is_taken(const std::string& session) const {
    const std::scoped_lock lock(mutex_);
    return slots_.contains(session);
  }
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return slots_.size();
  }

 private:
  void give_back(const std::string& session) {
    const std::scoped_lock lock(mutex_);
    slots_.erase(session);
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::weak_ptr<Slot>> slots_;
};

}  // namespace alfred::http
