// KeptLock: the lock of a file (file.h) for one who takes it again and again.
//
// R1 the same lock as lock_file(): they exclude each other, in this process and in others.
// R2 its lock file stays open between two holds, so that one costs no path to be walked. Where it was deleted meanwhile, the
//    one in its place is locked.
// R3 who found that others waited stands back for some milliseconds before it takes the lock again: nobody who waits is
//    starved by one who is always there again.
// R4 one thread at a time; at most one Held at a time, which does not outlive it.
#pragma once

#include <string>
#include <utility>

#include "alfred/error.h"
#include "base/files/open_file.h"

namespace alfred {

class KeptLock {
 public:
  // Lets go when it is destroyed.
  class Held {
   public:
    Held(Held&& other) noexcept : file_(std::exchange(other.file_, nullptr)) {}
    Held& operator=(Held&&) = delete;
    ~Held();

   private:
    friend class KeptLock;
    explicit Held(const OpenFile* file) : file_(file) {}
    const OpenFile* file_;
  };

  explicit KeptLock(std::string path) : path_(std::move(path)) {}
  KeptLock(const KeptLock&) = delete;
  KeptLock& operator=(const KeptLock&) = delete;

  // Error: busy, as of lock_file().
  Result<Held> hold(int timeout_ms);

 private:
  std::string path_;
  std::string lock_path_;
  OpenFile file_;
  bool stands_back_ = false;  // before the next time
};

}  // namespace alfred
