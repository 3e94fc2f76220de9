// KeyStore: the mapping itself. Entities are numbered 0, 1, 2… in the order they were first seen;
// each has a type, a number within its type and, once it is a row, a key. From (type, key) to the
// entity leads an index by hash (key_index.h).
//
// R1 (type, key) leads to at most one entity: the one that took the key last.
// R2 pop() undoes the last append(), whatever grew in between.
// R3 iteration order never depends on the hash; the hash is seeded, so nobody can choose colliding keys.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "refs/keys/grow_array.h"
#include "refs/keys/key_index.h"
#include "refs/keys/record_key.h"

namespace alfred {

using TypeNo = std::uint16_t;

class KeyStore {
 public:
  static constexpr std::size_t kMaxKeyBytes = (std::size_t{1} << 24) - 1;
  static bool fits(const KeyView& key) { return key.bytes_.size() <= kMaxKeyBytes; }

  explicit KeyStore(std::uint64_t hash_seed) : seed_(hash_seed | 1) {}

  EntityNo size() const { return static_cast<EntityNo>(rows_.size()); }
  TypeNo type(EntityNo entity) const { return rows_[entity].type; }
  std::uint32_t number(EntityNo entity) const { return rows_[entity].number; }
  bool has_key(EntityNo entity) const { return rows_[entity].kind != kNoKey; }
  KeyView key(EntityNo entity) const {  // precondition: has_key
    if (kinds_ == kUuidsOnly)
      return KeyView::uuid(rows_[entity].bits);  // most databases: one load less
    const auto kind = static_cast<KeyKind>(rows_[entity].kind);
    return KeyView(kind, is_inline(kind) ? rows_[entity].bits : UuidBits{}, text_of(entity));
  }

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
  [[gnu::always_inline]] Hint hint(TypeNo type, const KeyView& key) const {
    return {hash_of(type, key)};
  }
  // Says early that this key will be looked for.
  [[gnu::always_inline]] void expect(Hint hint) const { index_.expect(hint.hash); }
  // Brings near the memory that looking for these keys will need, all of it at the same time. With
  // plain loads: when nothing is left to do meanwhile, they are faster than a prefetch.
  static constexpr std::size_t kMostHints = 64;  // at once
  void bring_near(std::span<const Hint> hints) const;
  // The same for the keys of these; nobody among them is passed over.
  void bring_near(std::span<const EntityNo> entities) const;
  // Makes room for this many entities in all, so that what is about to come needs no growing.
  void reserve(std::size_t entities);
  // Finds, or appends with this number. Keys that are stored must fit.
  EntityNo find_or_append(TypeNo type, std::uint32_t next_number, const KeyView& key,
                          bool& is_new) {
    return find_or_append(type, next_number, key, hint(type, key), is_new);
  }
  // Key: a KeyView or a KeyDigest.
  template <class Key>
  EntityNo find_or_append(TypeNo type, std::uint32_t next_number, const Key& key, Hint hint,
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
  // The number beside the key: who looks for a key reads both, and they come together.
  struct Row {
    UuidBits bits;  // uuid; integer in high; text and composite: place and length in low
    std::uint32_t number;
    TypeNo type;
    std::uint8_t kind;
    bool is_indexed;  // the index leads here
  };
  static constexpr std::uint8_t kNoKey = 0xff;
  static constexpr std::uint8_t kUuidsOnly = 1U << static_cast<unsigned>(KeyKind::uuid);
  // The place and the length of a stored text share 64 bits.
  static constexpr int kLengthBits = 24;
  static_assert(kMaxKeyBytes == (std::size_t{1} << kLengthBits) - 1);

  [[gnu::always_inline]] std::uint64_t hash_of(TypeNo type, const KeyView& key) const {
    const std::uint64_t salt = salt_of(type, key.kind_);
    return is_inline(key.kind_) ? mix(key.bits_.high ^ salt, key.bits_.low ^ kOddB)
                                : hash_bytes(key.bytes_, salt);
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

  static std::uint8_t bit_of(KeyKind kind) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
  }
  static bool is_inline(KeyKind kind) {  // the key is its bits
    return kind == KeyKind::uuid || kind == KeyKind::integer;
  }
  std::string_view text_of(EntityNo entity) const {
    if (is_inline(static_cast<KeyKind>(rows_[entity].kind))) return {};
    const std::uint64_t place = rows_[entity].bits.low;
    return {bytes_.data() + (place >> kLengthBits), place & kMaxKeyBytes};
  }
  bool is_at(EntityNo entity, TypeNo type, const KeyView& key) const;
  bool is_at(EntityNo entity, TypeNo type, const KeyDigest& key) const;
  // The place that leads to (type, key), if one does.
  KeyIndex::Place place_of(std::uint64_t hash, TypeNo type, const KeyView& key) const;
  void lead(std::uint64_t hash, EntityNo entity);
  // What its bits become.
  UuidBits stored(const KeyView& key);
  static UuidBits stored(const KeyDigest& key) { return key.bits_; }
  UuidBits store_text(const KeyView& key);
  // Makes room in the index for one more, or for this many in all.
  void grow_index();
  void reserve_index(std::size_t entities);
  void unindex(EntityNo entity);
  // Loads what looking for these will need, and says what it will most likely find.
  void load_likely(std::span<const Hint> hints, EntityNo* likely) const;

  std::uint64_t seed_;
  GrowArray<Row> rows_;
  KeyIndex index_;
  std::uint8_t kinds_ = 0;  // a bit for each kind of key that was ever stored
  std::size_t long_texts_ = 0;
  std::size_t late_keys_ = 0;
  std::string bytes_;  // texts and encoded composites, one after the other
};

// Inline, since the translator lives in them.

[[gnu::always_inline]] inline bool KeyStore::is_at(EntityNo entity, TypeNo type,
                                                   const KeyView& wanted) const {
  const Row& row = rows_[entity];
  if (row.type != type || row.kind != static_cast<std::uint8_t>(wanted.kind_)) return false;
  return is_inline(wanted.kind_) ? rows_[entity].bits == wanted.bits_
                                 : text_of(entity) == wanted.bytes_;
}

[[gnu::always_inline]] inline bool KeyStore::is_at(EntityNo entity, TypeNo type,
                                                   const KeyDigest& wanted) const {
  const Row& row = rows_[entity];
  return row.type == type && row.kind == static_cast<std::uint8_t>(wanted.kind_) &&
         rows_[entity].bits == wanted.bits_;
}

[[gnu::always_inline]] inline KeyIndex::Place KeyStore::place_of(std::uint64_t hash, TypeNo type,
                                                                 const KeyView& key) const {
  return index_.find(hash, [&](EntityNo entity) { return is_at(entity, type, key); });
}

[[gnu::always_inline]] inline EntityNo KeyStore::find(TypeNo type, const KeyView& key) const {
  const KeyIndex::Place place = place_of(hash_of(type, key), type, key);
  return place.is_there() ? index_.at(place) : kNoEntity;
}

// Precondition: the key leads nowhere yet.
[[gnu::always_inline]] inline void KeyStore::lead(std::uint64_t hash, EntityNo entity) {
  if (!index_.has_room(1, entity + 1)) [[unlikely]]
    grow_index();
  index_.add(hash, entity);
  rows_[entity].is_indexed = true;
}

[[gnu::always_inline]] inline UuidBits KeyStore::stored(const KeyView& key) {
  return is_inline(key.kind_) ? key.bits_ : store_text(key);
}

template <class Key>
[[gnu::always_inline]] inline EntityNo KeyStore::find_or_append(TypeNo type,
                                                                std::uint32_t next_number,
                                                                const Key& key, Hint hint,
                                                                bool& is_new) {
  const EntityNo next = size();
  if (!index_.has_room(1, next + 1)) [[unlikely]]
    grow_index();
  Row& row = *rows_.room(1);
  const EntityNo entity = index_.find_or_add(
      hint.hash, next, [this, type, key](EntityNo known) { return is_at(known, type, key); });
  is_new = entity == next;
  if (!is_new) return entity;
  row = {stored(key), next_number, type, static_cast<std::uint8_t>(key.kind_), true};
  kinds_ |= bit_of(key.kind_);
  rows_.added(1);
  return entity;
}

}  // namespace alfred
