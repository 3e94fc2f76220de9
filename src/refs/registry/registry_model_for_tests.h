// For tests only: what a registry knows, the plain way, as a vector of entries searched from end to
// end; and a few keys of every kind to drive both with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "refs/keys/key_door_for_tests.h"
#include "refs/registry/ref_entry.h"

namespace alfred {

inline RecordKey few_keys(std::size_t n) {
  if (n % 3 == 0) return uuid_key(n);
  if (n % 3 == 1) return RecordKey::integer(static_cast<std::int64_t>(n));
  return RecordKey::text("a text key " + std::to_string(n));
}
inline constexpr std::size_t kKeys = 4;

struct RegistryModel {
  std::vector<RefEntry> entries;
  std::vector<std::pair<std::string, std::string>> types;  // and their tables
  std::vector<std::string> literals;
  std::uint32_t turn = 0;

  std::uint32_t counter(std::string_view type, bool of_generated) const {
    std::uint32_t highest = 0;
    for (const RefEntry& entry : entries)
      for (const Ref& ref : {entry.ref, entry.alias.value_or(entry.ref)})
        if (ref.type() == type && ref.is_generated() == of_generated)
          highest = std::max(highest, ref.number());
    return highest;
  }
  // Who took the key last: in its type, the highest number.
  RefEntry* holder(std::string_view type, const RecordKey& key) {
    RefEntry* last = nullptr;
    for (RefEntry& entry : entries)
      if (entry.ref.type() == type && entry.key == key)
        if (last == nullptr || entry.ref.number() > last->ref.number()) last = &entry;
    return last;
  }
  RefEntry* named(const Ref& ref) {
    for (RefEntry& entry : entries)
      if (entry.ref == ref || entry.alias == ref) return &entry;
    return nullptr;
  }
  RefEntry& add(std::string_view type, bool is_generated, RefStatus status) {
    RefEntry entry{.ref = Ref::make(type, counter(type, is_generated) + 1, is_generated)};
    entry.status = status;
    entry.turn_created = entry.turn_last_referenced = turn;
    return entries.emplace_back(std::move(entry));
  }
  void declare(const std::string& name, const std::string& table) {
    for (auto& [known, bound] : types)
      if (known == name) {
        if (bound.empty()) bound = table;
        return;
      }
    types.emplace_back(name, table);
  }
  void add_literal(const std::string& text) {
    if (std::find(literals.begin(), literals.end(), text) == literals.end())
      literals.push_back(text);
  }
  void touch(RefEntry& entry, RefStatus status) const {
    entry.status = status;
    entry.turn_last_referenced = turn;
  }
};

}  // namespace alfred
