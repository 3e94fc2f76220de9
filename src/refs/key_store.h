// KeyStore: the mapping itself. Entities are numbered 0, 1, 2… in the order they were first seen;
// each has a type, a number within its type and, once it is a row, a key. From (type, key) to the
// entity leads an index of one cache line for twelve of them (tag_group.h): a byte of the hash
// each, looked at together, and the entity. That a key is new is mostly known from that one line.
//
// R1 (type, key) leads to at most one entity: the one that took the key last.
// R2 pop() undoes the last append(), whatever grew in between.
// R3 iteration order never depends on the hash; the hash is seeded, so nobody can choose colliding keys.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "refs/grow_array.h"
#include "refs/record_key.h"
#include "refs/tag_group.h"

namespace alfred {

using EntityNo = std::uint32_t;
using TypeNo = std::uint16_t;
inline constexpr EntityNo kNoEntity = 0xffffffff;

class KeyStore {
 public:
  static constexpr std::size_t kMaxKeyBytes = (std::size_t{1} << 24) - 1;
  static bool fits(const KeyView& key) { return key.bytes_.size() <= kMaxKeyBytes; }

  explicit KeyStore(std::uint64_t hash_seed) : seed_(hash_seed | 1) {}

  EntityNo size() const { return static_cast<EntityNo>(slots_.size()); }
  TypeNo type(EntityNo entity) const { return slots_[entity].type; }
  std::uint32_t number(EntityNo entity) const { return slots_[entity].number; }
  bool has_key(EntityNo entity) const { return slots_[entity].kind != kNoKey; }
  KeyView key(EntityNo entity) const;  // precondition: has_key

  EntityNo find(TypeNo type, const KeyView& key) const;
  // The same for many uuids of one type, their memory accesses overlapped.
  void find_many(TypeNo type, std::span<const UuidBits> keys, std::span<EntityNo> found) const;

  // Adds an entity; the index leads to it from now on. Returns its number and, in `former`, the
  // entity that held the key until now (kNoEntity when none did).
  EntityNo append(TypeNo type, std::uint32_t number, const KeyView& key, EntityNo& former);
  EntityNo append_without_key(TypeNo type, std::uint32_t number);
  // Where to look for a key.
  struct Hint {
    std::uint64_t hash = 0;
  };
  Hint hint(TypeNo type, const KeyView& key) const { return {hash_of(type, key)}; }
  // Brings near the memory that looking for these keys will need, all of it at the same time. With
  // plain loads: not every machine heeds a prefetch.
  static constexpr std::size_t kMostHints = 64;  // at once
  void bring_near(std::span<const Hint> hints) const;
  // Makes room for this many entities in all, so that what is about to come needs no growing.
  void reserve(std::size_t entities);
  // Finds, or appends with this number. Keys that are stored must fit.
  EntityNo find_or_append(TypeNo type, std::uint32_t next_number, const KeyView& key,
                          bool& is_new) {
    return find_or_append(type, next_number, key, hint(type, key), is_new);
  }
  EntityNo find_or_append(TypeNo type, std::uint32_t next_number, const KeyView& key, Hint hint,
                          bool& is_new);

  // Gives an entity that has none a key, or takes its key away (nullptr); and gives it a number.
  void set_key(EntityNo entity, std::uint32_t number, const KeyView* key);
  // Makes the index lead to this entity, whoever else has its key.
  void lead_to(EntityNo entity);
  // Removes the last entity. `former` is what append() said.
  void pop(EntityNo former);
  // The store of long keys only grows; after popping, it can be cut back to where it was.
  std::size_t long_key_bytes() const { return bytes_.size(); }
  void cut_long_keys(std::size_t bytes) { bytes_.resize(bytes); }

  // How many keys with a text of eight bytes or more were ever stored.
  std::size_t long_text_count() const { return long_texts_; }
  // How many keys were ever given to an entity after it was made.
  std::size_t late_key_count() const { return late_keys_; }

  std::size_t memory_bytes() const;

 private:
  struct Slot {
    UuidBits bits;  // uuid; integer in high; text and composite: hash and place in bytes_
    std::uint32_t number;
    TypeNo type;
    std::uint8_t kind;
    bool is_indexed;  // the index leads here
  };
  static constexpr std::uint8_t kNoKey = 0xff;
  // Tags that are none of a hash. A slot that was left in a full group is not free: keys that found
  // no room there stand further on, and looking for them must not end here.
  static constexpr std::uint8_t kFree = 0;
  static constexpr std::uint8_t kLeft = 1;

