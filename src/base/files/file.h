// Files: read whole, replaced whole, and locked while they are changed.
//
// R1 A file is replaced in one step: a reader, and a machine that lost power, sees the old text or
//    the new one, never a part.
// R2 When replacing fails, or who replaces is killed while writing, the old file is as it was and
//    nothing is left beside it (a kill: where the system has files without a name).
// R3 A replaced file keeps its permissions; a new one has those asked for, whatever the umask.
// R4 A symbolic link is followed, so that it stays a link and all its names share one lock;
//    of one that leads to no file yet, the file is made.
// R5 Of all who lock a file, in this process or another, one at a time has it; a waiter gives up
//    after its time with the error `busy`, which names the file and the holder's process id.
// R6 Every error names the path and the system's reason.
#pragma once

#include <sys/types.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

#include "alfred/error.h"
#include "base/files/open_file.h"

namespace alfred {

// All bytes of a file, pipe or device.
Result<std::string> read_file(const std::string& path);

// All bytes up to the stream's end.
Result<std::string> read_stream(std::istream& in);

// Puts `text` in the place of whatever `path` held, on the disk before it returns. The directory
// must exist. If the very last step (making the directory's change durable) fails, that is an
// error, although readers already see the new text.
Result<void> write_file_atomically(const std::string& path, std::string_view text,
                                   mode_t mode = 0600);

// Holds a file's lock until it is destroyed; can be moved, not copied.
class FileLock {
 private:
  friend Result<FileLock> lock_file(const std::string& path, int timeout_ms);
  explicit FileLock(OpenFile file) : file_(std::move(file)) {}
  OpenFile file_;
};

// Locks `path` for a change: read, change, write_file_atomically, release. What is locked is the
// file `<path>.lock` beside it, since replacing a file would leave a lock on the old one; it is
// created when needed and stays. Releasing is not forced by anything but the holder's end.
Result<FileLock> lock_file(const std::string& path, int timeout_ms);

}  // namespace alfred
