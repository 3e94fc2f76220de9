// FaultyVfs: a SQLite VFS over the system's that fails where it is told, and knows what a disk
// would still hold after a loss of power: what was synced, and of the rest nothing, all or torn
// parts.
//
// R1 fail_at(op, n, code): the n-th such operation from now fails, once or from then on.
//    fill_at(n): from the n-th write that makes its file larger on, all such writes find the disk
//    full; what is there can still be written over.
// R2 crash_at(n): the n-th change of a file from now is the last that happens; after it every operation fails.
// R3 lose_power() puts the files into a state that a disk could have: call it when all connections are closed.
// R4 a file whose deletion was not synced may be there again after it. The first sync of a new journal
//    or log syncs its directory too, as the system's VFS does it.
// R5 kill_at(n): the process kills itself after the n-th change, as SIGKILL from outside would.
#pragma once

#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alfred {

class FaultyVfs {
 public:
  enum class Op : std::uint8_t { read, write, sync, truncate };
  enum class Loss : std::uint8_t { all_unsynced, torn };

  explicit FaultyVfs(std::string name) : name_(std::move(name)), real_(sqlite3_vfs_find(nullptr)) {
    vfs_ = *real_;
    vfs_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
    vfs_.pNext = nullptr;
    vfs_.zName = name_.c_str();
    vfs_.pAppData = this;
    vfs_.xOpen = &FaultyVfs::open;
    vfs_.xDelete = &FaultyVfs::remove;
    sqlite3_vfs_register(&vfs_, 0);
  }
  FaultyVfs(const FaultyVfs&) = delete;
  FaultyVfs& operator=(const FaultyVfs&) = delete;
  ~FaultyVfs() { sqlite3_vfs_unregister(&vfs_); }

  const std::string& name() const { return name_; }

  // `tail`: only of files whose name ends so.
  void fail_at(Op op, long nth, int code, std::string tail = {}, bool stays = false) {
    const std::lock_guard lock(mutex_);
    fault_ = Fault{op, nth, code, std::move(tail), stays};
  }
  void fill_at(long nth) {
    fail_at(Op::write, nth, SQLITE_FULL, {}, true);
    fault_.needs_growth = true;
  }
  bool has_failed() const { return fault_.has_fired; }  // since the last fail_at
  void fail_nothing() {
    const std::lock_guard lock(mutex_);
    fault_.left = -1;
  }
  void crash_at(long nth) {
    const std::lock_guard lock(mutex_);
    changes_left_ = nth;
  }
  void kill_at(long nth) {
    const std::lock_guard lock(mutex_);
    changes_to_live_ = nth;
  }
  bool is_crashed() const { return is_crashed_; }
  long changes() const { return changes_; }

  void lose_power(Loss loss, std::mt19937_64& random) {
    const std::lock_guard lock(mutex_);
    for (auto& [path, disk] : disks_) {
      std::error_code failure;
      const bool is_back = disk.may_come_back && (loss == Loss::all_unsynced || random() % 2 == 0);
      if (!disk.exists && !is_back) {
        std::filesystem::remove(path, failure);
        continue;
      }
      std::string image = disk.durable;
      if (loss == Loss::torn)
        for (const Change& change : disk.unsynced) apply_torn(image, change, random);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << image;
      if (std::string_view(path).ends_with("-wal"))
        std::filesystem::remove(path.substr(0, path.size() - 4) + "-shm", failure);
    }
    disks_.clear();
    is_crashed_ = false;
    changes_left_ = -1;
    fault_.left = -1;
  }

 private:
  struct Change {
    std::size_t offset = 0;
    std::string bytes;
    bool is_truncation = false;
  };
  struct Disk {
    std::string current;
    std::string durable;
    std::vector<Change> unsynced;
    bool exists = true;
    bool may_come_back = false;  // R4
  };
  struct File {
    sqlite3_file base;
    FaultyVfs* owner;
    sqlite3_file* real;
    Disk* disk;  // null: a temporary file
    char* path;
    bool syncs_directory;
  };
  struct Fault {
    Op op = Op::read;
    long left = -1;
    int code = 0;
    std::string tail;
    bool stays = false;
    bool needs_growth = false;
    bool has_fired = false;
  };

