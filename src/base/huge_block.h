// Memory for large arrays that are read at random: straight from the system, zeroed, and in huge
// pages as far as whole ones fit. One page table entry then covers 2 MiB, and a lookup misses the
// TLB hardly ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace alfred {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

inline constexpr std::size_t kPage = 4096;

inline std::size_t round_up(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

// Address space that begins with a huge page.
inline char* map_huge(std::size_t bytes, int protection) {
  void* const got =
      ::mmap(nullptr, bytes + kHugePage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
  char* const from = static_cast<char*>(got);
  const auto address = reinterpret_cast<std::uintptr_t>(got);
  const std::size_t before = round_up(address, kHugePage) - address;
  char* const aligned = from + before;
  if (before != 0) ::munmap(from, before);
  if (before != kHugePage) ::munmap(aligned + bytes, kHugePage - before);
  return aligned;
}

// bytes must be a multiple of kPage, and kHugePage or more. The block begins with a huge page.
inline void* allocate_huge(std::size_t bytes) {
  char* const block = map_huge(bytes, PROT_READ | PROT_WRITE);
  // Advice only: a system without huge pages says no, and the block works all the same.
  static_cast<void>(::madvise(block, bytes, MADV_HUGEPAGE));
  return block;
}

inline void free_huge(void* block, std::size_t bytes) { ::munmap(block, bytes); }

// A block of more bytes with what the old one held, which is gone then. Its pages move; nothing is
// copied, and no fresh page stands in for one there was.
inline void* grow_huge(void* block, std::size_t bytes, std::size_t more_bytes) {
#if defined(MREMAP_FIXED)
  char* const target = map_huge(more_bytes, PROT_NONE);
  void* const moved = ::mremap(block, bytes, more_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target);
  if (moved != MAP_FAILED) return moved;
  free_huge(target, more_bytes);
#endif
  void* const copy = allocate_huge(more_bytes);
  std::memcpy(copy, block, bytes);
  free_huge(block, bytes);
  return copy;
}

}  // namespace alfred
