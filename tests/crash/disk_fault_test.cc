// The same batch on a disk that fails at every single operation, or is full from some write on,
// while the process goes on: the caller sends again what got no answer.
#include "base/test_seed.h"
#include "base/test_size.h"
#include "crashed_place_for_tests.h"
#include "storage/sqlite/faulty_vfs_for_tests.h"

namespace alfred {
namespace {

using Kind = CrashedPlace::Kind;
using Op = FaultyVfs::Op;

class DiskFault : public testing::TestWithParam<Kind> {
 protected:
  void expect_finished(RecordService& service, const BatchOps& ops) {
    go_on_with_batch(service, ops, true);
    expect_batch_in_refs(service, ops);
    expect_same_registry(service, place_.options());
  }
  // Rounds until the fault comes after the end of the batch.
  template <class Round>
  void for_each_nth(const TestSizes& steps, const Round& round) {
    const auto step = static_cast<long>(test_size(steps));
    long nth = 1 + static_cast<long>(test_seed() % static_cast<std::uint64_t>(step));
    int rounds = 0;
    for (bool has_fired = true; has_fired && !HasFailure(); nth += step, ++rounds) {
      SCOPED_TRACE("operation " + std::to_string(nth));
      place_.begin_round();
      has_fired = round(nth);
      if (has_fired) place_.expect_rows();
    }
    EXPECT_GT(rounds, 1);
  }

  CrashedPlace place_{GetParam()};
  FaultyVfs vfs_{"faults"};
};

TEST_P(DiskFault, E3_one_io_error_anywhere_in_a_batch_costs_an_answer_at_most) {
  for (const Op op : {Op::write, Op::sync}) {
    SCOPED_TRACE("kind " + std::to_string(static_cast<int>(op)));
    const TestSizes steps = op == Op::write ? TestSizes{7, 3, 1} : TestSizes{3, 2, 1};
    for_each_nth(steps, [&](long nth) {
      const auto opened = ServiceForTests::open(place_.options(vfs_.name()));
      EXPECT_TRUE(opened) << told(opened.error());
      const BatchOps ops;
      vfs_.fail_at(op, nth, op == Op::sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR_WRITE);
      (void)run_batch(*(*opened)->service, ops, [] {});
      const bool has_fired = vfs_.has_failed();
      vfs_.fail_nothing();
      expect_finished(*(*opened)->service, ops);
      return has_fired;
    });
  }
}

TEST_P(DiskFault, E2_full_from_any_write_on_the_service_is_read_only_and_recovers) {
  for_each_nth({7, 3, 1}, [&](long nth) {
    const auto opened = ServiceForTests::open(place_.options(vfs_.name()));
    EXPECT_TRUE(opened) << told(opened.error());
    RecordService& service = *(*opened)->service;
    const std::string_view look = R"({"table":"recipes","columns":["name"],"limit":1})";
    const Result<std::string> known = service.call("db_read", json_of(look), OpId::random());
    EXPECT_TRUE(known) << told(known.error());
    const BatchOps ops;
    vfs_.fill_at(nth);
    const Result<void> done = run_batch(service, ops, [] {});
    const bool has_fired = vfs_.has_failed();
    // A log that could not be moved into the file is no reason to refuse a call.
    EXPECT_TRUE(done.has_value() || has_fired) << told(done.error());
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::storage) << told(done.error());
      EXPECT_FALSE(service.health().is_writable);
      const Result<std::string> again = service.call("db_read", json_of(look), OpId::random());
      EXPECT_TRUE(again) << told(again.error());
      if (!again) return has_fired;
      EXPECT_EQ(json_of(*again).at("rows"), json_of(*known).at("rows"));
    }
    vfs_.fail_nothing();
    expect_finished(service, ops);
    EXPECT_TRUE(service.health().is_writable) << service.health().reason;
    return has_fired;
  });
}

INSTANTIATE_TEST_SUITE_P(, DiskFault, testing::Values(Kind::shared, Kind::own),
                         [](const auto& kind) {
                           return kind.param == Kind::shared ? "in_one_database" : "on_a_users_own";
                         });

}  // namespace
}  // namespace alfred
