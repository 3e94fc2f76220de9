#include "refs/key_store.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace alfred {
namespace {

// Makes the compiler believe that a value is used.
void keep(std::uint32_t value) { asm volatile("" : : "r"(value)); }

constexpr int kLengthBits = 24;  // of a stored text: its place and its length share 64 bits

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

KeyView KeyStore::key(EntityNo entity) const {
  const Slot& slot = slots_[entity];
  const auto kind = static_cast<KeyKind>(slot.kind);
  if (kind == KeyKind::uuid || kind == KeyKind::integer) return KeyView(kind, slot.bits, {});
  const std::size_t at = slot.bits.low >> kLengthBits;
  const std::size_t size = slot.bits.low & ((std::uint64_t{1} << kLengthBits) - 1);
  return KeyView(kind, {}, std::string_view(bytes_).substr(at, size));
}

EntityNo KeyStore::find(TypeNo type, const KeyView& key) const {
  if (indexed_ == 0) return kNoEntity;
  const std::uint32_t up1 = index_[probe(tag_of(type, key), type, key)].entity_up1;
  return up1 == 0 ? kNoEntity : up1 - 1;
}

void KeyStore::find_many(TypeNo type, std::span<const UuidBits> keys,
                         std::span<EntityNo> found) const {
  constexpr std::size_t kBatch = 32;
  std::array<Hint, kBatch> hints;
  while (!keys.empty()) {
    const std::size_t count = std::min(kBatch, keys.size());
    for (std::size_t i = 0; i < count; ++i) hints[i] = hint(type, KeyView::uuid(keys[i]));
    bring_near(std::span(hints).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t up1 =
          indexed_ == 0 ? 0 : index_[probe(hints[i].tag, type, KeyView::uuid(keys[i]))].entity_up1;
      found[i] = up1 == 0 ? kNoEntity : up1 - 1;
    }
    keys = keys.subspan(count);
    found = found.subspan(count);
  }
}

void KeyStore::bring_near(std::span<const Hint> hints) const {
  if (indexed_ == 0) return;
  std::uint32_t loaded = 0;
  for (const Hint hint : hints) loaded ^= index_[hint.tag & mask_].entity_up1;
  keep(loaded);
  for (const Hint hint : hints) {
    const std::uint32_t up1 = index_[hint.tag & mask_].entity_up1;
    loaded ^= slots_[up1 == 0 ? 0 : up1 - 1].number;
  }
  keep(loaded);
}

bool KeyStore::is_text_at(EntityNo entity, const KeyView& wanted) const {
  return key(entity).bytes_ == wanted.bytes_;
}

void KeyStore::store_text(Slot& slot, const KeyView& key) {
  slot.bits = {0, static_cast<std::uint64_t>(bytes_.size()) << kLengthBits | key.bytes_.size()};
  bytes_.append(key.bytes_);
  if (key.bytes_.size() >= 8) ++long_texts_;
}

void KeyStore::grow_index(std::size_t entities) {
  std::size_t capacity = index_.empty() ? 16 : index_.size() * 2;
  while (entities * 10 > capacity * 6) capacity *= 2;
  GrowArray<IndexSlot> old = std::move(index_);
  index_ = {};
  index_.reset_zeroed(capacity);
  mask_ = capacity - 1;
  most_indexed_ = capacity * 6 / 10;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].entity_up1 == 0) continue;
    std::size_t at = old[i].tag & mask_;
    while (index_[at].entity_up1 != 0) at = (at + 1) & mask_;
    index_[at] = old[i];
  }
}

void KeyStore::reserve(std::size_t entities) {
  slots_.reserve(entities);
  grow_index_for(entities);
}

EntityNo KeyStore::append_without_key(TypeNo type, std::uint32_t number) {
  slots_.push_back({{}, number, type, kNoKey, 0});
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
  Slot& slot = slots_[entity];
  slot.number = number;
  if (key == nullptr) {
    if (slot.kind != kNoKey && find(slot.type, this->key(entity)) == entity)
      unindex(slot.type, this->key(entity));
    slot.kind = kNoKey;
    return;
  }
  store(slot, *key);
  grow_index_for(indexed_ + 1);
  const std::uint32_t tag = tag_of(slot.type, *key);
  IndexSlot& place = index_[probe(tag, slot.type, *key)];
  if (place.entity_up1 == 0) ++indexed_;
  place = {tag, entity + 1};
}

// Linear probing's removal: the slots after the hole move back where their probes still find them.
void KeyStore::unindex(TypeNo type, const KeyView& key) {
  std::size_t hole = probe(tag_of(type, key), type, key);
  --indexed_;
  for (std::size_t at = (hole + 1) & mask_; index_[at].entity_up1 != 0; at = (at + 1) & mask_) {
    const std::size_t home = index_[at].tag & mask_;
    if (((at - home) & mask_) < ((at - hole) & mask_)) continue;
    index_[hole] = index_[at];
    hole = at;
  }
  index_[hole] = {0, 0};
}

void KeyStore::lead_to(EntityNo entity) {
  const KeyView held = key(entity);
  const std::uint32_t tag = tag_of(type(entity), held);
  IndexSlot& place = index_[probe(tag, type(entity), held)];
  if (place.entity_up1 == 0) ++indexed_;
  place = {tag, entity + 1};
}

void KeyStore::pop(EntityNo former) {
  const EntityNo last = size() - 1;
  if (has_key(last)) {
    if (former != kNoEntity)
      lead_to(former);
    else if (find(type(last), key(last)) == last)
      unindex(type(last), key(last));
  }
  slots_.pop_back();
}

std::size_t KeyStore::memory_bytes() const {
  return slots_.memory_bytes() + index_.memory_bytes() + bytes_.capacity();
}

}  // namespace alfred
