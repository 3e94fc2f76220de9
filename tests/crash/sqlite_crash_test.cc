// "Save these 3 with 36 parts": power lost, or the process killed, after every change of a file.
#include <sys/wait.h>

#include <random>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "crashed_place_for_tests.h"
#include "storage/sqlite/faulty_vfs_for_tests.h"

namespace alfred {
namespace {

using Kind = CrashedPlace::Kind;
using Loss = FaultyVfs::Loss;

class SqliteCrash : public testing::TestWithParam<Kind> {
 protected:
  // How many changes of files the whole batch makes, with opening and closing.
  long count_changes() {
    place_.begin_round();
    const long before = vfs_.changes();
    {
      const auto opened = ServiceForTests::open(place_.options(vfs_.name()));
      EXPECT_TRUE(opened) << told(opened.error());
      EXPECT_TRUE(run_batch(*(*opened)->service, BatchOps(), [] {}));
    }
    const long changes = vfs_.changes() - before;
    std::mt19937_64 random(1);
    vfs_.lose_power(Loss::all_unsynced, random);
    EXPECT_GT(changes, 40);
    return changes;
  }

  // After the crash: what was answered is there (R1); gone on with, all of it is there once (R2,
  // R3).
  void expect_finished(const BatchOps& ops, std::size_t answers, bool by_op) {
    const auto opened = ServiceForTests::open(place_.options());
    ASSERT_TRUE(opened) << told(opened.error());
    RecordService& service = *(*opened)->service;
    if (answers > 0) {
      const std::string batch = declare_for_tests(service, ops).value();
      const std::set<std::string> done = completed_items(service, batch);
      for (std::size_t i = 0; i + 1 < answers; ++i) EXPECT_TRUE(done.contains(item_name(i))) << i;
    }
    go_on_with_batch(service, ops, by_op);
    expect_batch_in_refs(service, ops);
    expect_same_registry(service, place_.options());
    place_.expect_rows();
  }

  // All of them in a campaign; else every so many, from another one in each run.
  static long step_of_rounds() {
    return static_cast<long>(GetParam() == Kind::shared ? test_size({41, 23, 1})
                                                        : test_size({23, 11, 1}));
  }
  static long first_round(long step) {
    return 1 + static_cast<long>(test_seed() % static_cast<std::uint64_t>(step));
  }

  CrashedPlace place_{GetParam()};
  FaultyVfs vfs_{"crashing"};
};

TEST_P(SqliteCrash, E4_power_lost_after_any_change_ends_in_exactly_the_rows_of_the_batch) {
  const long changes = count_changes();
  const std::uint64_t seed = test_seed();
  std::mt19937_64 random(seed);
  const long step = step_of_rounds();
  for (long nth = first_round(step); nth <= changes; nth += step) {
    SCOPED_TRACE("change " + std::to_string(nth) + " of " + std::to_string(changes) + ", seed " +
                 std::to_string(seed));
    place_.begin_round();
    const BatchOps ops;
    std::size_t answers = 0;
    vfs_.crash_at(nth);
    if (const auto opened = ServiceForTests::open(place_.options(vfs_.name())))
      (void)run_batch(*(*opened)->service, ops, [&] { ++answers; });
    vfs_.lose_power(nth % 3 == 0 ? Loss::all_unsynced : Loss::torn, random);
    expect_finished(ops, answers, nth % 2 == 0);
    if (HasFailure()) return;
  }
}

TEST_P(SqliteCrash, killed_after_any_change_it_ends_in_exactly_the_rows_of_the_batch) {
  const long changes = count_changes();
  const long step = step_of_rounds();
  for (long nth = first_round(step); nth <= changes; nth += step) {
    SCOPED_TRACE("change " + std::to_string(nth) + " of " + std::to_string(changes));
    place_.begin_round();
    const BatchOps ops;
    std::array<int, 2> answers{};
    ASSERT_EQ(::pipe(answers.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      vfs_.kill_at(nth);
      {
        const auto opened = ServiceForTests::open(place_.options(vfs_.name()));
        if (!opened) ::_exit(3);
        const auto tell = [&] { (void)!::write(answers[1], "x", 1); };
        if (!run_batch(*(*opened)->service, ops, tell)) ::_exit(4);
      }
      ::_exit(0);
    }
    ::close(answers[1]);
    std::array<char, 16> told_of{};
    std::size_t count = 0;
    for (ssize_t got = 0; (got = ::read(answers[0], told_of.data(), told_of.size())) > 0;)
      count += static_cast<std::size_t>(got);
    ::close(answers[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    expect_finished(ops, count, nth % 2 == 0);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(, SqliteCrash, testing::Values(Kind::shared, Kind::own),
                         [](const auto& kind) {
                           return kind.param == Kind::shared ? "in_one_database" : "on_a_users_own";
                         });

}  // namespace
}  // namespace alfred
