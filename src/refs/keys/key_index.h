// KeyIndex: from the hash of a key to the entities that may have it. One cache line holds fifteen
// of them (tag_group.h), so that a hundred thousand fit where the processor reaches them fast, and
// that a key is new is mostly known from one line.
//
// R1 what was added under a hash is found under it until it is removed, whatever grew in between.
// R2 slots hold three bytes of an entity; the fourth stands apart and only from 2^24 entities on.
// R3 slots that removing cannot give back are given back when the index would grow.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "refs/keys/grow_array.h"
#include "refs/keys/tag_group.h"

namespace alfred {

using EntityNo = std::uint32_t;
inline constexpr EntityNo kNoEntity = 0xffffffff;

class KeyIndex {
 public:
  struct Place {
    std::size_t group = 0;
    std::size_t slot = TagGroup::kSlots;
    bool is_there() const { return slot != TagGroup::kSlots; }
  };

  // The place that leads to the one entity for which `is_it` says true, if one does.
  template <class IsIt>
  Place find(std::uint64_t hash, IsIt is_it) const;
  EntityNo at(Place place) const {
    const EntityNo low = groups_[place.group].low(place.slot);
    if (tops_.empty()) [[likely]]
      return low;
    return low | static_cast<EntityNo>(tops_[place.group][place.slot]) << TagGroup::kLowBits;
  }
  void put(Place place, EntityNo entity) {
    groups_[place.group].set_low(place.slot, entity);
    if (!tops_.empty()) [[unlikely]]
      tops_[place.group][place.slot] = static_cast<std::uint8_t>(entity >> TagGroup::kLowBits);
  }

  // For who looks for many: a word to the processor that a look will come, something of the memory
  // it begins with, to be loaded early, and then the entity that it will most likely find.
  // (Always inline: a call that does nothing else is left out by some compilers.)
  [[gnu::always_inline]] void expect(std::uint64_t hash) const {
    __builtin_prefetch(groups_.begin() + group_of(hash));
  }
  std::uint8_t first_byte(std::uint64_t hash) const { return groups_[group_of(hash)].passed; }
  EntityNo likely(std::uint64_t hash) const {
    const SlotSet same = groups_[group_of(hash)].with(tag_of(hash));
    return same.empty() ? kNoEntity : at({group_of(hash), same.first()});
  }

  bool is_empty() const { return groups_.empty(); }
  // Whether this many more can be added, the largest of them below `end`.
  bool has_room(std::size_t more, EntityNo end) const {
    return taken_ + more <= most_taken_ && (end <= kNarrowEnd || !tops_.empty());
  }
  // Forgets everything and makes room for this many, below `end`.
  void reset(std::size_t entities, EntityNo end);
  // Precondition: room, and no place leads to it yet.
  void add(std::uint64_t hash, EntityNo entity);
  // The entity for which `is_it` says true; when there is none, `entity` is added, and is it.
  // Precondition: room.
  template <class IsIt>
  EntityNo find_or_add(std::uint64_t hash, EntityNo entity, IsIt is_it);
  void remove(Place place);
  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return groups_.memory_bytes() + tops_.memory_bytes(); }

 private:
  static constexpr std::uint8_t kFree = 0;  // a tag of no hash
  static constexpr EntityNo kNarrowEnd = EntityNo{1} << TagGroup::kLowBits;

  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash >> 56);
    return tag == kFree ? std::uint8_t{1} : tag;
  }
  static std::uint8_t passed_bit(std::uint64_t hash) {
    return static_cast<std::uint8_t>(1U << (hash >> 53 & 7));
  }
  std::size_t group_of(std::uint64_t hash) const { return hash & group_mask_; }

  GrowArray<TagGroup> groups_;
  GrowArray<std::array<std::uint8_t, 16>> tops_;  // the fourth bytes
  std::size_t group_mask_ = 0;
  std::size_t size_ = 0;
  std::size_t taken_ = 0;       // slots that are in use, and those that cannot be given back
  std::size_t most_taken_ = 0;  // before the index grows
};

template <class IsIt>
[[gnu::always_inline]] inline KeyIndex::Place KeyIndex::find(std::uint64_t hash, IsIt is_it) const {
  if (groups_.empty()) return {};
  const std::uint8_t tag = tag_of(hash);
  for (std::size_t group = group_of(hash);; group = (group + 1) & group_mask_) {
    for (SlotSet same = groups_[group].with(tag); !same.empty(); same.drop_first())
      if (is_it(at({group, same.first()}))) return {group, same.first()};
    if ((groups_[group].passed & passed_bit(hash)) == 0) return {};
  }
}

[[gnu::always_inline]] inline void KeyIndex::add(std::uint64_t hash, EntityNo entity) {
  std::size_t group = group_of(hash);
  SlotSet free = groups_[group].with(kFree);
  while (free.empty()) {
    groups_[group].passed |= passed_bit(hash);
    group = (group + 1) & group_mask_;
    free = groups_[group].with(kFree);
  }
  groups_[group].tags[free.first()] = tag_of(hash);
  put({group, free.first()}, entity);
  ++size_;
  ++taken_;
}

// Most keys that are new find their place in the line that says so.
template <class IsIt>
[[gnu::always_inline]] inline EntityNo KeyIndex::find_or_add(std::uint64_t hash, EntityNo entity,
                                                             IsIt is_it) {
  const std::uint8_t tag = tag_of(hash);
  TagGroup& home = groups_[group_of(hash)];
  for (SlotSet same = home.with(tag); !same.empty(); same.drop_first())
    if (const EntityNo found = at({group_of(hash), same.first()}); is_it(found)) return found;
  const SlotSet free = home.with(kFree);
  if (home.passed != 0 || free.empty()) [[unlikely]] {
    const Place place = find(hash, is_it);
    if (place.is_there()) return at(place);
    add(hash, entity);
    return entity;
  }
  home.tags[free.first()] = tag;
  put({group_of(hash), free.first()}, entity);
  ++size_;
  ++taken_;
  return entity;
}

// Who passed a group leaves a bit there that nobody takes away; a slot freed in such a group still
// counts as taken, or the bits of a registry that goes up and down would only ever grow.
inline void KeyIndex::remove(Place place) {
  groups_[place.group].tags[place.slot] = kFree;
  --size_;
  if (groups_[place.group].passed == 0) --taken_;
}

// At most seven slots of eight are taken: beyond that, many groups overflow.
inline void KeyIndex::reset(std::size_t entities, EntityNo end) {
  constexpr std::size_t kPerEight = 7 * TagGroup::kSlots;
  std::size_t count = std::max(groups_.size(), std::size_t{1});
  while (entities * 8 > count * kPerEight) count *= 2;
  groups_.reset_zeroed(count);
  tops_ = {};
  if (end > kNarrowEnd) tops_.reset_zeroed(count);
  group_mask_ = count - 1;
  size_ = taken_ = 0;
  most_taken_ = count * kPerEight / 8;
}

}  // namespace alfred
