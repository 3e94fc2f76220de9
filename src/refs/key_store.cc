#include "refs/key_store.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace alfred {
namespace {

// Makes the compiler believe that a value is used.
void keep(std::uint32_t value) { asm volatile("" : : "r"(value)); }

constexpr int kLengthBits = 24;  // of a stored text: its place and its length share 64 bits
static_assert(KeyStore::kMaxKeyBytes < std::uint64_t{1} << kLengthBits);

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
  const Place place = place_of(hash_of(type, key), type, key);
  return place.is_there() ? leads_to(place) : kNoEntity;
}

void KeyStore::find_many(TypeNo type, std::span<const UuidBits> keys,
                         std::span<EntityNo> found) const {
  std::array<Hint, kMostHints> hints;
  while (!keys.empty()) {
    const std::size_t count = std::min(kMostHints, keys.size());
    for (std::size_t i = 0; i < count; ++i) hints[i] = hint(type, KeyView::uuid(keys[i]));
    bring_near(std::span(hints).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const Place place = place_of(hints[i].hash, type, KeyView::uuid(keys[i]));
      found[i] = place.is_there() ? leads_to(place) : kNoEntity;
    }
    keys = keys.subspan(count);
    found = found.subspan(count);
  }
}

void KeyStore::bring_near(std::span<const Hint> hints) const {
  if (groups_.empty()) return;
  std::uint32_t loaded = 0;
  for (const Hint hint : hints) loaded ^= groups_[group_of(hint.hash)].unused;
  keep(loaded);
  for (const Hint hint : hints) {
    const TagGroup& group = groups_[group_of(hint.hash)];
    const SlotSet same = group.with(tag_of(hint.hash));
    // One that is new has nothing to bring near; some entity is always there.
    loaded ^= slots_[same.empty() ? 0 : group.leads_to[same.first()]].number;
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

// At most four slots of five are taken: beyond that, groups overflow.
void KeyStore::grow_index(std::size_t entities) {
  std::size_t count = std::max(groups_.size(), std::size_t{1});
  while (entities * 5 > count * TagGroup::kSlots * 4) count *= 2;
  groups_.reset_zeroed(count);
  group_mask_ = count - 1;
  taken_ = 0;
  most_taken_ = count * TagGroup::kSlots * 4 / 5;
  for (EntityNo entity = 0; entity < size(); ++entity)
    if (slots_[entity].is_indexed) lead(hash_of(type(entity), key(entity)), entity);
}

void KeyStore::reserve(std::size_t entities) {
  slots_.reserve(entities);
  grow_index_for(entities);
}

EntityNo KeyStore::append_without_key(TypeNo type, std::uint32_t number) {
  slots_.push_back({{}, number, type, kNoKey, false});
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
  if (slot.is_indexed) unindex(entity);
  if (key == nullptr) {
    slot.kind = kNoKey;
    return;
  }
  ++late_keys_;
  store(slot, *key);
  lead_to(entity);
}

void KeyStore::unindex(EntityNo entity) {
  const KeyView held = key(entity);
  const Place place = place_of(hash_of(type(entity), held), type(entity), held);
  TagGroup& group = groups_[place.group];
  const bool is_full = group.with(kFree).empty();
  group.tags[place.slot] = is_full ? kLeft : kFree;
  if (!is_full) --taken_;
  slots_[entity].is_indexed = false;
}

void KeyStore::lead_to(EntityNo entity) {
  const KeyView held = key(entity);
  const std::uint64_t hash = hash_of(type(entity), held);
  if (const Place place = place_of(hash, type(entity), held); place.is_there()) {
    slots_[leads_to(place)].is_indexed = false;
    slots_[entity].is_indexed = true;
    groups_[place.group].leads_to[place.slot] = entity;
    return;
  }
  grow_index_for(taken_ + 1);
  lead(hash, entity);
}

void KeyStore::pop(EntityNo former) {
  const EntityNo last = size() - 1;
  if (has_key(last) && former != kNoEntity)
    lead_to(former);
  else if (slots_[last].is_indexed)
    unindex(last);
  slots_.pop_back();
}

std::size_t KeyStore::memory_bytes() const {
  return slots_.memory_bytes() + groups_.memory_bytes() + bytes_.capacity();
}

}  // namespace alfred
