// What a registry can be asked. What changes it stands in ref_operations.cc and ref_fold.cc.
#include "refs/registry/ref_registry.h"

#include <algorithm>
#include <array>
#include <bit>

#include <sys/random.h>

namespace alfred {
namespace {

constexpr std::array<std::string_view, 6> kStatusNames{"generated", "read",    "linked",
                                                       "created",   "updated", "deleted"};
constexpr std::array<std::string_view, 2> kOriginNames{"system", "user"};

template <class Enum, std::size_t N>
std::optional<Enum> value_named(const std::array<std::string_view, N>& names,
                                std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

// Not a secret that must be strong, only one that a database's content cannot have been made for.
std::uint64_t fresh_hash_seed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed)
    seed = reinterpret_cast<std::uintptr_t>(&seed);
  return seed;
}

// The number a ref ends with, and how many bytes of type stand before it and its underscore.
struct NumberAtEnd {
  std::uint32_t number = 0;
  std::size_t name_size = 0;
};

// The value of eight digits, the first in the lowest byte, each 0 to 9: pairs, then the first and
// third pair and the second and fourth at the same time.
std::uint32_t value_of_digits(std::uint64_t digits) {
  constexpr std::uint64_t kTwoPairs = 0x000000ff000000ffULL;
  constexpr std::uint64_t kOddPairs = 100 | 1'000'000ULL << 32;
  constexpr std::uint64_t kEvenPairs = 1 | 10'000ULL << 32;
  const std::uint64_t pairs = digits * 10 + (digits >> 8);
  const std::uint64_t sum =
      (pairs & kTwoPairs) * kOddPairs + (pairs >> 16 & kTwoPairs) * kEvenPairs;
  return static_cast<std::uint32_t>(sum >> 32);
}

// Looks at the last eight bytes together; a ninth digit is rare.
[[gnu::always_inline]] inline bool read_number_at_end(std::string_view text, NumberAtEnd& end) {
  constexpr std::uint64_t kEach = 0x0101010101010101ULL;
  const std::size_t size = text.size();
  const std::uint64_t word = size >= 8  ? word_of(text.data() + size - 8, 8)
                             : size < 3 ? 0
                                        : word_of(text.data(), size) << (8 * (8 - size));
  const std::uint64_t digits = word ^ (kEach * '0');
  // The high bit of every byte that is no digit.
  const std::uint64_t others =
      (((digits & (kEach * 0x7f)) + kEach * (0x80 - 10)) | digits) & (kEach * 0x80);
  std::size_t count = static_cast<std::size_t>(std::countl_zero(others)) / 8;
  if (count == 0) return false;
  const std::size_t shift = 64 - 8 * count;
  std::uint32_t first = static_cast<unsigned char>(digits >> shift);
  end.number = value_of_digits(digits >> shift << shift);
  if (count == 8 && size > 8 && text[size - 9] >= '0' && text[size - 9] <= '9') [[unlikely]] {
    first = static_cast<std::uint32_t>(text[size - 9] - '0');
    end.number += first * 100'000'000;
    count = 9;
  }
  if (first == 0 || size < count + 2 || text[size - count - 1] != '_') return false;
  end.name_size = size - count - 1;
  return true;
}

}  // namespace

std::string_view status_name(RefStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}
std::string_view origin_name(RefOrigin origin) {
  return kOriginNames[static_cast<std::size_t>(origin)];
}
std::optional<RefStatus> status_named(std::string_view name) {
  return value_named<RefStatus>(kStatusNames, name);
}
std::optional<RefOrigin> origin_named(std::string_view name) {
  return value_named<RefOrigin>(kOriginNames, name);
}

RefRegistry::RefRegistry() : RefRegistry(RefLimits{}) {}
RefRegistry::RefRegistry(RefLimits limits)
    : limits_{std::min(limits.max_entities, Ref::kMaxNumber),
              std::min(limits.max_literals, Ref::kMaxNumber)},
      keys_(fresh_hash_seed()) {}

std::size_t RefRegistry::live_count() const {
  std::size_t count = 0;
  for (EntityNo entity = 0; entity < size(); ++entity)
    if (status(entity) != RefStatus::deleted) ++count;
  return count;
}

