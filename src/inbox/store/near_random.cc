#include "inbox/store/near_random.h"

namespace alfred::inbox {
namespace {

constexpr std::uint64_t kFirstFour = 0xFFFFF;  // an id's first characters are its lowest bits

}  // namespace

std::uint64_t NearRandom::next_u64() {
  if (given_.fetch_add(1, std::memory_order_relaxed) % kNearIds == 0)
    near_.store(source_.next_u64() & kFirstFour, std::memory_order_relaxed);
  return (source_.next_u64() & ~kFirstFour) | near_.load(std::memory_order_relaxed);
}

}  // namespace alfred::inbox
