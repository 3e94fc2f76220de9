#include <sys/random.h>

#include <cstdint>
#include <string_view>

#include "alfred/ids.h"
#include "alfred/random.h"
#include "benches.h"

namespace alfred::bench {
namespace {

constexpr const char* kSystemCall = "getrandom for each id";
constexpr const char* kOurs = "ours: short id";
constexpr std::string_view kPrefix = "ses_";

// Twelve characters of five bits each behind the prefix.
ShortIdText encode(std::uint64_t bits) {
  ShortIdText id;
  kPrefix.copy(id.data(), kPrefix.size());
  for (std::size_t i = kPrefix.size(); i < id.size(); ++i, bits >>= 5)
    id[i] = kIdAlphabet[bits & 31];
  return id;
}

void ask_the_system(benchmark::State& state) {
  for (auto _ : state) {
    std::uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits) state.SkipWithError("getrandom");
    benchmark::DoNotOptimize(encode(bits));
  }
  state.SetItemsProcessed(state.iterations());
}

// Through the Random port, as the engine makes them.
void make_ours(benchmark::State& state) {
  OsRandom random;
  for (auto _ : state) benchmark::DoNotOptimize(new_short_id<IdKind::session>(random));
  state.SetItemsProcessed(state.iterations());
}

}  // namespace

void bench_short_id(Report& report) {
  Group group(report, "P4: durable short ids");
  group.measure(kSystemCall, Unit::ns, ask_the_system);
  group.measure(kOurs, Unit::ns, make_ours);
  group.run();
  report.compare(
      {"P4", "new short id : getrandom for each", kOurs, kSystemCall, Goal::speed_at_least(12)});
}

}  // namespace alfred::bench
