// P11: what a loaded session keeps in memory, how long one of 100,000 takes to open, and what a
// turn costs in a session that is long.
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "../benches.h"
#include "many_sessions.h"

namespace alfred::bench {
namespace {

constexpr std::size_t kSessions = 100'000;
constexpr std::size_t kTalked = 250;
constexpr std::size_t kLoaded = 200;
constexpr int kTurnsBefore = 10;
constexpr int kLongTurns = 1000;
constexpr int kAround = 10;  // turns on both sides, for a median
constexpr const char* kBytes = "ours: bytes of a loaded session";
constexpr const char* kLeft = "ours: bytes that are left of it";
constexpr const char* kOpen = "ours: one of many sessions opened";
constexpr const char* kOpenPassed = "ours: the same, time that passes";
constexpr const char* kEarly = "ours: the 10th turn";
constexpr const char* kLate = "ours: the 1,000th turn";

double processor_us() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A conversation with all that Act was shown in P5 in its past.
std::string talk(PlayedKitchen& kitchen) {
  const std::unique_ptr<Session> session = kitchen.open();
  play(*session, recipes_in_play());
  if (const auto ended = session->cancel(); !ended) throw std::runtime_error(ended.error().message);
  for (int turn = 1; turn < kTurnsBefore; ++turn) play(*session, whole_turn(turn));
  return session->id();
}

// All that is malloc'ed, with what operator new and SQLite take from there.
double malloced() {
  const struct mallinfo2 now = ::mallinfo2();
  return static_cast<double>(now.uordblks + now.hblkhd);
}

// So many at once that what the allocator keeps for itself does not matter.
void measure_memory(Report& report, PlayedKitchen& kitchen, const std::string& id) {
  kitchen.open(id);  // what the process keeps for all of them is there
  std::vector<std::unique_ptr<Session>> loaded(kLoaded);
  const double before = malloced();
  for (std::unique_ptr<Session>& one : loaded) one = kitchen.open(id);
  report.set(kBytes, Unit::bytes, (malloced() - before) / kLoaded);
  for (std::unique_ptr<Session>& one : loaded) one.reset();
  report.set(kLeft, Unit::bytes, (malloced() - before) / kLoaded);
  report.compare({"P11", "bytes of a loaded, idle session", kBytes, "", Goal::at_most(256 * 1024)});
  report.compare({"P11", "bytes left when it is unloaded", kLeft, "", Goal::at_most(1024)});
}

void measure_opening(Report& report, PlayedKitchen& kitchen, const std::string& id) {
  const std::vector<std::string> ids =
      make_sessions(kitchen, {.count = kSessions, .talked = kTalked, .original = id});
  fmt::print(stderr, "bench: P11: one of 100,000 sessions\n");
  std::vector<double> processor;
  std::vector<double> passed;
  for (const std::string& one : ids) {
    const double from = processor_us();
    const auto clock = std::chrono::steady_clock::now();
    kitchen.open(one);
    processor.push_back(processor_us() - from);
    passed.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - clock)
            .count());
  }
  report.set(kOpen, Unit::us, median(processor));
  report.set(kOpenPassed, Unit::us, median(passed));
  report.compare({"P11", "one of 100,000 opened, processor", kOpen, "", Goal::at_most(5000)});
  report.compare({"P11", "the same, time that passes", kOpenPassed, "", Goal::at_most(5000)});
}

void measure_growth(Report& report, PlayedKitchen& kitchen) {
  fmt::print(stderr, "bench: P11: 1,000 turns\n");
  const std::unique_ptr<Session> session = kitchen.open();
  std::vector<double> early;
  std::vector<double> late;
  for (int turn = 1; turn <= kLongTurns + kAround; ++turn) {
    const double from = processor_us();
    play(*session, whole_turn(turn));
    const double took = processor_us() - from;
    if (std::abs(turn - kTurnsBefore) < kAround) early.push_back(took);
    if (std::abs(turn - kLongTurns) < kAround) late.push_back(took);
  }
  report.set(kEarly, Unit::us, median(early));
  report.set(kLate, Unit::us, median(late));
  report.compare({"P11", "1,000th turn : 10th, processor", kLate, kEarly, Goal::time_at_most(1.3)});
}

}  // namespace

void bench_sessions(Report& report) {
  PlayedKitchen kitchen;
  const std::string id = talk(kitchen);
  measure_memory(report, kitchen, id);
  measure_growth(report, kitchen);
  measure_opening(report, kitchen, id);
}

}  // namespace alfred::bench
