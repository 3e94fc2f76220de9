// Memory for large arrays that are read at random: straight from the system, zeroed, and in huge
// pages as far as whole ones fit. One page table entry then covers 2 MiB, and a lookup misses the
// TLB hardly ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include <sys/mman.h>

namespace alfred {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

inline constexpr std::size_t kPage = 4096;

inline std::size_t round_up(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

// bytes must be a multiple of kPage, and kHugePage or more. The block begins with a huge page.
inline void* allocate_huge(std::size_t bytes) {
  void* const got = ::mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
  char* const from = static_cast<char*>(got);
  const auto address = reinterpret_cast<std::uintptr_t>(got);
  const std::size_t before = round_up(address, kHugePage) - address;
  char* const aligned = from + before;
  if (before != 0) ::munmap(from, before);
  if (before != kHugePage) ::munmap(aligned + bytes, kHugePage - before);
  // Advice only: a system without huge pages says no, and the block works all the same.
  static_cast<void>(::madvise(aligned, bytes, MADV_HUGEPAGE));
  return aligned;
}

inline void free_huge(void* block, std::size_t bytes) { ::munmap(block, bytes); }

}  // namespace alfred
