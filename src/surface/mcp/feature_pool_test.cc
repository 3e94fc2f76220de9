#include "surface/mcp/feature_pool.h"

#include <gtest/gtest.h>

#include <thread>

#include "surface/mcp/features_for_tests.h"

namespace alfred::mcp {
namespace {

// Knows how far it is, and counts how often it caught up.
class Placed final : public McpFeatures {
 public:
  const ServerCard& card() const override { return inner_.card(); }
  JsonArray tools() override { return {}; }
  JsonArray resources() override { return {}; }
  JsonArray resource_templates() override { return {}; }
  JsonArray prompts() override { return {}; }
  McpOutcome call_tool(std::string_view, const JsonObject&, const CallScope&) override {
    return {};
  }
  McpOutcome read_resource(const std::string&, const CallScope&) override { return {}; }
  bool may_be_watched(const std::string&) override { return false; }
  McpOutcome get_prompt(std::string_view, const JsonObject&, const CallScope&) override {
    return {};
  }
  McpOutcome complete(const JsonObject&) override { return {}; }
  bool may_leave(std::string_view) override { return true; }
  std::int64_t place() const override { return at; }
  Result<void> catch_up() override {
    ++catches;
    at = 5;
    return {};
  }
  std::int64_t at = 0;
  int catches = 0;

 private:
  FeaturesForTests inner_;
};

class Pool : public testing::Test {
 protected:
  Placed& of(const std::shared_ptr<McpFeatures>& lent) { return static_cast<Placed&>(*lent); }
  Result<std::unique_ptr<McpFeatures>> open() {
    ++opens;
    if (is_broken) return fail(ErrorCode::storage, "No.");
    return std::make_unique<Placed>();
  }
  ManualClock clock{1'000'000};
  int opens = 0;
  bool is_broken = false;
  FeaturePool pool{std::make_unique<Placed>(), [this] { return open(); }, 2, clock};
};

TEST_F(Pool, R1_one_is_enough_while_nobody_waits) {
  for (int i = 0; i < 3; ++i) pool.lend().value();
  EXPECT_EQ(opens, 0);
  const auto first = pool.lend().value();
  const auto second = pool.lend().value();
  EXPECT_EQ(opens, 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(pool.size(), 2U);
}

TEST_F(Pool, R2_who_is_lent_one_knows_what_others_did) {
  auto first = pool.lend().value();
  auto second = pool.lend().value();
  of(first).at = 5;
  first.reset();
  second.reset();  // it was used last, and is behind
  const auto again = pool.lend().value();
  EXPECT_EQ(of(again).catches, 1);
  EXPECT_EQ(of(again).at, 5);
}

TEST_F(Pool, R3_what_nobody_needs_is_closed) {
  {
    const auto first = pool.lend().value();
    const auto second = pool.lend().value();
  }
  clock.advance_ms(FeaturePool::kIdleMs + 1);
  pool.lend().value();
  EXPECT_EQ(pool.size(), 1U);
}

TEST_F(Pool, R1_one_that_cannot_be_opened_is_waited_for) {
  is_broken = true;
  auto first = pool.lend().value();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    first.reset();
  });
  EXPECT_TRUE(pool.lend().has_value());
  later.join();
  EXPECT_EQ(pool.size(), 1U);
}

}  // namespace
}  // namespace alfred::mcp