  static File& at(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
  static FaultyVfs& self(sqlite3_vfs* vfs) { return *static_cast<FaultyVfs*>(vfs->pAppData); }

  static void apply(std::string& image, const Change& change) {
    if (change.is_truncation) {
      image.resize(change.offset);
      return;
    }
    if (image.size() < change.offset + change.bytes.size())
      image.resize(change.offset + change.bytes.size());
    image.replace(change.offset, change.bytes.size(), change.bytes);
  }

  // Each sector of a change reaches the disk or not.
  static void apply_torn(std::string& image, const Change& change, std::mt19937_64& random) {
    if (change.is_truncation) {
      if (random() % 2 == 0) apply(image, change);
      return;
    }
    const std::uint64_t fate = random() % 3;
    if (fate == 0) return;
    constexpr std::size_t kSector = 512;
    for (std::size_t from = 0; from < change.bytes.size(); from += kSector)
      if (fate == 1 || random() % 2 == 0)
        apply(image, Change{change.offset + from, change.bytes.substr(from, kSector), false});
  }

  // The code to fail with, or SQLITE_OK.
  int fault_of(Op op, const File& file) {
    if (is_crashed_) return SQLITE_IOERR;
    if (fault_.left <= 0 || fault_.op != op || file.path == nullptr) return SQLITE_OK;
    if (!std::string_view(file.path).ends_with(fault_.tail)) return SQLITE_OK;
    if (fault_.left > 1 || !fault_.stays) --fault_.left;
    if (fault_.left != (fault_.stays ? 1 : 0)) return SQLITE_OK;
    fault_.has_fired = true;
    return fault_.code;
  }

  void sync_directory_of(const std::string& path) {
    const auto directory = std::filesystem::path(path).parent_path();
    for (auto& [other, disk] : disks_)
      if (std::filesystem::path(other).parent_path() == directory) disk.may_come_back = false;
  }

  void count_change() {
    ++changes_;
    if (changes_left_ > 0 && --changes_left_ == 0) is_crashed_ = true;
    if (changes_to_live_ > 0 && --changes_to_live_ == 0) ::kill(::getpid(), SIGKILL);
  }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* out, int flags, int* got) {
    FaultyVfs& owner = self(vfs);
    const std::lock_guard lock(owner.mutex_);
    auto* const file = new (out) File{};
    if (owner.is_crashed_) return SQLITE_CANTOPEN;
    file->owner = &owner;
    file->real = reinterpret_cast<sqlite3_file*>(file + 1);
    const int code = owner.real_->xOpen(owner.real_, name, file->real, flags, got);
    if (file->real->pMethods != nullptr) file->base.pMethods = methods();
    if (code != SQLITE_OK || name == nullptr) return code;
    file->path = const_cast<char*>(name);
    Disk& disk = owner.disks_[name];
    if (!disk.exists) disk = Disk{};
    if (disk.current.empty() && disk.durable.empty()) {
      sqlite3_int64 size = 0;
      file->real->pMethods->xFileSize(file->real, &size);
      disk.current.resize(static_cast<std::size_t>(size));
      if (size > 0)
        file->real->pMethods->xRead(file->real, disk.current.data(), static_cast<int>(size), 0);
      disk.durable = disk.current;
    }
    disk.exists = true;
    constexpr int kJournals =
        SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
    file->syncs_directory = (flags & SQLITE_OPEN_CREATE) != 0 && (flags & kJournals) != 0;
    file->disk = &disk;
    return code;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int sync_directory) {
    FaultyVfs& owner = self(vfs);
    const std::lock_guard lock(owner.mutex_);
    if (owner.is_crashed_) return SQLITE_IOERR_DELETE;
    const int code = owner.real_->xDelete(owner.real_, name, sync_directory);
    if (code == SQLITE_OK) {
      Disk& disk = owner.disks_[name];
      disk.exists = false;
      disk.may_come_back = sync_directory == 0;
      disk.unsynced.clear();
      owner.count_change();
    }
    return code;
  }