  std::uint64_t hash_of(TypeNo type, const KeyView& key) const {
    const std::uint64_t salt = salt_of(type, key.kind_);
    return is_inline(key.kind_) ? mix(key.bits_.high ^ salt, key.bits_.low ^ kOddB)
                                : hash_bytes(key.bytes_, salt);
  }
  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash >> 56);
    return tag > kLeft ? tag : static_cast<std::uint8_t>(tag + 2);
  }
  std::size_t group_of(std::uint64_t hash) const { return hash & group_mask_; }
  std::uint64_t salt_of(TypeNo type, KeyKind kind) const {
    return seed_ ^
           (static_cast<std::uint64_t>(type) << 8 | static_cast<std::uint64_t>(kind)) * kOddA;
  }
  // The two halves of a 128-bit product, folded: a fast mix that spreads every input bit.
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  static std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed);
  static constexpr std::uint64_t kOddA = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t kOddB = 0xd6e8feb86659fd93ULL;

  static bool is_inline(KeyKind kind) {  // the key is its bits
    return kind == KeyKind::uuid || kind == KeyKind::integer;
  }
  bool is_at(EntityNo entity, TypeNo type, const KeyView& key) const;
  bool is_text_at(EntityNo entity, const KeyView& key) const;
  struct Place {  // in the index
    std::size_t group = 0;
    std::size_t slot = TagGroup::kSlots;
    bool is_there() const { return slot != TagGroup::kSlots; }
  };
  // The place that leads to (type, key), if one does.
  Place place_of(std::uint64_t hash, TypeNo type, const KeyView& key) const;
  EntityNo leads_to(Place place) const { return groups_[place.group].leads_to[place.slot]; }
  void lead(std::uint64_t hash, EntityNo entity);
  void store(Slot& slot, const KeyView& key);
  void store_text(Slot& slot, const KeyView& key);
  void grow_index_for(std::size_t entities) {
    if (entities > most_taken_) [[unlikely]]
      grow_index(entities);
  }
  void grow_index(std::size_t entities);
  void unindex(EntityNo entity);

  std::uint64_t seed_;
  GrowArray<Slot> slots_;
  GrowArray<TagGroup> groups_;  // the index
  std::size_t group_mask_ = 0;
  std::size_t taken_ = 0;       // slots that are not free
  std::size_t most_taken_ = 0;  // before the index grows
  std::size_t long_texts_ = 0;
  std::size_t late_keys_ = 0;
  std::string bytes_;  // texts and encoded composites, one after the other
};

// ── Inline, since the translator lives in them
// ────────────────────────────────────────────────────

[[gnu::always_inline]] inline bool KeyStore::is_at(EntityNo entity, TypeNo type,
                                                   const KeyView& wanted) const {
  const Slot& slot = slots_[entity];
  if (slot.type != type || slot.kind != static_cast<std::uint8_t>(wanted.kind_)) return false;
  return is_inline(wanted.kind_) ? slot.bits == wanted.bits_ : is_text_at(entity, wanted);
}

[[gnu::always_inline]] inline KeyStore::Place KeyStore::place_of(std::uint64_t hash, TypeNo type,
                                                                 const KeyView& key) const {
  if (groups_.empty()) return {};
  const std::uint8_t tag = tag_of(hash);
  for (std::size_t at = group_of(hash);; at = (at + 1) & group_mask_) {
    const TagGroup& group = groups_[at];
    for (SlotSet same = group.with(tag); !same.empty(); same.drop_first())
      if (is_at(group.leads_to[same.first()], type, key)) return {at, same.first()};
    if (!group.with(kFree).empty()) return {};
  }
}

// Precondition: room, and the key leads nowhere yet.
inline void KeyStore::lead(std::uint64_t hash, EntityNo entity) {
  std::size_t at = group_of(hash);
  while (groups_[at].with(kFree).empty()) at = (at + 1) & group_mask_;
  const std::size_t slot = groups_[at].with(kFree).first();
  groups_[at].tags[slot] = tag_of(hash);
  groups_[at].leads_to[slot] = entity;
  slots_[entity].is_indexed = true;
  ++taken_;
}

[[gnu::always_inline]] inline void KeyStore::store(Slot& slot, const KeyView& key) {
  slot.kind = static_cast<std::uint8_t>(key.kind_);
  slot.bits = key.bits_;
  if (!is_inline(key.kind_)) store_text(slot, key);
}

[[gnu::always_inline]] inline EntityNo KeyStore::find_or_append(TypeNo type,
                                                                std::uint32_t next_number,
                                                                const KeyView& key, Hint hint,
                                                                bool& is_new) {
  const Place known = place_of(hint.hash, type, key);
  is_new = !known.is_there();
  if (!is_new) return leads_to(known);
  grow_index_for(taken_ + 1);
  const EntityNo entity = size();
  Slot& slot = *slots_.room(1);
  slot.number = next_number;
  slot.type = type;
  store(slot, key);
  slots_.added(1);
  lead(hint.hash, entity);
  return entity;
}

}  // namespace alfred
