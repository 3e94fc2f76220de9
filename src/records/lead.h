// Lead: the exact bytes that stood before a value in the row before, such as `,"name":`, kept so
// that they can be compared with the next row's in a few instructions.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace alfred {

class Lead {
 public:
  // How many bytes must be there, from where a lead is looked for on, to look for it. When it
  // stands there, more than kBehind of them are behind it.
  static constexpr std::size_t kReads = 80;
  static constexpr std::size_t kBehind = 40;

  Lead() = default;
  explicit Lead(std::string_view text) : size_(text.size()) {
    if (size_ > kShort) {
      long_ = std::string(text);
      return;
    }
    std::memcpy(words_.data(), text.data(), text.size());
    std::memset(masks_.data(), 0xff, text.size());
  }

  std::size_t size() const { return size_; }

  // Precondition: kReads bytes are there.
  [[gnu::always_inline]] bool stands_at(const char* at, const char* end) const {
    std::array<std::uint64_t, 2> there;
    std::memcpy(there.data(), at, 16);
    std::uint64_t difference =
        ((there[0] ^ words_[0]) & masks_[0]) | ((there[1] ^ words_[1]) & masks_[1]);
    if (size_ > 16) {
      if (size_ > kShort) [[unlikely]]
        return stands_long_at(at, end);
      std::memcpy(there.data(), at + 16, 16);
      difference |= ((there[0] ^ words_[2]) & masks_[2]) | ((there[1] ^ words_[3]) & masks_[3]);
    }
    return difference == 0;
  }

 private:
  static constexpr std::size_t kShort = 32;

  bool stands_long_at(const char* at, const char* end) const {
    return static_cast<std::size_t>(end - at) > size_ + kBehind &&
           std::memcmp(at, long_.data(), size_) == 0;
  }

  std::array<std::uint64_t, 4> words_{};
  std::array<std::uint64_t, 4> masks_{};  // ones where a byte counts
  std::size_t size_ = 0;
  std::string long_;  // the text, when it is longer than kShort
};

}  // namespace alfred
