// FeaturePool: several features for the same things, so that calls run beside each other.
//
// R1 at most `most`; another one is opened when all that are there are lent. One that cannot be opened is waited for
//    instead.
// R2 who is lent one knows all that was answered before.
// R3 the one that was used last is lent first, and one that nobody needed for kIdleMs is closed.
// R4 any thread may call.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "base/time/clock.h"
#include "surface/mcp/features.h"

namespace alfred::mcp {

class FeaturePool final : public McpHost {
 public:
  static constexpr std::int64_t kIdleMs = 60'000;
  using Open = std::function<Result<std::unique_ptr<McpFeatures>>()>;

  // Only this one.
  explicit FeaturePool(McpFeatures& only);
  FeaturePool(std::unique_ptr<McpFeatures> first, Open open, std::size_t most, const Clock& clock);

  const ServerCard& card() const override { return card_; }
  const ParamHeaders& param_headers() const override { return param_headers_; }
  Result<std::shared_ptr<McpFeatures>> lend() override;
  std::size_t size() const;

 private:
  struct Idle {
    std::shared_ptr<McpFeatures> features;
    std::int64_t since_ns;
  };
  std::shared_ptr<McpFeatures> take();
  void give_back(const std::shared_ptr<McpFeatures>& features);
  std::int64_t now_ns() const { return clock_ == nullptr ? 0 : clock_->monotonic_ns(); }

  Open open_;
  std::size_t most_;
  const Clock* clock_;
  ServerCard card_;
  ParamHeaders param_headers_;
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<Idle> idle_;
  std::size_t size_ = 1;
  std::int64_t place_ = 0;  // the farthest that one of them knows of
};

}  // namespace alfred::mcp
