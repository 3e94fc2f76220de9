// P13: how soon a conversation begins, and how large the program is.
#include "benches.h"

namespace alfred::bench {

void compare_start(Report& report, StartOfChat start) {
  constexpr const char* kStart = "chat to its first prompt, ms";
  constexpr const char* kSize = "alfred without symbols, MB";
  if (start.milliseconds > 0) report.set(kStart, Unit::count, start.milliseconds);
  if (start.megabytes > 0) report.set(kSize, Unit::count, start.megabytes);
  report.compare({"P13", kStart, kStart, "", Goal::at_most(50)});
  report.compare({"P13", kSize, kSize, "", Goal::at_most(15)});
}

}  // namespace alfred::bench
