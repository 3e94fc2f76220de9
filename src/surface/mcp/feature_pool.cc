#include "surface/mcp/feature_pool.h"

#include <algorithm>
#include <utility>

#include "base/kept_moment.h"

namespace alfred::mcp {

FeaturePool::FeaturePool(McpFeatures& only)
    : most_(1),
      clock_(nullptr),
      card_(only.card()),
      param_headers_(param_headers_of(only.tools())) {
  idle_.push_back({std::shared_ptr<McpFeatures>(&only, [](McpFeatures*) {}), 0});
}

FeaturePool::FeaturePool(std::unique_ptr<McpFeatures> first, Open open, std::size_t most,
                         const Clock& clock)
    : open_(std::move(open)),
      most_(most),
      clock_(&clock),
      card_(first->card()),
      param_headers_(param_headers_of(first->tools())) {
  idle_.push_back({std::move(first), now_ns()});
}

std::size_t FeaturePool::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

std::shared_ptr<McpFeatures> FeaturePool::take() {
  std::unique_lock lock(mutex_);
  if (idle_.empty() && size_ < most_) {
    ++size_;
    lock.unlock();
    Result<std::unique_ptr<McpFeatures>> opened = open_();
    if (opened) return std::move(*opened);
    lock.lock();
    --size_;
  }
  if (idle_.empty()) end_kept_moment();
  returned_.wait(lock, [&] { return !idle_.empty(); });
  std::shared_ptr<McpFeatures> features = std::move(idle_.back().features);
  idle_.pop_back();
  return features;
}

void FeaturePool::give_back(const std::shared_ptr<McpFeatures>& features) {
  std::vector<Idle> closed;  // outside of the lock
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = now_ns();
    place_ = std::max(place_, features->place());
    idle_.push_back({features, now});
    const auto is_old = [&](const Idle& one) { return now - one.since_ns > kIdleMs * 1'000'000; };
    while (size_ > 1 && is_old(idle_.front())) {
      closed.push_back(std::move(idle_.front()));
      idle_.erase(idle_.begin());
      --size_;
    }
  }
  returned_.notify_one();
}

Result<std::shared_ptr<McpFeatures>> FeaturePool::lend() {
  const std::shared_ptr<McpFeatures> mine = take();
  std::shared_ptr<McpFeatures> lent(mine.get(), [this, mine](McpFeatures*) { give_back(mine); });
  std::int64_t place = 0;
  {
    const std::lock_guard lock(mutex_);
    place = place_;
  }
  if (mine->place() < place)
    if (Result<void> known = mine->catch_up(); !known) return Unexpected(std::move(known).error());
  return lent;
}

}  // namespace alfred::mcp
