#include "inbox/store/near_random.h"

namespace alfred::inbox {
namespace {

// Two characters are ten bits of a number, the first two the lowest ten; in each ten the first
// character is the upper five (base/ids/short_id.cc).
constexpr std::uint64_t kTen = 0x3FF;
constexpr std::uint64_t kFive = 0x1F;
constexpr std::uint64_t kFirstFive = kTen | kTen << 10 | kFive << 25;

// Bits that make five characters, in whose order the texts are.
std::uint64_t first_five(std::uint64_t number) {
  return (number >> 15 & kTen) | (number >> 5 & kTen) << 10 | (number & kFive) << 25;
}

}  // namespace

std::uint64_t NearRandom::next_u64() {
  const std::uint64_t given = given_.fetch_add(1, std::memory_order_relaxed);
  return (source_.next_u64() & ~kFirstFive) | first_five(given / kNearIds);
}

}  // namespace alfred::inbox
