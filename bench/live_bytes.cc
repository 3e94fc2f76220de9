#include "live_bytes.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

#include "base/memory/kept_pieces.h"

namespace {

using alfred::KeptPieces;

bool is_watching = false;
std::ptrdiff_t live = 0;

// What the allocator really set aside, without its own header.
std::ptrdiff_t size_of(void* block) {
  return static_cast<std::ptrdiff_t>(malloc_usable_size(block));
}

void* counted(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  if (is_watching) live += size_of(block);
  return block;
}

void forget(void* block) {
  if (is_watching && block != nullptr) live -= size_of(block);
}

void release(void* block) {
  forget(block);
  KeptPieces::give(block);
}

}  // namespace

// By the lists that apps/operator_new.cc has for the program.
void* operator new(std::size_t bytes) { return counted(KeptPieces::take(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t bytes) noexcept {
  forget(block);
  KeptPieces::give(block, bytes);
}
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }

namespace alfred::bench {

std::size_t live_bytes_after(const std::function<void()>& build) {
  live = 0;
  is_watching = true;
  build();
  is_watching = false;
  return static_cast<std::size_t>(live);
}

}  // namespace alfred::bench
