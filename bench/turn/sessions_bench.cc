// P11: what a loaded session keeps in memory, how long one of 100,000 takes to open, and what a
// turn costs in a session that is long.
#include <time.h>

#include <algorithm>

#include <fmt/format.h>

#include "../benches.h"
#include "../live_bytes.h"
#include "many_sessions.h"

namespace alfred::bench {
namespace {

constexpr std::size_t kSessions = 100'000;
constexpr std::size_t kTalked = 250;
constexpr int kTurnsBefore = 10;
constexpr int kLongTurns = 1000;
constexpr int kAround = 10;  // turns on both sides, for a median
constexpr const char* kBytes = "ours: bytes of a loaded session";
constexpr const char* kLeft = "ours: bytes that are left of it";
constexpr const char* kOpen = "ours: one of many sessions opened";
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

void measure_memory(Report& report, PlayedKitchen& kitchen, const std::string& id) {
  kitchen.open(id);  // what the process keeps for all of them is there
  std::unique_ptr<Session> session;
  report.set(kBytes, Unit::bytes,
             static_cast<double>(live_bytes_after([&] { session = kitchen.open(id); })));
  session.reset();
  const auto once = [&] { kitchen.open(id); };
  report.set(kLeft, Unit::bytes, static_cast<double>(live_bytes_after(once)));
  report.compare({"P11", "bytes of a loaded, idle session", kBytes, "", Goal::at_most(256 * 1024)});
  report.compare({"P11", "bytes left when it is unloaded", kLeft, "", Goal::at_most(1024)});
}

void measure_opening(Report& report, PlayedKitchen& kitchen, const std::string& id) {
  const std::vector<std::string> ids =
      make_sessions(kitchen, {.count = kSessions, .talked = kTalked, .original = id});
  Group group(report, "P11: one of 100,000 sessions");
  std::size_t next = 0;
  group.measure(
      kOpen, Unit::us,
      [&](benchmark::State& loop) {
        for (auto _ : loop) kitchen.open(ids[next++ % ids.size()]);
        loop.SetItemsProcessed(loop.iterations());
      },
      static_cast<int>(kTalked / 10));
  group.run();
  report.compare({"P11", "one of 100,000 sessions opened", kOpen, "", Goal::at_most(5000)});
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
