// Lead: the exact bytes that stood before a value in the row before, such as `,"name":`, kept so
// that they can be compared with the next row's in a few instructions.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace alfred {

class Lead {
 public:
  // How many bytes must be there, from where a lead is looked for on, to look for it. When it
  // stands there, more than kBehind of them are behind it.
  static constexpr std::size_t kReads = 96;
  static constexpr std::size_t kBehind = 56;

  Lead() = default;
  explicit Lead(std::string_view text) : size_(text.size()) {
    if (size_ > kShort) {
      long_ = std::string(text);
      return;
    }
    std::memcpy(words_, text.data(), size_);
    std::memset(masks_, 0xff, size_);
  }

  std::size_t size() const { return size_; }

  // Precondition: kReads bytes are there.
  [[gnu::always_inline]] bool stands_at(const char* at, const char* end) const {
    std::uint64_t difference = difference_at(at, 0) | difference_at(at, 1);
    if (size_ > 16) [[unlikely]] {
      if (size_ > kShort) [[unlikely]]
        return stands_long_at(at, end);
      difference |= difference_at(at, 2) | difference_at(at, 3);
    }
    return difference == 0;
  }

 private:
  static constexpr std::size_t kShort = 32;

  [[gnu::always_inline]] std::uint64_t difference_at(const char* at, std::size_t word) const {
    std::uint64_t bytes;
    std::memcpy(&bytes, at + 8 * word, sizeof bytes);
    return (bytes ^ words_[word]) & masks_[word];
  }
  bool stands_long_at(const char* at, const char* end) const {
    return static_cast<std::size_t>(end - at) > size_ + kBehind &&
           std::memcmp(at, long_.data(), size_) == 0;
  }

  std::size_t size_ = 0;
  std::uint64_t words_[kShort / 8] = {};
  std::uint64_t masks_[kShort / 8] = {};  // ones where a byte counts
  std::string long_;                      // the text, when it is longer than kShort
};

}  // namespace alfred
