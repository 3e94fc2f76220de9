#include "storage/sqlite/gathered_logs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string_view>

#include <fmt/format.h>

#include "storage/sqlite/gathered_pages.h"

namespace alfred {
namespace {

// What waits begins with the head of a page. Anything else may be the rest of a commit that is
// synced already, where a disk needs whole sectors, and others read it at once.
constexpr std::size_t kHeadOfPage = 24;
constexpr std::size_t kMostWaiting = 4 * 1024 * 1024;
constexpr std::size_t kMostAtOnce = 64 * 1024;  // SQLite's own VFS takes less than 128 KiB
constexpr std::size_t kMostKept = 256 * 1024;   // of memory, between commits

// What waits for one log, and where it belongs.
class Gathered {
 public:
  explicit Gathered(sqlite3_file* log) : log_(log) {}

  int write(std::string_view bytes, sqlite3_int64 at) {
    const bool follows = at == begin_ + static_cast<sqlite3_int64>(waiting_.size());
    if (!follows || waiting_.size() + bytes.size() > kMostWaiting)
      if (const int code = settle()) return code;
    if (is_given_up_) return SQLITE_IOERR_WRITE;
    if (waiting_.empty() && bytes.size() != kHeadOfPage) return put(bytes, at);
    try {
      if (waiting_.empty()) begin_ = at;
      waiting_ += bytes;
    } catch (const std::bad_alloc&) {
      return SQLITE_IOERR_NOMEM;
    }
    return SQLITE_OK;
  }

  // For a sync: SQLite takes back what it could not make durable, and writes it all again.
  int flush() {
    if (is_given_up_) return SQLITE_IOERR_WRITE;
    int code = SQLITE_OK;
    for (std::size_t from = 0; code == SQLITE_OK && from < waiting_.size(); from += kMostAtOnce)
      code = put(std::string_view(waiting_).substr(from, kMostAtOnce),
                 begin_ + static_cast<sqlite3_int64>(from));
    waiting_.clear();
    if (waiting_.capacity() > kMostKept) waiting_ = std::string();
    return code;
  }

  // Behind what is written, before a sync (R4). Nothing that anybody needs lies there: who writes
  // is alone, and this is the end of its commit. An error here is none of the commit's.
  void reach_ahead() {
    if (end_ <= length_) return;
    if (log_->pMethods->xFileSize(log_, &length_) != SQLITE_OK) length_ = end_;
    if (end_ < length_ || end_ < kLeastAhead) return;
    constexpr sqlite3_int64 kBlock = 4096;
    const sqlite3_int64 wanted =
        (end_ + std::min<sqlite3_int64>(end_ / 4, kMostAhead)) / kBlock * kBlock;
    static constexpr std::array<char, kMostAtOnce> kZeros{};
    while (length_ < wanted) {
      const auto size =
          std::min<sqlite3_int64>(wanted - length_, static_cast<sqlite3_int64>(kZeros.size()));
      if (log_->pMethods->xWrite(log_, kZeros.data(), static_cast<int>(size), length_) != SQLITE_OK)
        return;
      length_ += size;
    }
  }

  void cut(sqlite3_int64 size) { end_ = length_ = size; }

  // For anything else: SQLite believes that what waits is written (R3).
  int settle() {
    if (flush() != SQLITE_OK) is_given_up_ = true;
    return is_given_up_ ? SQLITE_IOERR_WRITE : SQLITE_OK;
  }

 private:
  int put(std::string_view bytes, sqlite3_int64 at) {
    const int code = log_->pMethods->xWrite(log_, bytes.data(), static_cast<int>(bytes.size()), at);
    end_ = std::max(end_, at + static_cast<sqlite3_int64>(bytes.size()));
    return code;
  }

  sqlite3_file* log_;
  sqlite3_int64 end_ = 0;     // of what was written here
  sqlite3_int64 length_ = 0;  // that the log has, as far as is known here; others may change it
  std::string waiting_;
  sqlite3_int64 begin_ = 0;
  bool is_given_up_ = false;
};

// What was read of one log beyond what was asked for (R5).
class ReadAhead {
 public:
  explicit ReadAhead(sqlite3_file* log) : log_(log) {}

  // `move`: which time the log is being moved; 0: it is not.
  int read(char* bytes, std::size_t size, sqlite3_int64 at, std::uint64_t move) {
    if (move != move_) forget(move);
    if (move == 0) return get(bytes, size, at);
    const bool follows = at == end_ + static_cast<sqlite3_int64>(kHeadOfPage);
    end_ = at + static_cast<sqlite3_int64>(size);
    if (!has(size, at) && (!follows || !read_on(size, at))) return get(bytes, size, at);
    std::memcpy(bytes, ahead_.data() + (at - begin_), size);
    return SQLITE_OK;
  }

 private:
  int get(char* bytes, std::size_t size, sqlite3_int64 at) {
    return log_->pMethods->xRead(log_, bytes, static_cast<int>(size), at);
  }
  bool has(std::size_t size, sqlite3_int64 at) const {
    return at >= begin_ && at + static_cast<sqlite3_int64>(size) <=
                               begin_ + static_cast<sqlite3_int64>(ahead_.size());
  }
  // False: there is not so much, or no memory for it.
  bool read_on(std::size_t size, sqlite3_int64 at) {
    if (size > kMostAtOnce) return false;
    try {
      ahead_.resize(kMostAtOnce);
    } catch (const std::bad_alloc&) {
      return false;
    }
    begin_ = at;
    if (get(ahead_.data(), ahead_.size(), at) == SQLITE_OK) return true;
    ahead_.clear();
    return false;
  }
  void forget(std::uint64_t move) {
    move_ = move;
    end_ = 0;
    ahead_ = std::string();
  }

