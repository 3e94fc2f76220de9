// GatheredPages: a database's file, while a write-ahead log is moved into it. SQLite reads the
// pages of a log and writes them into the file one by one, nearly all of them one behind the other;
// here the written ones wait in memory and are written together.
//
// R1 pages wait only while the log is moved as a whole: by one who holds the lock of those who write, so that it does
//    not grow meanwhile, and where no reader stands in the way. What was moved of such a log SQLite
//    publishes behind a sync of the file. Anything else is written as it comes.
// R2 nothing waits any more when the last page was moved (SQLITE_FCNTL_CKPT_DONE). What could not be written then is the
//    error of the cut or the sync that follows, so that nothing is published; until one of these
//    has told it, all that is asked of the file fails.
// R3 whoever reads the file, or asks for its size, before that finds in it what waited.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace alfred {

class GatheredPages {
 public:
  explicit GatheredPages(sqlite3_file* real) : real_(real) {}

  // What a file of this kind takes beside the other VFS's own, and one as a VFS opens it over
  // `other`'s.
  static int extra_bytes();
  static int open(sqlite3_vfs* other, const char* name, sqlite3_file* out, int flags, int* got);
  // That of a file which open() made.
  static GatheredPages& of(sqlite3_file* file);

  // Which time a log is being moved into the file; 0: none is.
  std::uint64_t move() const { return is_moving_ ? moves_ : 0; }

  // What SQLite does with the file, and what it got for it.
  void note_lock(int offset, int count, int flags, int code);
  void note_control(int op);
  int write(std::string_view bytes, sqlite3_int64 at);
  int flush();
  int told_failure();  // R2

 private:
  int put(std::string_view bytes, sqlite3_int64 at);

  sqlite3_file* real_;
  bool holds_write_lock_ = false;
  bool is_in_the_way_ = false;  // a reader, of the move that is beginning
  bool is_moving_ = false;
  bool gathers_ = false;
  std::uint64_t moves_ = 0;
  std::string pages_{};  // that wait
  sqlite3_int64 begin_ = 0;
  int failure_ = SQLITE_OK;
};

}  // namespace alfred
