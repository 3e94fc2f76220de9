#include "alfred/random.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sodium.h>
#include <sys/mman.h>
#include <sys/random.h>

namespace alfred {
namespace {

// One page. A smaller one pays more for its key; a larger one saves nothing more that can be measured.
constexpr std::size_t kMappingBytes = 4096;

// Lives in a page of its own that the kernel wipes on fork. The count lives in the page too, so that
// a child finds zero left and draws afresh.
struct Pool {
  std::uint64_t left;
  std::array<std::byte, kMappingBytes - sizeof(std::uint64_t)> bytes;
};
static_assert(sizeof(Pool) == kMappingBytes);

// A plain pointer, so that reading it costs no initialisation guard.
constinit thread_local Pool* t_pool = nullptr;

struct PoolOwner {
  Pool* pool = nullptr;
  ~PoolOwner() {
    if (pool == nullptr) return;
    std::memset(static_cast<void*>(pool), 0, sizeof(Pool));
    munmap(static_cast<void*>(pool), sizeof(Pool));
    t_pool = nullptr;
  }
};
thread_local PoolOwner t_owner;

void fill_from_kernel(std::byte* out, std::size_t size) {
  while (size > 0) {
    const ssize_t got = getrandom(out, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      std::fprintf(stderr, "alfred: the kernel gives no random bytes (getrandom: %s); stopping.\n",
                   std::strerror(errno));
      std::abort();
    }
    out += got;
    size -= static_cast<std::size_t>(got);
  }
}

Pool* make_pool() {
  if (sodium_init() < 0) return nullptr;
  void* page = mmap(nullptr, sizeof(Pool), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  if (madvise(page, sizeof(Pool), MADV_WIPEONFORK) != 0) {
    munmap(page, sizeof(Pool));
    return nullptr;
  }
  t_owner.pool = new (page) Pool{};
  return t_owner.pool;
}

// A key serves one refill and is gone before the first byte is given, so what was given cannot be
// found again, and what will be given cannot be foretold, from anything in memory.
void refill(Pool& pool) {
  std::array<std::byte, crypto_stream_chacha20_ietf_KEYBYTES> key;
  constexpr std::array<unsigned char, crypto_stream_chacha20_ietf_NONCEBYTES> kNonce{};
  fill_from_kernel(key.data(), key.size());
  crypto_stream_chacha20_ietf(reinterpret_cast<unsigned char*>(pool.bytes.data()), pool.bytes.size(),
                              kNonce.data(), reinterpret_cast<const unsigned char*>(key.data()));
  sodium_memzero(key.data(), key.size());
  pool.left = pool.bytes.size();
}

// Moves bytes that are already in the pool, and erases them there.
void take(Pool& pool, std::byte* out, std::size_t size) {
  std::byte* from = pool.bytes.data() + (pool.bytes.size() - pool.left);
  pool.left -= size;
  std::memcpy(out, from, size);
  std::memset(from, 0, size);
}

void fill_slowly(std::byte* out, std::size_t size) {
  if (t_pool == nullptr) t_pool = make_pool();
  // Without a page that is wiped on fork (an old kernel, some sandboxes) buffering would be unsafe.
  if (t_pool == nullptr || size > t_pool->bytes.size()) return fill_from_kernel(out, size);
  if (t_pool->left < size) refill(*t_pool);
  take(*t_pool, out, size);
}

std::uint64_t next_u64_slowly() {
  std::uint64_t value;
  fill_slowly(reinterpret_cast<std::byte*>(&value), sizeof(value));
  return value;
}

constexpr std::uint64_t little_endian(std::uint64_t value) {
  if constexpr (std::endian::native == std::endian::little) return value;
  return __builtin_bswap64(value);
}

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t Random::next_u64() {
  std::uint64_t value = 0;
  fill(std::as_writable_bytes(std::span(&value, 1)));
  return little_endian(value);
}

void OsRandom::fill(std::span<std::byte> out) {
  if (out.empty()) return;
  fill_slowly(out.data(), out.size());
}

std::uint64_t OsRandom::next_u64() {
  Pool* pool = t_pool;
  if (pool == nullptr || pool->left < sizeof(std::uint64_t)) [[unlikely]]
    return next_u64_slowly();
  std::uint64_t value;
  take(*pool, reinterpret_cast<std::byte*>(&value), sizeof(value));
  return value;
}

SeededRandom::SeededRandom(std::uint64_t seed) : state_{} {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t SeededRandom::next_u64() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

void SeededRandom::fill(std::span<std::byte> out) {
  while (!out.empty()) {
    const std::uint64_t word = little_endian(next_u64());
    const std::size_t size = std::min(out.size(), sizeof(word));
    std::memcpy(out.data(), &word, size);
    out = out.subspan(size);
  }
}

}  // namespace alfred
