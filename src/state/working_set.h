// Which of the entities a session knows are in play, and how (001 §5.1, §5.6; 003 layer 1). The
// registry says what exists; curation says what the user turned away from.
//
// R1 active: spoken of in this turn or the last `window`, not demoted since. generated: made and not saved,
//    whatever its age (D23). retained: older, kept by Understand with a reason. archived: all
//    others, the deleted among them. background: not spoken of, but found relevant for this
//    message.
// R2 every entity is in exactly one tier (I-25).
// R3 a demoted or dropped entity comes back when it is spoken of again in a later turn.
// R4 rows of nested tables follow their parents: they are listed with them, not on their own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/shape.h"
#include "pack/pack.h"
#include "pack/schema.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

enum class Tier : std::uint8_t { active, generated, retained, background, archived };
template <>
struct Named<Tier> {
  static constexpr std::string_view name = "Tier";
  static constexpr std::array<std::string_view, 5> names{"active", "generated", "retained",
                                                         "background", "archived"};
};

// The turn in which an entity was last turned away from, by ref.
struct TurnedAway {
  std::string ref{};
  std::uint32_t turn = 0;
  bool is_dropped = false;
  friend bool operator==(const TurnedAway&, const TurnedAway&) = default;
};
template <>
struct Described<TurnedAway> {
  static Shape make() {
    return object(
        "TurnedAway",
        {field<&TurnedAway::ref>("ref", "Which."), field<&TurnedAway::turn>("turn", "When."),
         field<&TurnedAway::is_dropped>("is_dropped", "Whether for good.")});
  }
};

// Found relevant to the message by a read of this turn (D26).
struct BackgroundEntity {
  std::string ref{};
  std::string relevance_reason{};
  friend bool operator==(const BackgroundEntity&, const BackgroundEntity&) = default;
};
template <>
struct Described<BackgroundEntity> {
  static Shape make() {
    using B = BackgroundEntity;
    return object("BackgroundEntity",
                  {field<&B::ref>("ref", "Which."),
                   field<&B::relevance_reason>("relevance_reason", "Why it is shown.")});
  }
};

struct WorkingSet {
  std::vector<TurnedAway> turned_away{};  // by ref
  std::vector<BackgroundEntity> background{};
  friend bool operator==(const WorkingSet&, const WorkingSet&) = default;

  const TurnedAway* find(std::string_view ref) const;
  void turn_away(TurnedAway what);
};
template <>
struct Described<WorkingSet> {
  static Shape make() {
    return object("WorkingSet",
                  {field<&WorkingSet::turned_away>("turned_away", "Not in play."),
                   field<&WorkingSet::background>("background", "Perhaps relevant.")});
  }
};

// One entity as a context shows it.
struct EntitySnapshot {
  EntityNo entity = kNoEntity;
  std::string ref{};
  std::string type{};
  std::string label{};
  RefStatus status = RefStatus::read;
  std::uint32_t turn_created = 0;
  std::uint32_t turn_last_ref = 0;
  std::string last_referenced_phrase{};
  std::string retention_reason{};
  std::string relevance_reason{};
};

// The entity as it is shown now.
EntitySnapshot entity_snapshot(const RefRegistry& registry, EntityNo entity);

struct EntityTiers {
  std::vector<EntitySnapshot> active{};     // newest spoken of first
  std::vector<EntitySnapshot> generated{};  // in the order they were made
  std::vector<EntitySnapshot> retained{};
  std::vector<EntitySnapshot> background{};  // as found
};

struct TierSettings {
  std::uint32_t window = 2;           // turns before this one
  std::vector<std::string> nested{};  // types of nested rows (R4)
};

// The types of rows that belong to other rows and are nothing by themselves: nested, and no
// subdomain is about them (R4).
std::vector<std::string> nested_types(const Pack& pack, const Schema& schema);

Tier tier_of(const RefRegistry& registry, const WorkingSet& set, EntityNo entity,
             std::uint32_t window);
EntityTiers entity_tiers(const RefRegistry& registry, const WorkingSet& set,
                         const TierSettings& settings);

}  // namespace alfred
