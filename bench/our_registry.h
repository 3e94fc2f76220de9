// Our registry as the comparison asks it. Callers hold a key as it was read, a ref as type and
// number where it was parsed before, and as text where a model wrote it.
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include "refs/registry/ref_registry.h"
#include "registry_subject.h"

namespace alfred::bench {

class OurRegistry {
 public:
  using KeyForm = UuidBits;
  using RefForm = std::uint32_t;
  using TextForm = ShortText;
  static KeyForm key_form(const Key& key) {
    UuidBits bits;
    std::memcpy(&bits, key.data(), sizeof bits);
    return bits;
  }
  static RefForm ref_form(std::uint32_t number) { return number; }
  static TextForm text_form(std::uint32_t number) { return ShortText::of_ref(number); }

  OurRegistry() : type_(*registry_.type_named("book", "books")) {}
  void add(UuidBits key) { entered_ += *registry_.register_read(type_, KeyView::uuid(key)); }
  // As the translation of rows does it: where to look is said for all, then all are entered.
  void add_all(std::span<const UuidBits> keys) {
    std::array<KeyStore::Hint, kBatch> hints;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      hints[i] = registry_.keys().hint(type_, KeyView::uuid(keys[i]));
      registry_.keys().expect(hints[i]);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
      entered_ += registry_.enter(type_, KeyDigest(KeyView::uuid(keys[i])), hints[i], true);
  }
  std::uint64_t by_key(UuidBits key) const {
    return registry_.number(type_, registry_.keys().find(type_, KeyView::uuid(key)));
  }
  std::uint64_t by_ref(std::uint32_t number) const {
    return something_of_key(registry_.at(type_, number));
  }
  std::uint64_t by_text(const ShortText& ref) const {
    return something_of_key(registry_.find(ref.view()));
  }

  std::uint64_t by_keys(std::span<const UuidBits> keys) const {
    std::array<EntityNo, kBatch> found;
    registry_.keys().find_many(type_, keys, found);
    std::uint64_t sum = 0;
    for (const EntityNo entity : found) sum += registry_.number(type_, entity);
    return sum;
  }
  std::uint64_t by_refs(std::span<const std::uint32_t> numbers) const {
    std::array<EntityNo, kBatch> found;
    registry_.at_many(type_, numbers, found);
    return something_of_keys(found);
  }
  std::uint64_t by_texts(std::span<const ShortText> refs) const {
    std::array<std::string_view, kBatch> texts;
    std::array<EntityNo, kBatch> found;
    for (std::size_t i = 0; i < kBatch; ++i) texts[i] = refs[i].view();
    registry_.find_many(texts, found);
    return something_of_keys(found);
  }
  std::size_t bytes() const { return registry_.mapping_bytes(); }

 private:
  // Keys do not come out here; their hash does, which is made of all of their bytes.
  std::uint64_t something_of_key(EntityNo entity) const {
    return registry_.keys().hint(type_, registry_.keys().key(entity)).hash;
  }
  std::uint64_t something_of_keys(std::span<const EntityNo> entities) const {
    std::uint64_t sum = 0;
    for (const EntityNo entity : entities) sum += something_of_key(entity);
    return sum;
  }

  friend class OurMixedRegistry;
  RefRegistry registry_;
  TypeNo type_;
  std::uint64_t entered_ = 0;
};

// The same when a row of another table comes between every twenty: numbers and entities do not
// count up together.
class OurMixedRegistry : public OurRegistry {
 public:
  void add(UuidBits key) {
    if (++rows_ % kEvery == 0)
      entered_ += *registry_.register_read(other_, KeyView::uuid({key.low, key.high}));
    OurRegistry::add(key);
  }

 private:
  static constexpr std::uint32_t kEvery = 20;
  TypeNo other_ = *registry_.type_named("shelf", "shelves");
  std::uint32_t rows_ = 0;
};

}  // namespace alfred::bench
