// KeyedRandom: random bytes that can be drawn again. Who must be able to repeat a decision after a
// crash keeps the key (32 bytes of a real generator) and gets the same bytes from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "alfred/error.h"
#include "alfred/random.h"

namespace alfred {

class KeyedRandom final : public Random {
 public:
  using Key = std::array<std::uint8_t, 32>;

  static Key new_key(Random& random);
  static std::string key_text(const Key& key);              // 64 hex digits
  static Result<Key> key_from_text(std::string_view text);  // the error is `schema`

  explicit KeyedRandom(const Key& key) : key_(key) {}
  void fill(std::span<std::byte> out) override;
  void restart();  // from the first byte

 private:
  void refill();

  Key key_;
  std::uint64_t blocks_ = 0;  // drawn so far
  std::array<std::byte, 1024> block_{};
  std::size_t used_ = sizeof block_;
};

}  // namespace alfred
