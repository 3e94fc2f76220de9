#include "base/kept_moment.h"

#include <thread>

#include <gtest/gtest.h>

namespace alfred {
namespace {

using Time = KeptMoment::Time;
using std::chrono::milliseconds;

class Counted final : public KeptMoment {
 public:
  Counted(const void* whose, Time from, int& ends) : KeptMoment(whose, from), ends_(ends) {}
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() override { ++ends_; }

 private:
  int& ends_;
};

class KeptMomentTest : public testing::Test {
 protected:
  ~KeptMomentTest() override { end_kept_moment(); }
  void keep(Time from) { keep_moment(std::make_unique<Counted>(&mine_, from, ends_)); }
  int mine_ = 0;
  int other_ = 0;
  int ends_ = 0;
  const Time now_ = Time::clock::now();
};

TEST_F(KeptMomentTest, R1_a_request_uses_what_began_after_it_came) {
  {
    const RequestScope scope(now_ - milliseconds(1));
    keep(now_);
    EXPECT_NE(kept_moment(&mine_), nullptr);
    EXPECT_EQ(kept_moment(&other_), nullptr);
  }
  {
    const RequestScope scope(now_);
    EXPECT_NE(kept_moment(&mine_), nullptr);
  }
  EXPECT_EQ(ends_, 0);
  const RequestScope later(now_ + std::chrono::nanoseconds(1));
  EXPECT_EQ(ends_, 1);
  EXPECT_EQ(kept_moment(&mine_), nullptr);
}

TEST_F(KeptMomentTest, R2_what_is_old_is_not_used) {
  const RequestScope scope(now_ - milliseconds(60));
  keep(now_ - milliseconds(50));
  EXPECT_EQ(kept_moment(&mine_), nullptr);
  EXPECT_EQ(ends_, 1);
}

TEST_F(KeptMomentTest, R3_outside_of_a_request_nothing_is_kept_or_used) {
  EXPECT_FALSE(may_keep_moment());
  {
    const RequestScope scope(now_ - milliseconds(1));
    EXPECT_TRUE(may_keep_moment());
    keep(now_);
  }
  EXPECT_FALSE(may_keep_moment());
  EXPECT_EQ(kept_moment(&mine_), nullptr);
  EXPECT_EQ(ends_, 1);
}

TEST_F(KeptMomentTest, R3_what_is_being_read_from_is_not_ended) {
  const RequestScope scope(now_ - milliseconds(1));
  keep(now_);
  KeptMoment* const kept = kept_moment(&mine_);
  ASSERT_NE(kept, nullptr);
  kept->is_read_from = true;
  end_kept_moment();
  EXPECT_EQ(ends_, 0);
  EXPECT_EQ(kept_moment(&mine_), nullptr);
  EXPECT_FALSE(may_keep_moment());
  kept->is_read_from = false;
  end_kept_moment();
  EXPECT_EQ(ends_, 1);
}

TEST_F(KeptMomentTest, each_thread_has_its_own_and_ends_it) {
  const RequestScope scope(now_ - milliseconds(1));
  std::thread([&] {
    EXPECT_FALSE(may_keep_moment());
    const RequestScope theirs(now_ - milliseconds(1));
    keep(now_);
    EXPECT_NE(kept_moment(&mine_), nullptr);
  }).join();
  EXPECT_EQ(ends_, 1);
  EXPECT_EQ(kept_moment(&mine_), nullptr);
}

}  // namespace
}  // namespace alfred