// A ref by its grammar, but for its type: whether that is one is known from those there are.
[[gnu::always_inline]] inline NumberedEntities::Entry RefRegistry::number_entry(
    std::string_view ref_text) const {
  NumberAtEnd end;
  if (!read_number_at_end(ref_text, end)) return NumberedEntities::nobody();
  std::string_view name = ref_text.substr(0, end.name_size);
  std::uint32_t type = type_names_.find(name);
  bool is_generated = false;
  if (type == TypeNames::kNone) [[unlikely]] {  // no type begins with gen_ or ref_
    is_generated = name.starts_with("gen_");
    if (!is_generated && !name.starts_with("ref_")) return NumberedEntities::nobody();
    type = type_names_.find(name.substr(4));
    if (type == TypeNames::kNone) return NumberedEntities::nobody();
  }
  const Type& known = types_[type];
  return (is_generated ? known.generated : known.saved).entry(end.number);
}

EntityNo RefRegistry::find(std::string_view ref_text) const {
  return number_entry(ref_text).entity();
}

void RefRegistry::at_many(TypeNo type, std::span<const std::uint32_t> numbers,
                          std::span<EntityNo> found) const {
  for (std::size_t i = 0; i < numbers.size(); ++i) found[i] = at(type, numbers[i]);
  keys_.bring_near(found.first(numbers.size()));
}

// Texts are read first, then all the memory they lead to at the same time.
void RefRegistry::find_many(std::span<const std::string_view> ref_texts,
                            std::span<EntityNo> found) const {
  std::array<NumberedEntities::Entry, KeyStore::kMostHints> entries;
  while (!ref_texts.empty()) {
    const std::size_t count = std::min(entries.size(), ref_texts.size());
    for (std::size_t i = 0; i < count; ++i) entries[i] = number_entry(ref_texts[i]);
    for (std::size_t i = 0; i < count; ++i) found[i] = entries[i].entity();
    keys_.bring_near(found.first(count));
    ref_texts = ref_texts.subspan(count);
    found = found.subspan(count);
  }
}

EntityNo RefRegistry::find(std::string_view type, const KeyView& key) const {
  const std::optional<TypeNo> number = find_type(type);
  return number ? keys_.find(*number, key) : kNoEntity;
}

Ref RefRegistry::ref(EntityNo entity) const {
  return Ref::make(type_of(entity), keys_.number(entity), !keys_.has_key(entity));
}

std::string_view RefRegistry::label(EntityNo entity) const {
  return {labels_.begin() + facts_[entity].label_at, facts_[entity].label_size};
}

std::string_view RefRegistry::retention_reason(EntityNo entity) const {
  const auto found = rarities_.find(entity);
  return found == rarities_.end() ? std::string_view() : found->second.retention_reason;
}

std::string_view RefRegistry::last_referenced_phrase(EntityNo entity) const {
  const auto found = rarities_.find(entity);
  return found == rarities_.end() ? std::string_view() : found->second.last_referenced_phrase;
}

RefEntry RefRegistry::entry(EntityNo entity) const {
  const Facts& facts = facts_[entity];
  RefEntry entry{.ref = ref(entity),
                 .alias = {},
                 .key = {},
                 .label = std::string(label(entity)),
                 .status = facts.status,
                 .origin = facts.origin,
                 .place = {},
                 .turn_created = facts.turn_created,
                 .turn_last_referenced = facts.turn_last_referenced,
                 .turn_promoted = {},
                 .last_referenced_phrase = {},
                 .retention_reason = {}};
  if (keys_.has_key(entity)) entry.key = RecordKey(keys_.key(entity));
  const auto found = rarities_.find(entity);
  if (found == rarities_.end()) return entry;
  const Rarities& rare = found->second;
  entry.place = rare.place;
  entry.turn_promoted = rare.turn_promoted;
  entry.last_referenced_phrase = rare.last_referenced_phrase;
  entry.retention_reason = rare.retention_reason;
  if (rare.generated_number && keys_.has_key(entity))
    entry.alias = Ref::make(type_of(entity), *rare.generated_number, true);
  return entry;
}

std::optional<TypeNo> RefRegistry::find_type(std::string_view name) const {
  const std::uint32_t type = type_names_.find(name);
  if (type == TypeNames::kNone) return std::nullopt;
  return static_cast<TypeNo>(type);
}

std::optional<TypeNo> RefRegistry::find_called(std::string_view called) const {
  const auto found = type_by_called_.find(called);
  return found == type_by_called_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TypeNo> RefRegistry::find_table(std::string_view table) const {
  const auto found = type_by_table_.find(table);
  return found == type_by_table_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t RefRegistry::counter(TypeNo type, bool of_generated) const {
  const Type& known = types_[type];
  return static_cast<std::uint32_t>(of_generated ? known.generated.size() : known.saved.size());
}

std::size_t RefRegistry::mapping_bytes() const {
  std::size_t bytes = keys_.memory_bytes();
  for (const Type& type : types_)
    bytes += type.saved.memory_bytes() + type.generated.memory_bytes();
  return bytes;
}

}  // namespace alfred
