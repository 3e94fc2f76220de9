#include "inbox/write_queue.h"

#include <thread>

namespace alfred {

WriteQueue::Turn WriteQueue::join(Waiting& mine) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(&mine);
    if (!is_led_) {
      is_led_ = true;
      return Turn::leads;
    }
  }
  return mine.turn.wait();
}

WriteQueue::Group WriteQueue::take() {
  std::unique_lock lock(mutex_);
  // Those who were told a moment ago are about to come again: they run first.
  for (std::size_t before = 0; waiting_.size() > before && waiting_.size() < last_group_;) {
    before = waiting_.size();
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
  Group group;
  for (; !waiting_.empty() && group.size_ < kMostTogether; waiting_.pop_front())
    group.places_.at(group.size_++) = waiting_.front();
  last_group_ = group.size_;
  return group;
}

void WriteQueue::end(const Group& group) {
  Waiting* next = nullptr;
  {
    const std::lock_guard lock(mutex_);
    is_led_ = !waiting_.empty();
    if (is_led_) next = waiting_.front();
  }
  for (Waiting* const one : group.all().subspan(1))
    one->turn.give(one->answer ? Turn::told : Turn::alone);
  if (next != nullptr) next->turn.give(Turn::leads);
}

}  // namespace alfred
