// Lead: the exact bytes that stood before a value in the row before, such as `,"name":`, kept so
// that they can be compared with the next row's in a few instructions.
#pragma once

#include <algorithm>
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
    std::memcpy(&first_, text.data(), std::min<std::size_t>(8, size_));
    std::memset(&mask_, 0xff, std::min<std::size_t>(8, size_));
    last_at_ = size_ < 8 ? 0 : size_ - 8;
    std::memcpy(&last_, text.data() + last_at_, std::min<std::size_t>(8, size_));
    if (size_ <= 16) return;
    std::memcpy(&second_, text.data() + 8, 8);
    std::memcpy(&third_, text.data() + size_ - 16, 8);
  }

  std::size_t size() const { return size_; }

  // Precondition: kReads bytes are there.
  [[gnu::always_inline]] bool stands_at(const char* at, const char* end) const {
    // Of a short one the first and the last eight bytes, which overlap, are all of it.
    std::uint64_t difference = (word(at) ^ first_) | (word(at + last_at_) ^ last_);
    if (size_ > 16) [[unlikely]] {
      if (size_ > kShort) [[unlikely]]
        return stands_long_at(at, end);
      difference |= (word(at + 8) ^ second_) | (word(at + last_at_ - 8) ^ third_);
    }
    return (difference & mask_) == 0;
  }

 private:
  static constexpr std::size_t kShort = 32;

  static std::uint64_t word(const char* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
  }
  bool stands_long_at(const char* at, const char* end) const {
    return static_cast<std::size_t>(end - at) > size_ + kBehind &&
           std::memcmp(at, long_.data(), size_) == 0;
  }

  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t mask_ = 0;  // ones where a byte counts, of less than eight
  std::size_t last_at_ = 0;
  std::size_t size_ = 0;
  std::uint64_t second_ = 0;
  std::uint64_t third_ = 0;
  std::string long_;  // the text, when it is longer than kShort
};

}  // namespace alfred
