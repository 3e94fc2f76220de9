#include "storage/sqlite/gathered_pages.h"

#include <array>
#include <new>
#include <string>
#include <string_view>

namespace alfred {
namespace {

constexpr std::size_t kMostWaiting = 64 * 1024;  // SQLite's own VFS takes less than 128 KiB

// What waits for one file, and where it belongs.
class Waiting {
 public:
  explicit Waiting(sqlite3_file* file) : file_(file) {}

  int write(std::string_view bytes, sqlite3_int64 at) {
    const bool follows = at == begin_ + static_cast<sqlite3_int64>(pages_.size());
    if (!follows || pages_.size() + bytes.size() > kMostWaiting)
      if (const int code = flush()) return code;
    if (is_given_up_) return SQLITE_IOERR_WRITE;
    if (bytes.size() > kMostWaiting) return put(bytes, at);
    try {
      pages_ += bytes;
    } catch (const std::bad_alloc&) {
      return SQLITE_IOERR_NOMEM;
    }
    begin_ =
        at + static_cast<sqlite3_int64>(bytes.size()) - static_cast<sqlite3_int64>(pages_.size());
    return SQLITE_OK;
  }

  // For a call that can say what went wrong.
  int flush() {
    if (is_given_up_) return SQLITE_IOERR_WRITE;
    if (pages_.empty()) return SQLITE_OK;
    const int code = put(pages_, begin_);
    pages_.clear();
    return code;
  }

  // For one that cannot (R2).
  void settle() {
    if (flush() != SQLITE_OK) is_given_up_ = true;
  }

 private:
  int put(std::string_view bytes, sqlite3_int64 at) {
    return file_->pMethods->xWrite(file_, bytes.data(), static_cast<int>(bytes.size()), at);
  }

  sqlite3_file* file_;
  std::string pages_;
  sqlite3_int64 begin_ = 0;
  bool is_given_up_ = false;
};

// The other VFS's file lies behind it.
struct PageFile {
  sqlite3_file base;
  sqlite3_file* real;
  Waiting* waiting;
};
PageFile& at(sqlite3_file* file) { return *reinterpret_cast<PageFile*>(file); }
// The other VFS's file, once nothing waits for it (R1).
sqlite3_file* settled(sqlite3_file* file) {
  at(file).waiting->settle();
  return at(file).real;
}

int close_file(sqlite3_file* file) {
  sqlite3_file* const real = settled(file);
  delete at(file).waiting;
  return real->pMethods->xClose(real);
}
int read_file(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  if (const int code = at(file).waiting->flush()) return code;
  return at(file).real->pMethods->xRead(at(file).real, bytes, size, offset);
}
int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  return at(file).waiting->write({static_cast<const char*>(bytes), static_cast<std::size_t>(size)},
                                 offset);
}
int cut_file(sqlite3_file* file, sqlite3_int64 size) {
  if (const int code = at(file).waiting->flush()) return code;
  return at(file).real->pMethods->xTruncate(at(file).real, size);
}
int sync_file(sqlite3_file* file, int flags) {
  if (const int code = at(file).waiting->flush()) return code;
  return at(file).real->pMethods->xSync(at(file).real, flags);
}
int size_of_file(sqlite3_file* file, sqlite3_int64* out) {
  if (const int code = at(file).waiting->flush()) return code;
  return at(file).real->pMethods->xFileSize(at(file).real, out);
}
int lock_file(sqlite3_file* file, int level) {
  sqlite3_file* const real = settled(file);
  return real->pMethods->xLock(real, level);
}
int unlock_file(sqlite3_file* file, int level) {
  sqlite3_file* const real = settled(file);
  return real->pMethods->xUnlock(real, level);
}
int is_file_reserved(sqlite3_file* file, int* out) {
  return at(file).real->pMethods->xCheckReservedLock(at(file).real, out);
}
int control_file(sqlite3_file* file, int op, void* argument) {
  sqlite3_file* const real = settled(file);
  return real->pMethods->xFileControl(real, op, argument);
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
  sqlite3_file* const real = settled(file);
  return real->pMethods->xShmLock(real, offset, count, flags);
}
void order_index(sqlite3_file* file) {
  sqlite3_file* const real = settled(file);
  real->pMethods->xShmBarrier(real);
}
int unmap_index(sqlite3_file* file, int removes) {
  sqlite3_file* const real = settled(file);
  return real->pMethods->xShmUnmap(real, removes);
}
int fetch_page(sqlite3_file* file, sqlite3_int64 offset, int size, void** out) {
  if (const int code = at(file).waiting->flush()) return code;
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

int GatheredPages::open(sqlite3_vfs* other, const char* name, sqlite3_file* out, int flags,
                        int* got) {
  auto* const file = new (out) PageFile{};
  file->real = reinterpret_cast<sqlite3_file*>(file + 1);
  file->waiting = new (std::nothrow) Waiting(file->real);
  if (file->waiting == nullptr) return SQLITE_NOMEM;
  const int code = other->xOpen(other, name, file->real, flags, got);
  if (file->real->pMethods == nullptr) {
    delete file->waiting;
    return code;
  }
  const auto version = static_cast<std::size_t>(file->real->pMethods->iVersion);
  file->base.pMethods = &kMethods.at(version > kMethods.size() ? kMethods.size() - 1 : version - 1);
  return code;
}

}  // namespace alfred
