// What a registry can be asked. What changes it stands in ref_operations.cc and ref_fold.cc.
#include "refs/ref_registry.h"

#include <algorithm>
#include <array>

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
EntityNo RefRegistry::find(std::string_view ref_text) const {
  std::uint32_t number = 0;
  std::size_t at = ref_text.size();
  for (std::uint32_t power = 1; at > 0 && ref_text[at - 1] != '_'; power *= 10) {
    const auto digit = static_cast<std::uint32_t>(static_cast<unsigned char>(ref_text[--at])) - '0';
    if (digit > 9 || ref_text.size() - at > 9) return kNoEntity;
    number += digit * power;
  }
  if (at == 0 || at == ref_text.size() || ref_text[at] == '0') return kNoEntity;
  std::string_view type = ref_text.substr(0, at - 1);
  const bool is_generated = type.starts_with("gen_");
  if (is_generated || type.starts_with("ref_")) type.remove_prefix(4);
  const auto found = type_by_name_.find(type);
  if (found == type_by_name_.end()) return kNoEntity;
  const Type& known = types_[found->second];
  const GrowArray<EntityNo>& numbers = is_generated ? known.generated : known.saved;
  return number > numbers.size() ? kNoEntity : numbers[number - 1];
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
  const auto found = type_by_name_.find(name);
  if (found == type_by_name_.end()) return std::nullopt;
  return found->second;
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
