// Whether a store can write, by what became of its last write. One that could not (a full disk, a
// server that is away) can still be read; the next write that succeeds makes it whole again.
#pragma once

#include <mutex>
#include <string>

#include "alfred/error.h"
#include "storage/store.h"

namespace alfred {

class WriteHealth {
 public:
  // The outcome of a write; errors that are the caller's, and `busy`, say nothing about the store.
  // True when this one does.
  bool note_error(const Error& error) {
    if (error_kind(error.code) != ErrorKind::unavailable || error.code == ErrorCode::busy)
      return false;
    const std::scoped_lock lock(mutex_);
    health_ = {false, error.message};
    return true;
  }
  void note_success() {
    const std::scoped_lock lock(mutex_);
    if (!health_.is_writable) health_ = {};
  }
  StoreHealth get() const {
    const std::scoped_lock lock(mutex_);
    return health_;
  }

 private:
  mutable std::mutex mutex_;
  StoreHealth health_;
};

}  // namespace alfred
