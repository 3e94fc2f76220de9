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
  Lead() = default;
  explicit Lead(std::string_view text) : text_(text) {
    if (text.size() > kShort) return;
    std::memcpy(words_.data(), text.data(), text.size());
    std::memset(masks_.data(), 0xff, text.size());
  }

  std::size_t size() const { return text_.size(); }

  bool stands_at(const char* at, const char* end) const {
    const auto left = static_cast<std::size_t>(end - at);
    if (text_.size() > kShort || left < kShort)
      return left >= text_.size() && std::memcmp(at, text_.data(), text_.size()) == 0;
    std::array<std::uint64_t, 2> there;
    std::memcpy(there.data(), at, 16);
    std::uint64_t difference =
        ((there[0] ^ words_[0]) & masks_[0]) | ((there[1] ^ words_[1]) & masks_[1]);
    if (text_.size() > 16) {
      std::memcpy(there.data(), at + 16, 16);
      difference |= ((there[0] ^ words_[2]) & masks_[2]) | ((there[1] ^ words_[3]) & masks_[3]);
    }
    return difference == 0;
  }

 private:
  static constexpr std::size_t kShort = 32;

  std::array<std::uint64_t, 4> words_{};
  std::array<std::uint64_t, 4> masks_{};  // ones where a byte counts
  std::string text_;
};

}  // namespace alfred
