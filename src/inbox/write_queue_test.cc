#include "inbox/write_queue.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(WriteQueueThreads, R1_R2_one_leads_at_a_time_and_everybody_has_an_answer_of_its_own) {
  constexpr int kThreads = 8;
  constexpr int kEach = 200;
  WriteQueue queue;
  std::atomic<int> leading = 0;
  std::atomic<int> told = 0;
  std::atomic<int> alone = 0;
  const auto lead = [&](std::int64_t round) {
    EXPECT_EQ(++leading, 1);
    const WriteQueue::Group group = queue.take();
    // Some groups fail as a whole.
    for (WriteQueue::Waiting* const one : group.all())
      if (round % 5 != 0) one->answer.emplace(Json(std::string(one->asked.of)));
    --leading;
    queue.end(group);
  };
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, name = std::to_string(t)] {
      for (int i = 0; i < kEach; ++i) {
        WriteQueue::Waiting mine{.asked = {.of = name}};
        const WriteQueue::Turn turn = queue.join(mine);
        if (turn == WriteQueue::Turn::leads) lead(i);
        if (!mine.answer) {
          EXPECT_NE(turn, WriteQueue::Turn::told);
          ++alone;
          continue;
        }
        EXPECT_NE(turn, WriteQueue::Turn::alone);
        EXPECT_EQ(mine.answer->value().as_string(), name);
        ++told;
      }
    });
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(told + alone, kThreads * kEach);
  EXPECT_GE(alone, 1);
}

}  // namespace
}  // namespace alfred
