#include <sys/random.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "benches.h"

namespace alfred::bench {
namespace {

constexpr const char* kSystemCall = "getrandom for each id";
constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::string_view kPrefix = "ses_";

// Twelve characters of five bits each behind the prefix.
std::array<char, 16> encode(std::uint64_t bits) {
  std::array<char, 16> id;
  kPrefix.copy(id.data(), kPrefix.size());
  for (std::size_t i = kPrefix.size(); i < id.size(); ++i, bits >>= 5) id[i] = kAlphabet[bits & 31];
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

}  // namespace

void bench_short_id(Report& report) {
  Group group(report, "P4: durable short ids");
  group.measure(kSystemCall, Unit::ns, ask_the_system);
  group.run();
  report.compare({"P4", "new short id : getrandom for each id", kOurShortId, kSystemCall,
                  Goal::speed_at_least(12)});
}

}  // namespace alfred::bench
