// LiteralTable: `lit_n` and the text each stands for, byte for byte. A text is most likely a key,
// so who reads it needs a KeyDoor.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "refs/keys/record_key.h"

namespace alfred {

class LiteralTable {
 public:
  std::size_t size() const { return texts_.size(); }
  // The number of this text, 0 when it has none. Numbers start at 1.
  std::uint32_t find(std::string_view text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? 0 : found->second;
  }
  std::string_view text(std::uint32_t number, KeyDoor) const { return texts_[number - 1]; }

  std::uint32_t add(std::string_view text) {
    texts_.emplace_back(text);
    const auto number = static_cast<std::uint32_t>(texts_.size());
    numbers_.emplace(std::string(text), number);
    return number;
  }
  void cut(std::size_t size) {
    while (texts_.size() > size) {
      numbers_.erase(numbers_.find(texts_.back()));
      texts_.pop_back();
    }
  }

 private:
  std::vector<std::string> texts_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

}  // namespace alfred
