#include "surface/mcp/transport/event_stream.h"

#include <utility>

namespace alfred::mcp {

void EventStream::changed(std::unique_lock<std::mutex>& lock) {
  if (!wake_) return;
  const std::function<void()> wake = wake_;
  lock.unlock();
  wake();
}

void EventStream::send(std::string message) {
  std::unique_lock lock(mutex_);
  if (is_finished_) return;
  waiting_bytes_ += message.size();
  if (waiting_bytes_ > kMostWaiting) {
    is_finished_ = true;
    waiting_.clear();
  } else {
    waiting_.push_back(std::move(message));
  }
  changed(lock);
}

void EventStream::finish() {
  std::unique_lock lock(mutex_);
  is_finished_ = true;
  changed(lock);
}

std::string EventStream::take() {
  const std::lock_guard lock(mutex_);
  std::string events;
  for (const std::string& message : waiting_) events += "event: message\ndata: " + message + "\n\n";
  waiting_.clear();
  waiting_bytes_ = 0;
  return events;
}

std::optional<std::string> EventStream::take_only_message() {
  const std::lock_guard lock(mutex_);
  if (!is_finished_ || waiting_.size() != 1) return std::nullopt;
  std::string message = std::move(waiting_.front());
  waiting_.clear();
  waiting_bytes_ = 0;
  return message;
}

bool EventStream::is_finished() const {
  const std::lock_guard lock(mutex_);
  return is_finished_;
}

void EventStream::closed() {
  if (stop_) *stop_ = true;
}

void EventStream::on_change(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

}  // namespace alfred::mcp
