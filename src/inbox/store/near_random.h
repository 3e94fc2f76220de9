// NearRandom: a source of ids that lie near one another.
//
// R1 the first five characters of its ids begin anywhere and go up by one with every kNearIds ids, as long as it
//    lives; the other seven are as random as ever. So the rows of events that come together lie
//    together in the indexes of their ids, and a commit writes a page or two of each instead of one
//    page for every row, however large the index is.
// R2 where it begins is random, so each character of an id is still equally likely; two ids of the same time collide
//    with 2^-35, and a collision is answered with another id as ever (base/ids/mint.h). Nothing is
//    to be read from their order.
// R3 for ids only: what has to be secret is drawn from the source itself.
// R4 any number of threads may use it when its source allows that.
#pragma once

#include <atomic>

#include "alfred/random.h"

namespace alfred::inbox {

class NearRandom final : public Random {
 public:
  static constexpr std::uint64_t kNearIds = 128;

  explicit NearRandom(Random& source) : source_(source), given_(source.next_u64()) {}
  NearRandom(const NearRandom&) = delete;
  NearRandom& operator=(const NearRandom&) = delete;

  void fill(std::span<std::byte> out) override { source_.fill(out); }
  std::uint64_t next_u64() override;

 private:
  Random& source_;
  std::atomic<std::uint64_t> given_;
};

}  // namespace alfred::inbox
