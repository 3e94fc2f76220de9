// TypeNames: from the name of a type to its number. A name is held as its first and last eight
// bytes; one of sixteen bytes or less is all in them, so that comparing it is comparing two words.
//
// R1 numbers are given in the order of add(), from 0; drop_last() undoes the last add().
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "refs/keys/key_store.h"

namespace alfred {

// The bytes of a text of at most eight, lowest first, and zeros behind them.
inline std::uint64_t word_of(const char* text, std::size_t size) {
  std::uint64_t word = 0;
  if (size >= 8) {
    std::memcpy(&word, text, 8);
  } else if (size >= 4) {  // two pieces that may overlap
    std::uint32_t low;
    std::uint32_t high;
    std::memcpy(&low, text, 4);
    std::memcpy(&high, text + size - 4, 4);
    word = low | static_cast<std::uint64_t>(high) << (8 * (size - 4));
  } else {
    for (std::size_t i = 0; i < size; ++i)
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  }
  return word;
}

class TypeNames {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::size_t size() const { return names_.size(); }
  std::uint32_t find(std::string_view name) const;
  // Precondition: a name that is not there.
  void add(std::string_view name) {
    if (size() < kFew) few_[size()] = digest_of(name);
    names_.emplace_back(name);
    if (2 * names_.size() <= entries_.size()) return place(size() - 1);
    entries_.assign(4 * names_.size() < 16 ? 16 : 2 * entries_.size(), {});
    for (std::size_t i = 0; i < names_.size(); ++i) place(i);
  }
  // Nobody stands behind the one that came last, so its entry can just be emptied.
  void drop_last() {
    entries_[index_of(names_.back())].number = kNone;
    names_.pop_back();
  }

 private:
  struct Digest {
    std::uint64_t first;
    std::uint64_t last;
    std::uint32_t size;
    friend bool operator==(const Digest&, const Digest&) = default;
  };
  struct Entry {
    Digest digest{};
    std::uint32_t number = kNone;
  };

  static Digest digest_of(std::string_view name) {
    const auto size = static_cast<std::uint32_t>(name.size());
    return {word_of(name.data(), size), size > 8 ? word_of(name.data() + size - 8, 8) : 0, size};
  }
  // Types are declared, not read: nobody can choose many that collide.
  std::size_t start_of(const Digest& digest) const {
    const std::uint64_t word = digest.first ^ (digest.last << 1) ^ digest.size;
    return (word * 0x9e3779b97f4a7c15ULL >> 40) & (entries_.size() - 1);
  }
  // The entry of this name, or the free one where it belongs.
  std::size_t index_of(std::string_view name) const {
    const Digest digest = digest_of(name);
    std::size_t at = start_of(digest);
    while (entries_[at].number != kNone && !is_at(at, digest, name))
      at = (at + 1) & (entries_.size() - 1);
    return at;
  }
  bool is_at(std::size_t at, const Digest& digest, std::string_view name) const {
    return entries_[at].digest == digest &&
           (name.size() <= 16 || names_[entries_[at].number] == name);
  }
  void place(std::size_t number) {
    entries_[index_of(names_[number])] = {digest_of(names_[number]),
                                          static_cast<std::uint32_t>(number)};
  }

  static constexpr std::size_t kFew = 8;

  std::vector<std::string> names_;
  std::array<Digest, kFew> few_{};  // of the first names
  std::vector<Entry> entries_;      // a power of two, at most half of them taken
};

// Few are compared one by one: which one it will be, a processor guesses from before, and goes on
// while the bytes are still on their way. A table would make everything wait for them.
inline std::uint32_t TypeNames::find(std::string_view name) const {
  if (names_.size() > kFew) return entries_[index_of(name)].number;
  const Digest digest = digest_of(name);
  for (std::uint32_t i = 0; i < names_.size(); ++i)
    if (few_[i] == digest && (name.size() <= 16 || names_[i] == name)) return i;
  return kNone;
}

}  // namespace alfred
