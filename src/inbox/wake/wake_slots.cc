#include "inbox/wake/wake_slots.h"

#include <algorithm>

#include "inbox/wake/dispatch.h"

namespace alfred::inbox {

bool WakeSlots::take(const DueWake& wake) {
  const std::scoped_lock lock(mutex_);
  if (taken_.size() >= most_ || taken_.contains(wake.target)) return false;
  const auto agent = of_agent_.find(wake.agent);
  if (agent != of_agent_.end() && agent->second >= static_cast<std::size_t>(kOfOneAgent))
    return false;
  const bool is_slow = wake.has_failed || slow_.contains(wake.target);
  if (is_slow && slow_taken_ >= std::max<std::size_t>(most_ / 2, 1)) return false;
  taken_.emplace(wake.target, is_slow);
  ++of_agent_[wake.agent];
  if (is_slow) ++slow_taken_;
  return true;
}

void WakeSlots::give_back(const DueWake& wake, std::int64_t took_ms) {
  const std::scoped_lock lock(mutex_);
  const auto taken = taken_.find(wake.target);
  if (taken == taken_.end()) return;
  if (taken->second) --slow_taken_;
  taken_.erase(taken);
  const auto agent = of_agent_.find(wake.agent);
  if (agent != of_agent_.end() && --agent->second == 0) of_agent_.erase(agent);
  note(wake.target, took_ms > kSlowMs);
}

void WakeSlots::note(const std::string& target, bool is_slow) {
  if (!is_slow) {
    if (slow_.erase(target) > 0)
      slow_order_.erase(std::find(slow_order_.begin(), slow_order_.end(), target));
    return;
  }
  if (!slow_.insert(target).second) return;
  slow_order_.push_back(target);
  if (slow_order_.size() <= kMostKnown) return;
  slow_.erase(slow_order_.front());
  slow_order_.pop_front();
}

}  // namespace alfred::inbox
