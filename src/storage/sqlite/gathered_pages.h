// GatheredPages: a database's file, for who moves a write-ahead log into it. SQLite writes what it
// moves page by page, nearly all of them one behind the other; here those wait in memory and are
// written together.
//
// R1 whatever else is asked of the file comes after what waits: a sync, a read, its size, any lock that is taken or let
//    go. So what waits never outlives the move that it is part of, and whoever may look at the file
//    finds it there.
// R2 what waited and could not be written is an error of the call that needed it: of the sync, before which nobody is
//    told that anything was moved. Where that call has no error to give, the file is given up:
//    nothing is written to it until it is opened anew.
#pragma once

#include <sqlite3.h>

namespace alfred {

class GatheredPages {
 public:
  // What a file of this kind takes beside the other VFS's own.
  static int extra_bytes();
  // As a VFS opens a database's file, over `other`'s.
  static int open(sqlite3_vfs* other, const char* name, sqlite3_file* out, int flags, int* got);
};

}  // namespace alfred
