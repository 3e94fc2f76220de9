// What those who write tell those who keep moments of what they read (readers.h R1, R3), in this
// process.
#pragma once

#include <cstdint>

namespace alfred {

// How often somebody may have written, to whichever database.
std::uint64_t sqlite_writes();
void note_sqlite_write();

// While one lives a log waits to be moved into its file.
class LongLog {
 public:
  LongLog();
  LongLog(const LongLog&) = delete;
  LongLog& operator=(const LongLog&) = delete;
  ~LongLog();

  static bool is_any();
};

}  // namespace alfred
