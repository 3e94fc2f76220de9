// RefEntry: what the registry knows of one entity, as a value; RefChange: one thing that happened
// to a registry, as a value. Folding a registry's changes into an empty one gives the same
// registry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alfred/refs.h"
#include "refs/keys/record_key.h"

namespace alfred {

enum class RefStatus : std::uint8_t { generated, read, linked, created, updated, deleted };
enum class RefOrigin : std::uint8_t { system, user };

std::string_view status_name(RefStatus status);
std::string_view origin_name(RefOrigin origin);
std::optional<RefStatus> status_named(std::string_view name);
std::optional<RefOrigin> origin_named(std::string_view name);

// Where generated content lives until it is saved: a step's artifact.
struct ArtifactPlace {
  std::uint32_t step = 0;
  std::uint32_t artifact = 0;
  friend bool operator==(const ArtifactPlace&, const ArtifactPlace&) = default;
};

struct RefEntry {
  Ref ref;                         // the one that is shown
  std::optional<Ref> alias{};      // the gen_ ref it was saved from; valid for ever
  std::optional<RecordKey> key{};  // none while it has no row
  std::string label{};             // masked: holds no key-shaped text
  RefStatus status = RefStatus::read;
  RefOrigin origin = RefOrigin::system;
  std::optional<ArtifactPlace> place{};  // where it was generated; a row lives in the database
  std::uint32_t turn_created = 0;
  std::uint32_t turn_last_referenced = 0;
  std::optional<std::uint32_t> turn_promoted{};  // the turn of its save
  std::string last_referenced_phrase{};
  std::string retention_reason{};
  friend bool operator==(const RefEntry&, const RefEntry&) = default;
};

struct TypeDeclared {
  std::string type;
  std::string table;                    // empty: none yet
  std::optional<std::string> called{};  // none: as the type is (RefRegistry::find_called)
  std::vector<std::string> key{};       // the columns of the table's key; empty: not known yet
  friend bool operator==(const TypeDeclared&, const TypeDeclared&) = default;
};
struct EntityRegistered {
  RefEntry entry;
  friend bool operator==(const EntityRegistered&, const EntityRegistered&) = default;
};
struct EntityChanged {
  Ref was;  // how it was shown until now
  RefEntry entry;
  friend bool operator==(const EntityChanged&, const EntityChanged&) = default;
};
struct LiteralAdded {
  std::string text;
  friend bool operator==(const LiteralAdded&, const LiteralAdded&) = default;
};
struct TurnBegun {
  std::uint32_t turn = 0;
  friend bool operator==(const TurnBegun&, const TurnBegun&) = default;
};

using RefChange =
    std::variant<TypeDeclared, EntityRegistered, EntityChanged, LiteralAdded, TurnBegun>;
using RefChanges = std::vector<RefChange>;

}  // namespace alfred
