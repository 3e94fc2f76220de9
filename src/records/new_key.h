// The uuid of a new row: version 7 of RFC 9562, so that keys made later come later. Rows that
// nobody ordered stand in the order they were made in, also those of one call.
#pragma once

#include <cstdint>

#include "alfred/random.h"
#include "refs/keys/record_key.h"

namespace alfred {

// The nth key (from 0) that is made at this time. 62 bits of it are random.
inline RecordKey new_uuid_key(std::int64_t wall_ms, std::uint32_t nth, Random& random) {
  constexpr std::uint64_t kPerMs = 4096;
  const std::uint64_t ms = static_cast<std::uint64_t>(wall_ms) + nth / kPerMs;
  const std::uint64_t high = ms << 16 | 0x7000ULL | (nth % kPerMs);
  const std::uint64_t low = (random.next_u64() >> 2) | (2ULL << 62);
  return RecordKey::uuid({high, low});
}

}  // namespace alfred
