// WakeSlots: which of the targets that are due are woken now, where many are woken at once.
//
// R1 at most `most` at once, at most kOfOneAgent of one agent, and a target by one at a time.
// R2 those whose last attempt failed or took longer than kSlowMs share half of the places, so that however many they are they
//    hold up nobody else for longer than the first attempt.
// R3 what is known of slow ones is bounded; the oldest is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "inbox/wake/due_wake.h"

namespace alfred::inbox {

class WakeSlots {
 public:
  static constexpr std::int64_t kSlowMs = 1'000;
  static constexpr std::size_t kMostKnown = 4096;

  explicit WakeSlots(std::size_t most) : most_(most) {}

  // Whether it may be woken now; then it has a place until give_back().
  bool take(const DueWake& wake);
  void give_back(const DueWake& wake, std::int64_t took_ms);

 private:
  void note(const std::string& target, bool is_slow);

  const std::size_t most_;
  std::mutex mutex_;
  std::map<std::string, bool> taken_;  // target, and whether it has one of the slow places
  std::map<std::string, std::size_t> of_agent_;
  std::size_t slow_taken_ = 0;
  std::set<std::string> slow_;
  std::deque<std::string> slow_order_;
};

}  // namespace alfred::inbox
