#include "refs/keys/key_store.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace alfred {
namespace {

// Makes the compiler believe that a value is used.
void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }

}  // namespace

std::uint64_t KeyStore::hash_bytes(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = seed ^ (bytes.size() * kOddA);
  while (bytes.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash = mix(hash ^ word, kOddB ^ seed);
    bytes.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  return mix(hash ^ rest, kOddA ^ seed);
}

void KeyStore::find_many(TypeNo type, std::span<const UuidBits> keys,
                         std::span<EntityNo> found) const {
  std::array<Hint, kMostHints> hints;
  while (!keys.empty()) {
    const std::size_t count = std::min(kMostHints, keys.size());
    for (std::size_t i = 0; i < count; ++i) hints[i] = hint(type, KeyView::uuid(keys[i]));
    load_likely(std::span(hints).first(count), found.data());
    for (std::size_t i = 0; i < count; ++i)
      if (found[i] == kNoEntity || !is_at(found[i], type, KeyView::uuid(keys[i]))) [[unlikely]]
        found[i] = find(type, KeyView::uuid(keys[i]));
    keys = keys.subspan(count);
    found = found.subspan(count);
  }
}

void KeyStore::bring_near(std::span<const Hint> hints) const {
  std::array<EntityNo, kMostHints> likely;
  load_likely(hints, likely.data());
}

[[gnu::always_inline]] inline void KeyStore::load_likely(std::span<const Hint> hints,
                                                         EntityNo* likely) const {
  if (index_.is_empty()) {
    std::fill_n(likely, hints.size(), kNoEntity);
    return;
  }
  std::uint64_t loaded = 0;
  for (const Hint hint : hints) loaded ^= index_.first_byte(hint.hash);
  keep(loaded);
  for (std::size_t i = 0; i < hints.size(); ++i) likely[i] = index_.likely(hints[i].hash);
  for (std::size_t i = 0; i < hints.size(); ++i) {
    // One that is new has nothing to bring near; some entity is always there.
    const EntityNo entity = likely[i] == kNoEntity ? 0 : likely[i];
    loaded ^= rows_[entity].bits.high ^ rows_[entity].number;
  }
  keep(loaded);
}

void KeyStore::bring_near(std::span<const EntityNo> entities) const {
  std::uint64_t loaded = 0;
  for (const EntityNo entity : entities)
    if (entity < rows_.size()) loaded ^= rows_[entity].bits.high ^ rows_[entity].bits.low;
  keep(loaded);
}

UuidBits KeyStore::store_text(const KeyView& key) {
  const std::uint64_t at = bytes_.size();
  bytes_.append(key.bytes_);
  if (key.bytes_.size() >= 8) ++long_texts_;
  return {0, at << kLengthBits | key.bytes_.size()};
}

// Twice as large, and four times once it is larger than a processor keeps near, where entering
// all of them again costs most; unless slots that could not be given back are what fills it.
void KeyStore::grow_index() {
  constexpr std::size_t kFarBytes = std::size_t{1} << 20;
  const std::size_t known = index_.size();
  reserve_index(index_.memory_bytes() < kFarBytes ? known + known / 4 + 1 : 3 * known);
}

void KeyStore::reserve_index(std::size_t entities) {
  index_.reset(entities, static_cast<EntityNo>(std::max<std::size_t>(entities, size())));
  std::array<std::uint64_t, kMostHints> hashes;
  for (EntityNo from = 0; from < size(); from += kMostHints) {
    const EntityNo count = std::min<EntityNo>(kMostHints, size() - from);
    std::uint64_t loaded = 0;  // the lines to be written, all at the same time
    for (EntityNo i = 0; i < count; ++i) {
      const EntityNo entity = from + i;
      if (rows_[entity].is_indexed) hashes[i] = hash_of(type(entity), key(entity));
      if (rows_[entity].is_indexed) loaded ^= index_.first_byte(hashes[i]);
    }
    keep(loaded);
    for (EntityNo i = 0; i < count; ++i)
      if (rows_[from + i].is_indexed) index_.add(hashes[i], from + i);
  }
}

void KeyStore::reserve(std::size_t entities) {
  rows_.reserve(entities);
  if (entities > index_.size() &&
      !index_.has_room(entities - index_.size(), static_cast<EntityNo>(entities)))
    reserve_index(entities);
}

EntityNo KeyStore::append_without_key(TypeNo type, std::uint32_t number) {
  rows_.push_back({{}, number, type, kNoKey, false});
  return size() - 1;
}

EntityNo KeyStore::append(TypeNo type, std::uint32_t number, const KeyView& key, EntityNo& former) {
  former = kNoEntity;
  const EntityNo entity = append_without_key(type, number);
  const EntityNo holder = find(type, key);
  set_key(entity, number, &key);
  former = holder;
  return entity;
}

void KeyStore::set_key(EntityNo entity, std::uint32_t number, const KeyView* key) {
  Row& row = rows_[entity];
  row.number = number;
  if (row.is_indexed) unindex(entity);
  if (key == nullptr) {
    row.kind = kNoKey;
    return;
  }
  ++late_keys_;
  row.kind = static_cast<std::uint8_t>(key->kind_);
  kinds_ |= bit_of(key->kind_);
  rows_[entity].bits = stored(*key);
  lead_to(entity);
}

void KeyStore::unindex(EntityNo entity) {
  const KeyView held = key(entity);
  index_.remove(place_of(hash_of(type(entity), held), type(entity), held));
  rows_[entity].is_indexed = false;
}

void KeyStore::lead_to(EntityNo entity) {
  const KeyView held = key(entity);
  const std::uint64_t hash = hash_of(type(entity), held);
  const KeyIndex::Place place = place_of(hash, type(entity), held);
  if (!place.is_there()) return lead(hash, entity);
  rows_[index_.at(place)].is_indexed = false;
  rows_[entity].is_indexed = true;
  index_.put(place, entity);
}

void KeyStore::pop(EntityNo former) {
  const EntityNo last = size() - 1;
  if (has_key(last) && former != kNoEntity)
    lead_to(former);
  else if (rows_[last].is_indexed)
    unindex(last);
  rows_.pop_back();
}

std::size_t KeyStore::memory_bytes() const {
  return rows_.memory_bytes() + index_.memory_bytes() + bytes_.capacity();
}

}  // namespace alfred
