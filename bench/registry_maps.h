// What our registry is compared with: the fastest maps at hand, and the maps most would take.
#pragma once

#include <fmt/format.h>

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "refs/keys/grow_array.h"
#include "registry_subject.h"

namespace alfred::bench {

// The fastest maps, with nothing but numbers in them.
class FlatMaps {
 public:
  using KeyForm = Key;
  using RefForm = std::uint32_t;
  static KeyForm key_form(const Key& key) { return key; }
  static RefForm ref_form(std::uint32_t number) { return number; }

  void add(const Key& key) {
    number_of_.emplace(key, ++count_);
    key_of_.emplace(count_, key);
  }
  std::uint64_t by_key(const Key& key) const { return number_of_.find(key)->second; }
  std::uint64_t by_ref(std::uint32_t number) const { return key_of_.find(number)->second[0]; }

 private:
  // The keys are random already; the map itself mixes what it gets.
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t halves[2];
      std::memcpy(halves, key.data(), sizeof halves);
      return halves[0] ^ halves[1];
    }
  };

  boost::unordered_flat_map<Key, std::uint32_t, Hash> number_of_;
  boost::unordered_flat_map<std::uint32_t, Key> key_of_;
  std::uint32_t count_ = 0;
};

// The fastest map from a ref's text, which fits sixteen bytes here.
class FlatTextMap {
 public:
  using KeyForm = Key;
  using TextForm = ShortText;
  static KeyForm key_form(const Key& key) { return key; }
  static TextForm text_form(std::uint32_t number) { return ShortText::of_ref(number); }

  void add(const Key& key) { key_of_.emplace(text_form(++count_), key); }
  std::uint64_t by_text(const ShortText& text) const { return key_of_.find(text)->second[0]; }

 private:
  // A product of the two halves, folded: as good as what the map would do, and done once.
  struct Hash {
    using is_avalanching = void;
    std::size_t operator()(const ShortText& text) const {
      std::uint64_t halves[2];
      std::memcpy(halves, &text, sizeof halves);
      __extension__ using Wide = unsigned __int128;
      const Wide product = static_cast<Wide>(halves[0] ^ 0x9e3779b97f4a7c15ULL) *
                           (halves[1] ^ 0xd6e8feb86659fd93ULL);
      return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
  };

  boost::unordered_flat_map<ShortText, Key, Hash> key_of_;
  std::uint32_t count_ = 0;
};

// The least that a ref can lead to its key by: an array of keys, and nothing else.
class PlainArray {
 public:
  using KeyForm = Key;
  using RefForm = std::uint32_t;
  static KeyForm key_form(const Key& key) { return key; }
  static RefForm ref_form(std::uint32_t number) { return number; }

  void add(const Key& key) { keys_.push_back(key); }
  std::uint64_t by_ref(std::uint32_t number) const {
    std::uint64_t halves[2];
    std::memcpy(halves, keys_[number - 1].data(), sizeof halves);
    return halves[0] ^ halves[1];
  }
  std::uint64_t by_refs(std::span<const std::uint32_t> numbers) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t number : numbers) sum += by_ref(number);
    return sum;
  }

 private:
  GrowArray<Key> keys_;
};

// The registry as most would write it: text to text, both ways.
class StringMaps {
 public:
  using KeyForm = std::string;
  using TextForm = std::string;
  static KeyForm key_form(const Key& key) {
    std::string text;
    for (std::size_t i = 0; i < key.size(); ++i)
      text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", key[i]);
    return text;
  }
  static TextForm text_form(std::uint32_t number) { return fmt::format("book_{}", number); }

  void add(const std::string& key) {
    std::string ref = text_form(++count_);
    key_of_.emplace(ref, key);
    ref_of_.emplace(key, std::move(ref));
  }
  std::uint64_t by_key(const std::string& key) const { return ref_of_.find(key)->second.size(); }
  std::uint64_t by_text(const std::string& ref) const { return key_of_.find(ref)->second.size(); }

 private:
  std::unordered_map<std::string, std::string> ref_of_;
  std::unordered_map<std::string, std::string> key_of_;
  std::uint32_t count_ = 0;
};

}  // namespace alfred::bench
