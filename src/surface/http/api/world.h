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
  std::string session{};  // whose turn it is
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
    bool is_cancelled() const { return is_cancelled_; }
    bool is_stopping() const { return is_stopping_; }
    // What a model's answer is not waited for any more for: either of them.
    const std::atomic<bool>& is_unwanted() const { return is_unwanted_; }
    void cancel() { is_cancelled_ = is_unwanted_ = true; }
    void stop() { is_stopping_ = is_unwanted_ = true; }

   private:
    TurnSlots& slots_;
    std::string session_;
    std::atomic<bool> is_cancelled_{false};
    std::atomic<bool> is_stopping_{false};
    std::atomic<bool> is_unwanted_{false};
  };

  // Null: somebody has it.
  std::shared_ptr<Slot> take(const std::string& session) {
    const std::scoped_lock lock(mutex_);
    auto [at, is_new] = slots_.try_emplace(session);
    if (!is_new) return nullptr;
    auto slot = std::make_shared<Slot>(*this, session);
    if (is_stopping_) slot->stop();
    at->second = slot;
    return slot;
  }
  // Whether something is running there that will see it.
  bool cancel(const std::string& session) {
    std::shared_ptr<Slot> slot;  // outlives the lock: it may be the last to hold it
    {
      const std::scoped_lock lock(mutex_);
      const auto found = slots_.find(session);
      if (found != slots_.end()) slot = found->second.lock();
    }
    if (slot) slot->cancel();
    return slot != nullptr;
  }
  // The process ends: all that runs, and what is taken from now on, is left as far as it has come.
  void stop_all() {
    std::vector<std::shared_ptr<Slot>> all;
    {
      const std::scoped_lock lock(mutex_);
      is_stopping_ = true;
      for (auto& [session, one] : slots_) all.push_back(one.lock());
    }
    for (const std::shared_ptr<Slot>& slot : all)
      if (slot) slot->stop();
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
  bool is_stopping_ = false;
};

}  // namespace alfred::http