  static int close(sqlite3_file* file) { return at(file).real->pMethods->xClose(at(file).real); }
  static int read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
    File& one = at(file);
    {
      const std::lock_guard lock(one.owner->mutex_);
      if (const int code = one.owner->fault_of(Op::read, one)) return code;
    }
    return one.real->pMethods->xRead(one.real, bytes, size, offset);
  }
  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    File& one = at(file);
    const std::lock_guard lock(one.owner->mutex_);
    const std::size_t end = static_cast<std::size_t>(offset) + static_cast<std::size_t>(size);
    const bool grows = one.disk == nullptr || end > one.disk->current.size();
    if (grows || !one.owner->fault_.needs_growth)
      if (const int code = one.owner->fault_of(Op::write, one)) return code;
    const int code = one.real->pMethods->xWrite(one.real, bytes, size, offset);
    if (code != SQLITE_OK || one.disk == nullptr) return code;
    const Change change{
        static_cast<std::size_t>(offset),
        std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size)), false};
    apply(one.disk->current, change);
    one.disk->unsynced.push_back(change);
    one.owner->count_change();
    return one.owner->is_crashed_ ? SQLITE_IOERR_WRITE : SQLITE_OK;
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    File& one = at(file);
    const std::lock_guard lock(one.owner->mutex_);
    if (const int code = one.owner->fault_of(Op::truncate, one)) return code;
    const int code = one.real->pMethods->xTruncate(one.real, size);
    if (code != SQLITE_OK || one.disk == nullptr) return code;
    const Change change{static_cast<std::size_t>(size), {}, true};
    apply(one.disk->current, change);
    one.disk->unsynced.push_back(change);
    one.owner->count_change();
    return one.owner->is_crashed_ ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
  }
  static int sync(sqlite3_file* file, int flags) {
    File& one = at(file);
    const std::lock_guard lock(one.owner->mutex_);
    if (const int code = one.owner->fault_of(Op::sync, one)) return code;
    // A crash may come before the disk is done.
    one.owner->count_change();
    if (one.owner->is_crashed_) return SQLITE_IOERR_FSYNC;
    const int code = one.real->pMethods->xSync(one.real, flags);
    if (code != SQLITE_OK || one.disk == nullptr) return code;
    if (std::exchange(one.syncs_directory, false)) one.owner->sync_directory_of(one.path);
    one.disk->durable = one.disk->current;
    one.disk->unsynced.clear();
    return code;
  }
  static int size(sqlite3_file* file, sqlite3_int64* out) {
    return at(file).real->pMethods->xFileSize(at(file).real, out);
  }
  static int lock(sqlite3_file* file, int level) {
    return at(file).real->pMethods->xLock(at(file).real, level);
  }
  static int unlock(sqlite3_file* file, int level) {
    return at(file).real->pMethods->xUnlock(at(file).real, level);
  }
  static int reserved(sqlite3_file* file, int* out) {
    return at(file).real->pMethods->xCheckReservedLock(at(file).real, out);
  }
  static int control(sqlite3_file* file, int op, void* argument) {
    return at(file).real->pMethods->xFileControl(at(file).real, op, argument);
  }
  static int sector(sqlite3_file* file) {
    return at(file).real->pMethods->xSectorSize(at(file).real);
  }
  // Not the system's, which may promise that a write is never torn.
  static int traits(sqlite3_file* /*file*/) { return 0; }
  static int shm_map(sqlite3_file* file, int page, int size, int extends, void volatile** out) {
    return at(file).real->pMethods->xShmMap(at(file).real, page, size, extends, out);
  }
  static int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
    return at(file).real->pMethods->xShmLock(at(file).real, offset, count, flags);
  }
  static void shm_barrier(sqlite3_file* file) {
    at(file).real->pMethods->xShmBarrier(at(file).real);
  }
  static int shm_unmap(sqlite3_file* file, int deletes) {
    return at(file).real->pMethods->xShmUnmap(at(file).real, deletes);
  }

  static const sqlite3_io_methods* methods() {
    static const sqlite3_io_methods kMethods = {
        2,         &close,       &read,      &write,   &truncate, &sync,   &size,
        &lock,     &unlock,      &reserved,  &control, &sector,   &traits, &shm_map,
        &shm_lock, &shm_barrier, &shm_unmap, nullptr,  nullptr};
    return &kMethods;
  }

  std::string name_;
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_{};
  std::mutex mutex_;
  std::map<std::string, Disk> disks_;
  Fault fault_;
  long changes_left_ = -1;
  long changes_to_live_ = -1;
  long changes_ = 0;
  bool is_crashed_ = false;
};

}  // namespace alfred
