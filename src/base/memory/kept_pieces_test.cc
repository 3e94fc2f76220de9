#include "base/memory/kept_pieces.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace alfred {
namespace {

using Pieces = std::vector<void*>;

Pieces take(std::size_t count, std::size_t bytes) {
  Pieces out;
  for (std::size_t i = 0; i < count; ++i) {
    void* const piece = KeptPieces::take(bytes);
    EXPECT_NE(piece, nullptr);
    EXPECT_GE(malloc_usable_size(piece), bytes);
    std::memset(piece, 0x5a, bytes);
    out.push_back(piece);
  }
  return out;
}

void give(const Pieces& pieces) {
  for (void* const piece : pieces) KeptPieces::give(piece);
}

// On a thread of its own, which keeps nothing yet.
template <class Act>
void apart(Act act) {
  std::thread(act).join();
}

TEST(KeptPieces, what_was_given_is_taken_again) {
  apart([] {
    void* const piece = KeptPieces::take(104);
    KeptPieces::give(piece);
    EXPECT_GE(KeptPieces::kept_bytes(), 104U);
    EXPECT_EQ(KeptPieces::take(104), piece);
    EXPECT_EQ(KeptPieces::kept_bytes(), 0U);
    KeptPieces::give(piece);
    KeptPieces::give(nullptr);
  });
}

TEST(KeptPieces, every_size_has_its_room_and_pieces_are_apart) {
  apart([] {
    Pieces all;
    for (int round = 0; round < 3; ++round) {
      for (std::size_t bytes = 0; bytes < 20'000; bytes += bytes < 1200 ? 1 : 37)
        for (void* const piece : take(3, bytes)) all.push_back(piece);
      std::vector<std::uintptr_t> places;
      for (void* const piece : all) places.push_back(reinterpret_cast<std::uintptr_t>(piece));
      std::sort(places.begin(), places.end());
      EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
      give(all);
      all.clear();
    }
  });
}

TEST(KeptPieces, who_says_how_many_bytes_it_took_gets_it_again) {
  apart([] {
    for (std::size_t bytes = 0; bytes < 20'000; bytes += bytes < 1200 ? 1 : 37) {
      void* const piece = KeptPieces::take(bytes);
      KeptPieces::give(piece, bytes);
      if (KeptPieces::kept_bytes() == 0) continue;  // it is large
      EXPECT_EQ(KeptPieces::take(bytes), piece);
      std::free(piece);
    }
    KeptPieces::give(nullptr, 8);
  });
}

TEST(KeptPieces, R1_they_are_pieces_of_malloc) {
  apart([] {
    std::free(KeptPieces::take(72));
    KeptPieces::give(std::malloc(72));
    std::free(KeptPieces::take(72));
    KeptPieces::give(std::malloc(1 << 20));
    EXPECT_EQ(KeptPieces::kept_bytes(), 0U);  // large ones are not kept
  });
}

TEST(KeptPieces, R2_a_thread_keeps_so_much_and_all_together_so_much) {
  constexpr std::size_t kBytes = 1000;
  const auto fill = [] {
    give(take(2 * KeptPieces::kMostBytes / kBytes, kBytes));
    EXPECT_LE(KeptPieces::kept_bytes(), KeptPieces::kMostBytes);
    return KeptPieces::kept_bytes();
  };
  apart([&] { EXPECT_GT(fill(), KeptPieces::kMostBytes / 2); });
  // Each inside the one before, so that all are there at once.
  std::size_t all = 0;
  const auto nested = [&](const auto& self, std::size_t depth) -> void {
    if (depth == 0) return;
    apart([&] {
      all += fill();
      self(self, depth - 1);
    });
  };
  nested(nested, 2 * KeptPieces::kMostBytesOfAll / KeptPieces::kMostBytes);
  EXPECT_LE(all, KeptPieces::kMostBytesOfAll);
  EXPECT_GT(all, KeptPieces::kMostBytesOfAll / 2);
  apart([&] { EXPECT_GT(fill(), KeptPieces::kMostBytes / 2); });  // R3: there is room again
}

TEST(KeptPieces, R3_what_another_thread_took_may_be_given_and_an_end_leaves_nothing) {
  for (int round = 0; round < 20; ++round) {
    Pieces pieces;
    apart([&] { pieces = take(1000, 48); });
    apart([&] { give(pieces); });  // what is not given back here, a leak check finds
  }
}

}  // namespace
}  // namespace alfred