  sqlite3_file* log_;
  std::uint64_t move_ = 0;
  sqlite3_int64 end_ = 0;  // of the last page that was asked for in this move
  std::string ahead_;
  sqlite3_int64 begin_ = 0;  // where it stands in the log
};

// What is kept of one log.
struct KeptOfLog {
  explicit KeptOfLog(sqlite3_file* log) : gathered(log), ahead(log) {}
  Gathered gathered;
  ReadAhead ahead;
};

// The other VFS's file lies behind it.
struct LogFile {
  sqlite3_file base;
  sqlite3_file* real;
  sqlite3_file* database;  // the file that it is moved into
  KeptOfLog* kept;
};
LogFile& at(sqlite3_file* file) { return *reinterpret_cast<LogFile*>(file); }

int close_log(sqlite3_file* file) {
  const int settled = at(file).kept->gathered.settle();
  delete at(file).kept;
  const int closed = at(file).real->pMethods->xClose(at(file).real);
  return settled != SQLITE_OK ? settled : closed;
}
int read_log(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  if (const int code = at(file).kept->gathered.settle()) return code;
  return at(file).kept->ahead.read(static_cast<char*>(bytes), static_cast<std::size_t>(size),
                                   offset, GatheredPages::of(at(file).database).move());
}
int write_log(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  return at(file).kept->gathered.write(
      {static_cast<const char*>(bytes), static_cast<std::size_t>(size)}, offset);
}
int cut_log(sqlite3_file* file, sqlite3_int64 size) {
  if (const int code = at(file).kept->gathered.settle()) return code;
  at(file).kept->gathered.cut(size);
  return at(file).real->pMethods->xTruncate(at(file).real, size);
}
int sync_log(sqlite3_file* file, int flags) {
  if (const int code = at(file).kept->gathered.flush()) return code;
  at(file).kept->gathered.reach_ahead();
  return at(file).real->pMethods->xSync(at(file).real, flags);
}
int size_of_log(sqlite3_file* file, sqlite3_int64* out) {
  if (const int code = at(file).kept->gathered.settle()) return code;
  return at(file).real->pMethods->xFileSize(at(file).real, out);
}
int lock_log(sqlite3_file* file, int level) {
  return at(file).real->pMethods->xLock(at(file).real, level);
}
int unlock_log(sqlite3_file* file, int level) {
  return at(file).real->pMethods->xUnlock(at(file).real, level);
}
int is_log_reserved(sqlite3_file* file, int* out) {
  return at(file).real->pMethods->xCheckReservedLock(at(file).real, out);
}
int control_log(sqlite3_file* file, int op, void* argument) {
  return at(file).real->pMethods->xFileControl(at(file).real, op, argument);
}
int sector_of_log(sqlite3_file* file) {
  return at(file).real->pMethods->xSectorSize(at(file).real);
}
int traits_of_log(sqlite3_file* file) {
  return at(file).real->pMethods->xDeviceCharacteristics(at(file).real);
}

// A log is not shared memory, nor mapped.
constexpr sqlite3_io_methods kLogMethods = {1,
                                            &close_log,
                                            &read_log,
                                            &write_log,
                                            &cut_log,
                                            &sync_log,
                                            &size_of_log,
                                            &lock_log,
                                            &unlock_log,
                                            &is_log_reserved,
                                            &control_log,
                                            &sector_of_log,
                                            &traits_of_log,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr,
                                            nullptr};

}  // namespace

GatheredLogs::GatheredLogs(const std::string& other) {
  registered_.other = sqlite3_vfs_find(other.empty() ? nullptr : other.c_str());
  if (registered_.other == nullptr) return;
  name_ = fmt::format("gathered-{}", fmt::ptr(this));
  registered_.vfs = *registered_.other;
  registered_.vfs.szOsFile +=
      std::max(static_cast<int>(sizeof(LogFile)), GatheredPages::extra_bytes());
  registered_.vfs.pNext = nullptr;
  registered_.vfs.zName = name_.c_str();
  registered_.vfs.xOpen = &GatheredLogs::open;
  if (sqlite3_vfs_register(&registered_.vfs, 0) != SQLITE_OK) name_.clear();
}

GatheredLogs::~GatheredLogs() {
  if (!name_.empty()) sqlite3_vfs_unregister(&registered_.vfs);
}

int GatheredLogs::open(sqlite3_vfs* vfs, const char* name, sqlite3_file* out, int flags, int* got) {
  sqlite3_vfs* const other = reinterpret_cast<Registered*>(vfs)->other;
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0) return GatheredPages::open(other, name, out, flags, got);
  if ((flags & SQLITE_OPEN_WAL) == 0) return other->xOpen(other, name, out, flags, got);
  auto* const file = new (out) LogFile{};
  file->real = reinterpret_cast<sqlite3_file*>(file + 1);
  file->database = sqlite3_database_file_object(name);
  file->kept = new (std::nothrow) KeptOfLog(file->real);
  if (file->kept == nullptr) return SQLITE_NOMEM;
  const int code = other->xOpen(other, name, file->real, flags, got);
  if (file->real->pMethods != nullptr) {
    file->base.pMethods = &kLogMethods;
    return code;
  }
  delete file->kept;
  return code;
}

}  // namespace alfred
