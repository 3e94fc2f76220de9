// KeyStore: the mapping itself. Entities are numbered 0, 1, 2… in the order they were first seen;
// each has a type, a number within its type and, once it is a row, a key. From (type, key) to the
// entity leads one open-addressed index of eight bytes a slot.
//
// R1 (type, key) leads to at most one entity: the one that took the key last.
// R2 pop() undoes the last append(), whatever grew in between.
// R3 iteration order never depends on the hash; the hash is seeded, so nobody can choose colliding keys.
#pragma once

#include <cstdint>
#include <span>

#include "refs/grow_array.h"
#include "refs/record_key.h"

namespace alfred {

using EntityNo = std::uint32_t;
using TypeNo = std::uint16_t;
inline constexpr EntityNo kNoEntity = 0xffffffff;

class KeyStore {
 public:
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
    std::uint32_t tag = 0;
  };
  Hint hint(TypeNo type, const KeyView& key) const { return {tag_of(type, key)}; }
  // Brings near the memory that looking for these keys will need, all of it at the same time. With
  // plain loads: not every machine heeds a prefetch.
  void bring_near(std::span<const Hint> hints) const;
  // Makes room for this many entities in all, so that what is about to come needs no growing.
  void reserve(std::size_t entities);
  // Finds, or appends with this number. One probe for both.
  EntityNo find_or_append(TypeNo type, std::uint32_t next_number, const KeyView& key, Hint hint,
                          bool& is_new);

  // Gives an entity a key and a number, or takes the key away (nullptr).
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

  std::size_t memory_bytes() const;

 private:
  struct Slot {
    UuidBits bits;  // uuid; integer in high; text and composite: hash and place in bytes_
    std::uint32_t number;
    TypeNo type;
    std::uint8_t kind;
    std::uint8_t unused;
  };
  struct IndexSlot {
    std::uint32_t tag;         // the low half of the hash
    std::uint32_t entity_up1;  // 0: empty
  };
  static constexpr std::uint8_t kNoKey = 0xff;

  std::uint32_t tag_of(TypeNo type, const KeyView& key) const {
    const std::uint64_t salt = salt_of(type, key.kind_);
    const std::uint64_t hash = is_inline(key.kind_)
                                   ? mix(key.bits_.high ^ salt, key.bits_.low ^ kOddB)
                                   : hash_bytes(key.bytes_, salt);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
  }
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
  std::size_t probe(std::uint32_t tag, TypeNo type, const KeyView& key) const;
  void store(Slot& slot, const KeyView& key);
  void store_text(Slot& slot, const KeyView& key);
  // At most six slots of ten are taken: beyond that, linear probing takes long to learn that a key
  // is new.
  void grow_index_for(std::size_t entities) {
    if (entities > most_indexed_) [[unlikely]]
      grow_index(entities);
  }
  void grow_index(std::size_t entities);
  void unindex(TypeNo type, const KeyView& key);

  std::uint64_t seed_;
  GrowArray<Slot> slots_;
  GrowArray<IndexSlot> index_;
  std::size_t mask_ = 0;
  std::size_t indexed_ = 0;
  std::size_t most_indexed_ = 0;  // before the index grows
  std::size_t long_texts_ = 0;
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

// The index slot that leads to (type, key), or the empty one where it belongs.
[[gnu::always_inline]] inline std::size_t KeyStore::probe(std::uint32_t tag, TypeNo type,
                                                          const KeyView& key) const {
  std::size_t at = tag & mask_;
  while (index_[at].entity_up1 != 0) {
    if (index_[at].tag == tag && is_at(index_[at].entity_up1 - 1, type, key)) break;
    at = (at + 1) & mask_;
  }
  return at;
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
  grow_index_for(indexed_ + 1);
  IndexSlot& place = index_[probe(hint.tag, type, key)];
  is_new = place.entity_up1 == 0;
  if (!is_new) return place.entity_up1 - 1;
  Slot& slot = *slots_.room(1);
  slot.number = next_number;
  slot.type = type;
  store(slot, key);
  slots_.added(1);
  ++indexed_;
  place = {hint.tag, size()};
  return size() - 1;
}

}  // namespace alfred
