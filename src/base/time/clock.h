// Time as a port: what the wall shows, and what only goes forward.
//
// R1 wall_ms is milliseconds since 1970-01-01T00:00:00Z and may jump when the clock is set:
//    for what people see. monotonic_ns never goes back: for durations.
// R2 ManualClock moves only when told to, both times together.
// R3 rfc3339_utc writes 2026-01-05T02:07:29.000Z, whatever the locale. The form has four digits
//    for the year: earlier times are written as the start of 0000, later ones as the end of 9999.
#pragma once

#include <cstdint>
#include <string>

namespace alfred {

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = default;
  Clock& operator=(const Clock&) = default;
  virtual ~Clock();

  virtual std::int64_t wall_ms() const = 0;
  virtual std::int64_t monotonic_ns() const = 0;
};

class SystemClock final : public Clock {
 public:
  std::int64_t wall_ms() const override;
  std::int64_t monotonic_ns() const override;
};

class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::int64_t wall_ms) : wall_ms_(wall_ms) {}
  std::int64_t wall_ms() const override { return wall_ms_; }
  std::int64_t monotonic_ns() const override { return monotonic_ns_; }

  void advance_ms(std::int64_t by_ms);  // by_ms is not negative
  void set_wall_ms(std::int64_t wall_ms) { wall_ms_ = wall_ms; }

 private:
  std::int64_t wall_ms_;
  std::int64_t monotonic_ns_ = 0;
};

std::string rfc3339_utc(std::int64_t wall_ms);

}  // namespace alfred
