// Pieces of memory of up to 16 KB that were given back, kept by the thread that gave them until it
// asks for as much again. The C library keeps seven of each size and looks for everything else in
// lists that all threads share; a turn takes some ten thousand pieces and gives nearly all of them
// back.
//
// R1 every piece is one of malloc()'s: who got it here may free() it, and what malloc() gave may be given here.
// R2 a thread keeps at most kMostBytes, all threads together at most kMostBytesOfAll; the rest goes to free() at once.
// R3 a thread that ends gives back all it keeps.
// R4 where there is no more room, sizes that nobody asked for of late give way: a thread that once gave many
//    pieces of sizes it does not need again does not keep these for ever instead of what it needs.
#pragma once

#include <cstddef>

namespace alfred {

class KeptPieces {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{2} << 20;
  static constexpr std::size_t kMostBytesOfAll = std::size_t{4} << 20;

  static void* take(std::size_t bytes) noexcept;  // null: there is no memory
  static void give(void* piece) noexcept;
  // One that take() gave for so many bytes: it is not asked how large it is.
  static void give(void* piece, std::size_t bytes) noexcept;

  static std::size_t kept_bytes() noexcept;  // of this thread
};

}  // namespace alfred
