#include "base/keyed_random.h"

#include <sodium.h>

#include <algorithm>

namespace alfred {

static_assert(randombytes_SEEDBYTES == sizeof(KeyedRandom::Key));

KeyedRandom::Key KeyedRandom::new_key(Random& random) {
  Key key;
  random.fill(std::as_writable_bytes(std::span(key)));
  return key;
}

std::string KeyedRandom::key_text(const Key& key) {
  std::string text(2 * key.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), key.data(), key.size());
  text.pop_back();
  return text;
}

Result<KeyedRandom::Key> KeyedRandom::key_from_text(std::string_view text) {
  Key key;
  std::size_t size = 0;
  const int failed =
      sodium_hex2bin(key.data(), key.size(), text.data(), text.size(), nullptr, &size, nullptr);
  if (failed != 0 || size != key.size() || text.size() != 2 * key.size())
    return fail(ErrorCode::schema, "a key is 64 hex digits");
  return key;
}

void KeyedRandom::restart() {
  blocks_ = 0;
  used_ = sizeof block_;
}

// Each block has a seed of its own: the key with the block's number mixed in.
void KeyedRandom::refill() {
  std::array<std::uint8_t, 32> seed{};
  crypto_generichash(seed.data(), seed.size(), reinterpret_cast<const std::uint8_t*>(&blocks_),
                     sizeof blocks_, key_.data(), key_.size());
  randombytes_buf_deterministic(block_.data(), block_.size(), seed.data());
  ++blocks_;
  used_ = 0;
}

void KeyedRandom::fill(std::span<std::byte> out) {
  while (!out.empty()) {
    if (used_ == sizeof block_) refill();
    const std::size_t size = std::min(out.size(), sizeof block_ - used_);
    std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(used_), size, out.begin());
    used_ += size;
    out = out.subspan(size);
  }
}

}  // namespace alfred
