// Where randomness comes from: a port, the operating system's generator, and a seeded one for tests.
//
// R1 OsRandom expands keys of getrandom(2) with ChaCha20, a fresh key for every 4 KiB, in a buffer per
//    thread; each byte is given once and then erased.
// R2 a forked child never repeats what its parent gives: the buffer's page is wiped on fork.
// R3 a kernel that gives no bytes ends the process with a message: no id is ever made without them.
// R4 SeededRandom gives the same bytes for the same seed on every platform. It is not secret.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "alfred/api.h"

namespace alfred {

class ALFRED_API Random {
 public:
  Random() = default;
  Random(const Random&) = default;
  Random& operator=(const Random&) = default;
  virtual ~Random() = default;

  virtual void fill(std::span<std::byte> out) = 0;
  virtual std::uint64_t next_u64();  // 8 bytes of fill(), least significant first
};

// Has no state of its own: any number of objects may be used from any number of threads.
class ALFRED_API OsRandom final : public Random {
 public:
  void fill(std::span<std::byte> out) override;
  std::uint64_t next_u64() override;
};

// xoshiro256**, its state drawn from the seed by splitmix64. One object belongs to one thread.
class ALFRED_API SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed);
  void fill(std::span<std::byte> out) override;
  std::uint64_t next_u64() override;

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace alfred
