// P6: whole turns with recorded answers on a durable file: commits, processor time and time that
// passes, with as many raw commits of one row as the limit near it.
#include <sqlite3.h>
#include <time.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "../benches.h"
#include "counting_store.h"
#include "played_kitchen.h"

namespace alfred::bench {
namespace {

constexpr int kTurns = 40;  // of a repetition
constexpr int kRepetitions = 7;
constexpr const char* kCommits = "ours: commits of a turn";
constexpr const char* kProcessor = "ours: a turn, processor";
constexpr const char* kPassed = "ours: a turn, time that passes";
constexpr const char* kPerSecond = "ours: turns in a second";
constexpr const char* kRaw = "raw SQLite: as many commits";

double processor_us() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double passed_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// One-row commits in a log that is synced each time.
class RawCommits {
 public:
  explicit RawCommits(const std::string& file) {
    sqlite3_open(file.c_str(), &database_);
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (id integer PRIMARY KEY, "
        "x text)");
  }
  RawCommits(const RawCommits&) = delete;
  RawCommits& operator=(const RawCommits&) = delete;
  ~RawCommits() { sqlite3_close(database_); }
  void commit() { run("INSERT INTO t (x) VALUES ('one row')"); }

 private:
  void run(const char* sql) { sqlite3_exec(database_, sql, nullptr, nullptr, nullptr); }
  sqlite3* database_ = nullptr;
};

}  // namespace

void bench_turn(Report& report) {
  fmt::print(stderr, "bench: P6: turns\n");
  PlayedKitchen kitchen;
  RecordPlace place = kitchen.place();
  const auto counting = std::make_shared<CountingStore>(place.rows);
  place.rows = counting;
  const std::unique_ptr<Session> session = kitchen.open_in(place);
  const TemporaryFolder folder;
  RawCommits raw(folder.file("raw.db"));
  int number = 0;
  play(*session, whole_turn(++number));
  std::vector<double> processor;
  std::vector<double> passed;
  std::vector<double> raw_passed;
  const int commits_before = counting->commits();
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const double from = passed_us();
    const double processor_from = processor_us();
    for (int turn = 0; turn < kTurns; ++turn)
      if (!play(*session, whole_turn(++number)).is_finished)
        return fmt::print(stderr, "bench: P6: a turn did not end\n");
    processor.push_back((processor_us() - processor_from) / kTurns);
    passed.push_back((passed_us() - from) / kTurns);
    const double raw_from = passed_us();
    for (int commit = 0; commit < kTurns * 8; ++commit) raw.commit();
    raw_passed.push_back((passed_us() - raw_from) / kTurns);
  }
  report.set(kCommits, Unit::count,
             static_cast<double>(counting->commits() - commits_before) / (kTurns * kRepetitions));
  report.set(kProcessor, Unit::us, median(processor));
  report.set(kPassed, Unit::us, median(passed));
  report.set(kPerSecond, Unit::count, 1e6 / median(passed));
  report.set(kRaw, Unit::us, median(raw_passed));
  report.compare({"P6", "commits of a turn", kCommits, "", Goal::at_most(8)});
  report.compare({"P6", "a turn, processor time", kProcessor, "", Goal::at_most(3000)});
  report.compare({"P6", "turns in a second", kPerSecond, "", Goal::at_least(200)});
  report.compare({"P6", "a turn : 8 raw commits, time that passes", kPassed, kRaw, Goal::none()});
}

}  // namespace alfred::bench
