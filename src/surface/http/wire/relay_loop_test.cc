#include "surface/http/wire/relay_loop.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include <boost/asio/post.hpp>

#include "surface/http/wire/soon_for_tests.h"

namespace alfred::http {
namespace {

using boost::asio::post;

class RelayLoopThreads : public testing::Test {
 protected:
  ~RelayLoopThreads() override {
    may_end = true;
    loop.stop();
    runner.join();
  }
  void wait_until_it_may_end() const {
    while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  RelayLoop loop;
  std::atomic<bool> may_end{false};
  std::thread runner{[this] { loop.run(); }};
};

TEST_F(RelayLoopThreads, R2_who_is_quick_keeps_the_loop) {
  std::atomic<int> kept{0};
  for (int i = 0; i < 100; ++i)
    post(loop.io(), [&] {
      const std::thread::id before = std::this_thread::get_id();
      bool is_done = false;
      if (loop.aside([&] { is_done = true; }) && is_done && std::this_thread::get_id() == before)
        ++kept;
    });
  EXPECT_TRUE(soon([&] { return kept > 0; }));
  // Where the machine stands still meanwhile, one may lose it.
  std::atomic<bool> is_last{false};
  post(loop.io(), [&] { is_last = true; });
  EXPECT_TRUE(soon([&] { return is_last.load(); }));
}

TEST_F(RelayLoopThreads, R3_what_takes_long_loses_the_loop_and_nothing_waits_for_it) {
  std::atomic<bool> has_begun{false};
  std::atomic<int> seen{0};
  std::atomic<int> kept{-1};
  for (int round = 1; round <= 3; ++round) {  // each thread loses it to the other
    may_end = has_begun = false;
    kept = -1;
    post(loop.io(), [&] {
      const bool is_kept = loop.aside([&] {
        has_begun = true;
        wait_until_it_may_end();
      });
      kept = is_kept ? 1 : 0;
    });
    ASSERT_TRUE(soon([&] { return has_begun.load(); }));
    post(loop.io(), [&] { ++seen; });
    ASSERT_TRUE(soon([&] { return seen == round; })) << round;
    EXPECT_EQ(kept, -1);
    may_end = true;
    ASSERT_TRUE(soon([&] { return kept == 0; })) << round;
  }
}

TEST_F(RelayLoopThreads, R1_what_is_posted_never_runs_on_both_threads_at_once) {
  constexpr int kTimes = 400;
  int counted = 0;  // without a lock, by who runs the loop only
  std::atomic<int> left{kTimes};
  for (int i = 0; i < kTimes; ++i)
    post(loop.io(), [&, i] {
      ++counted;
      const auto takes = std::chrono::microseconds(i % 8 == 0 ? 2'500 : 0);
      const bool is_kept = loop.aside([&] { std::this_thread::sleep_for(takes); });
      if (is_kept) ++counted;
      post(loop.io(), [&, is_kept] {
        if (!is_kept) ++counted;
        --left;
      });
    });
  ASSERT_TRUE(soon([&] { return left == 0; }));
  std::atomic<int> all{0};
  post(loop.io(), [&] { all = counted; });
  EXPECT_TRUE(soon([&] { return all == 2 * kTimes; })) << all;
}

TEST_F(RelayLoopThreads, run_returns_when_it_is_stopped_whatever_is_still_going_on) {
  std::atomic<bool> has_begun{false};
  post(loop.io(), [&] {
    (void)loop.aside([&] {
      has_begun = true;
      wait_until_it_may_end();
    });
  });
  ASSERT_TRUE(soon([&] { return has_begun.load(); }));
  loop.stop();
  runner.join();
  EXPECT_FALSE(may_end);
  runner = std::thread([] {});
}

TEST(RelayLoopThreadsOf, what_is_thrown_in_the_loop_comes_out_of_run) {
  RelayLoop loop;
  post(loop.io(), [] { throw std::runtime_error("on purpose"); });
  EXPECT_THROW(loop.run(), std::runtime_error);
}

TEST(RelayLoop, one_that_never_ran_ends) {
  std::optional<RelayLoop> never_ran;
  never_ran.emplace();
  never_ran.reset();
  EXPECT_FALSE(never_ran);
}

}  // namespace
}  // namespace alfred::http
