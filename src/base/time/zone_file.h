// The form of the system's zone files: TZif (RFC 8536), its second part, and the rule at its end,
// which is a TZ string of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <optional>
#include <string_view>

#include "base/time/time_zone.h"

namespace alfred {

class ZoneFile {
 public:
  // Nothing when the bytes are no such file.
  static std::optional<TimeZone> read(std::string_view bytes);

 private:
  struct Counts {
    std::size_t times = 0, types = 0, letters = 0, leaps = 0, standard = 0, universal = 0;
    std::size_t body_size(std::size_t time_size) const;
  };
  static std::optional<Counts> read_counts(std::string_view bytes);
  static bool read_table(std::string_view body, const Counts& counts, TimeZone& zone);
  static std::optional<TimeZone::Rule> read_rule(std::string_view text);
  static std::optional<TimeZone::Day> read_day(std::string_view& text);
};

}  // namespace alfred
