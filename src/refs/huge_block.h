// Memory for large arrays that are read at random: whole huge pages straight from the system,
// zeroed. One page table entry then covers 2 MiB, and a lookup misses the TLB hardly ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include <sys/mman.h>

namespace alfred {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

inline std::size_t huge_round(std::size_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

// bytes must be a multiple of kHugePage.
inline void* allocate_huge(std::size_t bytes) {
  void* const got = ::mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
  const auto from = reinterpret_cast<std::uintptr_t>(got);
  const std::uintptr_t aligned = huge_round(from);
  if (aligned != from) ::munmap(got, aligned - from);
  if (const std::size_t rest = kHugePage - (aligned - from); rest != 0)
    ::munmap(reinterpret_cast<void*>(aligned + bytes), rest);
  // Advice only: a system without huge pages says no, and the block works all the same.
  static_cast<void>(::madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE));
  return reinterpret_cast<void*>(aligned);
}

inline void free_huge(void* block, std::size_t bytes) { ::munmap(block, bytes); }

}  // namespace alfred
