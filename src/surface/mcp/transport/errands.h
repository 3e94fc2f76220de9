// Errands: what other threads want done on the thread that serves, between two messages.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace alfred::mcp {

class Errands {
 public:
  void add(std::function<void()> errand) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(errand));
    if (on_news_) on_news_();
  }
  // Called for each errand, on the thread that adds it; null: nobody listens any more.
  void listen(std::function<void()> on_news) {
    const std::scoped_lock lock(mutex_);
    on_news_ = std::move(on_news);
  }
  void run() {
    std::vector<std::function<void()>> mine;
    {
      const std::scoped_lock lock(mutex_);
      mine.swap(waiting_);
    }
    for (const std::function<void()>& errand : mine) errand();
  }

 private:
  std::mutex mutex_;
  std::vector<std::function<void()>> waiting_;
  std::function<void()> on_news_;
};

}  // namespace alfred::mcp
