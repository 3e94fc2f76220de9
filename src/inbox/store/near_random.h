// NearRandom: a source of ids that lie near one another.
//
// R1 some thousand ids in a row begin with the same four characters, themselves random; the other eight are
//    as random as ever. So the rows of events that come together lie together in the indexes of
//    their ids, and a commit writes a few pages of each instead of one page for every row, however
//    large the index is.
// R2 each character of an id is still equally likely; two ids of a neighbourhood collide with 2^-40, and a
//    collision is answered with another id as ever (base/mint.h).
// R3 for ids only: what has to be secret is drawn from the source itself.
// R4 any number of threads may use it when its source allows that.
#pragma once

#include <atomic>

#include "alfred/random.h"

namespace alfred::inbox {

class NearRandom final : public Random {
 public:
  static constexpr std::uint32_t kNearIds = 4096;

  explicit NearRandom(Random& source) : source_(source) {}
  NearRandom(const NearRandom&) = delete;
  NearRandom& operator=(const NearRandom&) = delete;

  void fill(std::span<std::byte> out) override { source_.fill(out); }
  std::uint64_t next_u64() override;

 private:
  Random& source_;
  std::atomic<std::uint32_t> given_ = 0;
  std::atomic<std::uint64_t> near_ = 0;
};

}  // namespace alfred::inbox
