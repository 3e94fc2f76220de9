// For tests only: the door to a key's content, and short ways to make keys.
#pragma once

#include <string>
#include <string_view>

#include "refs/keys/record_key.h"
#include "refs/registry/registry_json.h"

namespace alfred {

struct KeyDoorForTests {
  static KeyDoor door() { return KeyDoor(); }
  static std::string literal(const RefRegistry& registry, std::uint32_t number) {
    return std::string(registry.literals().text(number, door()));
  }
  static std::string for_people(const KeyView& key) {
    return RegistryJson::key_for_people(key, KeysForPeople());
  }
  static UuidBits bits(const KeyView& key) { return key.bits(door()); }
  static std::string bytes(const KeyView& key) { return std::string(key.bytes(door())); }

  // The key as the database writes it; a composite's parts joined by |.
  static std::string text(const RecordKey& key) {
    if (key.kind() == KeyKind::uuid) return uuid_text(bits(key.view()), door());
    if (key.kind() == KeyKind::text) return bytes(key.view());
    if (key.kind() == KeyKind::integer)
      return std::to_string(static_cast<std::int64_t>(bits(key.view()).high));
    std::string joined;
    for (const RecordKey& part : key.parts()) joined += (joined.empty() ? "" : "|") + text(part);
    return joined;
  }
};

// Distinct uuids for distinct numbers.
inline RecordKey uuid_key(std::uint64_t number) {
  return RecordKey::uuid({(number + 1) * 0x9e3779b97f4a7c15ULL, ~number * 0xd6e8feb86659fd93ULL});
}

}  // namespace alfred
