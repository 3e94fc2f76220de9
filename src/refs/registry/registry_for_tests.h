// For tests only: a registry with a few types, and short ways to drive and compare it.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "refs/keys/key_door_for_tests.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

struct Shelf {
  RefRegistry registry;
  TypeNo book = registry.type_named("book", "books").value();
  TypeNo author = registry.type_named("author", "authors").value();

  explicit Shelf(RefLimits limits = {}) : registry(limits) {}

  EntityNo read(std::uint64_t key, std::string_view label = {}) {
    const EntityNo entity = registry.register_read(book, uuid_key(key).view()).value();
    if (!label.empty()) registry.set_label(entity, label);
    return entity;
  }
  EntityNo generate(std::string_view label = "Cats", ArtifactPlace place = {1, 0}) {
    return registry.register_generated(book, label, place).value();
  }
  Result<EntityNo> save(std::string_view gen_ref, std::uint64_t key) {
    return registry.register_created(book, uuid_key(key).view(), gen_ref);
  }
  std::string ref(EntityNo entity) const { return std::string(registry.ref(entity).text()); }
  std::string ref_of(std::uint64_t key) const {
    const EntityNo entity = registry.find("book", uuid_key(key).view());
    return entity == kNoEntity ? "none" : ref(entity);
  }
  RefStatus status(std::string_view text) const { return registry.status(registry.find(text)); }
  ErrorCode resolve_error(std::string_view text, std::string_view type = "book") const {
    const Result<EntityNo> found = registry.resolve(text, type);
    EXPECT_FALSE(found) << text;
    return found ? ErrorCode::bug : found.error().code;
  }
};

// Everything a registry can be asked, as text; two registries are equal when this is.
inline std::string picture(const RefRegistry& registry) {
  std::string out = "turn " + std::to_string(registry.turn()) + "\n";
  for (std::size_t i = 0; i < registry.type_count(); ++i) {
    const auto type = static_cast<TypeNo>(i);
    out += std::string(registry.type_name(type)) + " of " + std::string(registry.table_of(type)) +
           " " + std::to_string(registry.counter(type, false)) + "/" +
           std::to_string(registry.counter(type, true)) + "\n";
  }
  for (EntityNo i = 0; i < registry.size(); ++i) {
    const RefEntry entry = registry.entry(i);
    out += std::string(entry.ref.text()) + "=" +
           (entry.alias ? std::string(entry.alias->text()) : "-") + " [" +
           (entry.key ? KeyDoorForTests::text(*entry.key) : "-") + "] " + entry.label + " " +
           std::string(status_name(entry.status)) + " " + std::string(origin_name(entry.origin)) +
           " " + std::to_string(entry.turn_created) + "," +
           std::to_string(entry.turn_last_referenced) + "," +
           std::to_string(entry.turn_promoted.value_or(0)) + " " +
           (entry.place
                ? std::to_string(entry.place->step) + "." + std::to_string(entry.place->artifact)
                : "-") +
           " '" + entry.last_referenced_phrase + "' '" + entry.retention_reason + "'";
    if (entry.key) {
      const EntityNo led = registry.find(entry.ref.type(), entry.key->view());
      out += " key→" + std::string(registry.ref(led).text());
    }
    out += registry.find(entry.ref.text()) == i ? "\n" : " LOST\n";
    if (entry.alias && registry.find(entry.alias->text()) != i) out += "ALIAS LOST\n";
  }
  for (std::uint32_t n = 1; n <= registry.literals().size(); ++n)
    out += "lit " + std::string(KeyDoorForTests::literal(registry, n)) + "\n";
  return out;
}

}  // namespace alfred
