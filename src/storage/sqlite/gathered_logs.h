// GatheredLogs: a SQLite VFS over another one that writes a write-ahead log in few pieces.
//
// SQLite gives the log each page of a commit by two calls, its head and its bytes, and a system
// call for each costs more than what it writes. Here what follows one another waits in memory until
// the log is synced.
// R1 only write-ahead logs, and the files that they are moved into (gathered_pages.h); every other file is the other
//    VFS's own.
// R2 whatever else is asked of a log (a sync, a read, its size, a cut, its end) comes after what waits: nobody is
//    told of anything that is not written. Readers look no further than the last commit; so it is
//    for connections with synchronous=FULL, which sync each.
// R3 what waited and could not be written is an error of the call that needed it. A sync says why, and the commit is
//    taken back; anywhere else the log is given up, and all that is asked of it fails until it is
//    opened anew: no commit ever lies behind a gap.
// R4 a log that grows is made longer than it has to be, by a quarter and at most kMostAhead, in zeros: a sync that leaves a
//    file as long as it was needs no second write for its length. SQLite reads a log up to the
//    first page that is none. A small log stays as it is, and where there is no room it grows by
//    what is needed.
// R5 while a log is moved, what follows the page that is read is read with it: nobody writes over pages of a log that are
//    not all moved. What was read so is used in that move only.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>

namespace alfred {

inline constexpr std::int64_t kLeastAhead = 128 * 1024;  // of a log, before it grows ahead
inline constexpr std::int64_t kMostAhead = 1024 * 1024;

class GatheredLogs {
 public:
  // Over the VFS of this name, which outlives it; empty: the system's. It outlives its connections.
  explicit GatheredLogs(const std::string& other);
  GatheredLogs(const GatheredLogs&) = delete;
  GatheredLogs& operator=(const GatheredLogs&) = delete;
  ~GatheredLogs();

  // To open connections with; empty: there is no such VFS to stand over.
  const std::string& name() const { return name_; }

 private:
  // SQLite knows it by its first member.
  struct Registered {
    sqlite3_vfs vfs{};
    sqlite3_vfs* other = nullptr;
  };
  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* out, int flags, int* got);

  std::string name_;
  Registered registered_;
};

}  // namespace alfred
