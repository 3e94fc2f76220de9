#include "base/time/clock.h"

#include <algorithm>
#include <chrono>

namespace alfred {

Clock::~Clock() = default;

std::int64_t SystemClock::wall_ms() const {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::int64_t SystemClock::monotonic_ns() const {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

void ManualClock::advance_ms(std::int64_t by_ms) {
  wall_ms_ += by_ms;
  monotonic_ns_ += by_ms * 1'000'000;
}

std::string rfc3339_utc(std::int64_t wall_ms) {
  constexpr std::int64_t kFirstMs = -62'167'219'200'000;  // 0000-01-01T00:00:00.000Z
  constexpr std::int64_t kLastMs = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z
  using namespace std::chrono;
  const milliseconds since_epoch(std::clamp(wall_ms, kFirstMs, kLastMs));
  const days whole_days = floor<days>(since_epoch);
  const year_month_day date{sys_days(whole_days)};
  const hh_mm_ss<milliseconds> time(since_epoch - whole_days);
  std::string out = "0000-00-00T00:00:00.000Z";
  const auto put = [&](std::size_t end, std::int64_t number) {  // over the zeros before `end`
    for (; number > 0; number /= 10) out[--end] = static_cast<char>('0' + number % 10);
  };
  put(4, static_cast<int>(date.year()));
  put(7, static_cast<unsigned>(date.month()));
  put(10, static_cast<unsigned>(date.day()));
  put(13, time.hours().count());
  put(16, time.minutes().count());
  put(19, time.seconds().count());
  put(23, time.subseconds().count());
  return out;
}

}  // namespace alfred
