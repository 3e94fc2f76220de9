#include "storage/sqlite/gathered_pages.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace alfred {
namespace {

constexpr std::size_t kMostWaiting = 64 * 1024;  // SQLite's own VFS takes less than 128 KiB

// Locks of a log's index, as the description of the format numbers them.
constexpr int kWriteLock = 0;
constexpr int kMoveLock = 1;
constexpr int kFirstReader = 4;  // behind the one of readers of the file alone
constexpr int kTakes = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE;

// The other VFS's file lies behind it.
struct PageFile {
  sqlite3_file base;
  sqlite3_file* real;
  GatheredPages* pages;
};
PageFile& at(sqlite3_file* file) { return *reinterpret_cast<PageFile*>(file); }

int close_file(sqlite3_file* file) {
  delete at(file).pages;
  return at(file).real->pMethods->xClose(at(file).real);
}
int read_file(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  if (const int code = at(file).pages->flush()) return code;
  return at(file).real->pMethods->xRead(at(file).real, bytes, size, offset);
}
int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  return at(file).pages->write({static_cast<const char*>(bytes), static_cast<std::size_t>(size)},
                               offset);
}
int cut_file(sqlite3_file* file, sqlite3_int64 size) {
  if (const int code = at(file).pages->told_failure()) return code;
  return at(file).real->pMethods->xTruncate(at(file).real, size);
}
int sync_file(sqlite3_file* file, int flags) {
  if (const int code = at(file).pages->told_failure()) return code;
  return at(file).real->pMethods->xSync(at(file).real, flags);
}
int size_of_file(sqlite3_file* file, sqlite3_int64* out) {
  if (const int code = at(file).pages->flush()) return code;
  return at(file).real->pMethods->xFileSize(at(file).real, out);
}
int lock_file(sqlite3_file* file, int level) {
  return at(file).real->pMethods->xLock(at(file).real, level);
}
int unlock_file(sqlite3_file* file, int level) {
  return at(file).real->pMethods->xUnlock(at(file).real, level);
}
int is_file_reserved(sqlite3_file* file, int* out) {
  return at(file).real->pMethods->xCheckReservedLock(at(file).real, out);
}
int control_file(sqlite3_file* file, int op, void* argument) {
  at(file).pages->note_control(op);
  return at(file).real->pMethods->xFileControl(at(file).real, op, argument);
}
int sector_of_file(sqlite3_file* file) {
  return at(file).real->pMethods->xSectorSize(at(file).real);
}
int traits_of_file(sqlite3_file* file) {
  return at(file).real->pMethods->xDeviceCharacteristics(at(file).real);
}
int map_index(sqlite3_file* file, int page, int bytes, int extends, void volatile** out) {
  return at(file).real->pMethods->xShmMap(at(file).real, page, bytes, extends, out);
}
int lock_index(sqlite3_file* file, int offset, int count, int flags) {
  const int code = at(file).real->pMethods->xShmLock(at(file).real, offset, count, flags);
  at(file).pages->note_lock(offset, count, flags, code);
  return code;
}
void order_index(sqlite3_file* file) { at(file).real->pMethods->xShmBarrier(at(file).real); }
int unmap_index(sqlite3_file* file, int removes) {
  return at(file).real->pMethods->xShmUnmap(at(file).real, removes);
}
int fetch_page(sqlite3_file* file, sqlite3_int64 offset, int size, void** out) {
  if (const int code = at(file).pages->flush()) return code;
  return at(file).real->pMethods->xFetch(at(file).real, offset, size, out);
}
int unfetch_page(sqlite3_file* file, sqlite3_int64 offset, void* page) {
  return at(file).real->pMethods->xUnfetch(at(file).real, offset, page);
}

constexpr sqlite3_io_methods methods_of(int version) {
  return {version,       &close_file,     &read_file,      &write_file,  &cut_file,
          &sync_file,    &size_of_file,   &lock_file,      &unlock_file, &is_file_reserved,
          &control_file, &sector_of_file, &traits_of_file, &map_index,   &lock_index,
          &order_index,  &unmap_index,    &fetch_page,     &unfetch_page};
}
// What the other VFS's file can do, it can.
constexpr std::array<sqlite3_io_methods, 3> kMethods{methods_of(1), methods_of(2), methods_of(3)};

}  // namespace

int GatheredPages::extra_bytes() { return static_cast<int>(sizeof(PageFile)); }

GatheredPages& GatheredPages::of(sqlite3_file* file) { return *at(file).pages; }

int GatheredPages::open(sqlite3_vfs* other, const char* name, sqlite3_file* out, int flags,
                        int* got) {
  auto* const file = new (out) PageFile{};
  file->real = reinterpret_cast<sqlite3_file*>(file + 1);
  file->pages = new (std::nothrow) GatheredPages(file->real);
  if (file->pages == nullptr) return SQLITE_NOMEM;
  const int code = other->xOpen(other, name, file->real, flags, got);
  if (file->real->pMethods == nullptr) {
    delete file->pages;
    return code;
  }
  const bool has_index = file->real->pMethods->iVersion > 1 && file->real->pMethods->xShmMap;
  const int version = has_index ? std::min(file->real->pMethods->iVersion, 3) : 1;
  file->base.pMethods = &kMethods.at(static_cast<std::size_t>(version) - 1);
  return code;
}

void GatheredPages::note_lock(int offset, int count, int flags, int code) {
  const bool is_write_lock = offset <= kWriteLock && kWriteLock < offset + count;
  if (is_write_lock && (flags & SQLITE_SHM_UNLOCK) != 0) holds_write_lock_ = false;
  if (flags != kTakes) return;
  if (is_write_lock && code == SQLITE_OK) holds_write_lock_ = true;
  if (offset == kMoveLock && code == SQLITE_OK) is_in_the_way_ = false;
  if (offset >= kFirstReader && code != SQLITE_OK) is_in_the_way_ = true;
}

void GatheredPages::note_control(int op) {
  if (op == SQLITE_FCNTL_CKPT_START) {
    ++moves_;
    is_moving_ = true;
    gathers_ = holds_write_lock_ && !is_in_the_way_;
  }
  if (op != SQLITE_FCNTL_CKPT_DONE) return;
  if (const int code = flush()) failure_ = code;
  is_moving_ = gathers_ = false;
  pages_ = std::string();
}

int GatheredPages::write(std::string_view bytes, sqlite3_int64 at) {
  if (failure_ != SQLITE_OK) return failure_;
  if (!gathers_ || bytes.size() > kMostWaiting) {
    if (const int code = flush()) return code;
    return put(bytes, at);
  }
  const bool follows = at == begin_ + static_cast<sqlite3_int64>(pages_.size());
  if (!follows || pages_.size() + bytes.size() > kMostWaiting)
    if (const int code = flush()) return code;
  try {
    if (pages_.capacity() < kMostWaiting) pages_.reserve(kMostWaiting);
    if (pages_.empty()) begin_ = at;
    pages_ += bytes;
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
  return SQLITE_OK;
}

int GatheredPages::flush() {
  if (failure_ != SQLITE_OK) return failure_;
  if (pages_.empty()) return SQLITE_OK;
  const int code = put(pages_, begin_);
  pages_.clear();
  return code;
}

int GatheredPages::told_failure() {
  if (const int code = std::exchange(failure_, SQLITE_OK)) return code;
  return flush();
}

int GatheredPages::put(std::string_view bytes, sqlite3_int64 at) {
  return real_->pMethods->xWrite(real_, bytes.data(), static_cast<int>(bytes.size()), at);
}

}  // namespace alfred
