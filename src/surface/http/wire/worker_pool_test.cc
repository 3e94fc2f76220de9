#include "surface/http/wire/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>

#include <boost/asio/post.hpp>

namespace alfred::http {
namespace {

TEST(WorkerPoolThreads, work_is_done_by_its_threads) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> done{0};
  {
    WorkerPool pool(3);
    for (int at = 0; at < 100; ++at)
      boost::asio::post(pool.executor(), [&] {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
        ++done;
      });
    while (done < 100) std::this_thread::yield();
  }
  EXPECT_LE(seen.size(), 3U);
  EXPECT_FALSE(seen.contains(std::this_thread::get_id()));
}

TEST(WorkerPoolThreads, R2_what_has_not_begun_is_dropped_and_what_has_is_waited_for) {
  std::atomic<bool> has_begun{false};
  std::atomic<int> done{0};
  {
    WorkerPool pool(1);
    for (int at = 0; at < 2; ++at)
      boost::asio::post(pool.executor(), [&] {
        has_begun = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++done;
      });
    while (!has_begun) std::this_thread::yield();
  }
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace alfred::http
