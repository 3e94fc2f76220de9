// Who sees what: 003's three tables as one table in code. Everything a node is shown passes here.
// Act sees what is retained as refs and labels (D24), where 003 shows nothing.
#pragma once

#include <array>
#include <cstdint>

#include "contracts/node.h"

namespace alfred {

// How much of an entity a node sees.
enum class EntitySight : std::uint8_t { nothing, labels, refs, refs_and_labels, full };

struct Sight {
  Node node;
  // Layer 1: entities.
  EntitySight active;
  EntitySight generated;
  EntitySight retained;
  bool background;
  // Layer 2: conversation.
  bool recent;
  bool summary;
  bool engagement;
  bool pending;
  // Layer 3: reasoning.
  bool last_turn_steps;
  bool current_steps;
  bool curation;
  bool phase;
};

// Act Quick sees what Act sees; Summarize sees the conversation, since it writes it down.
inline constexpr std::array<Sight, 6> kSight{{
    {.node = Node::understand,
     .active = EntitySight::full,
     .generated = EntitySight::full,
     .retained = EntitySight::full,
     .background = true,
     .recent = true,
     .summary = true,
     .engagement = true,
     .pending = true,
     .last_turn_steps = false,
     .current_steps = false,
     .curation = true,
     .phase = false},
    {.node = Node::think,
     .active = EntitySight::refs_and_labels,
     .generated = EntitySight::refs_and_labels,
     .retained = EntitySight::refs,
     .background = false,
     .recent = true,
     .summary = true,
     .engagement = true,
     .pending = true,
     .last_turn_steps = true,
     .current_steps = false,
     .curation = true,
     .phase = true},
    {.node = Node::act,
     .active = EntitySight::full,
     .generated = EntitySight::full,
     .retained = EntitySight::refs_and_labels,
     .background = false,
     .recent = true,
     .summary = false,
     .engagement = false,
     .pending = false,
     .last_turn_steps = false,
     .current_steps = true,
     .curation = false,
     .phase = false},
    {.node = Node::act_quick,
     .active = EntitySight::full,
     .generated = EntitySight::full,
     .retained = EntitySight::refs_and_labels,
     .background = false,
     .recent = true,
     .summary = false,
     .engagement = false,
     .pending = false,
     .last_turn_steps = false,
     .current_steps = true,
     .curation = false,
     .phase = false},
    {.node = Node::reply,
     .active = EntitySight::labels,
     .generated = EntitySight::labels,
     .retained = EntitySight::nothing,
     .background = false,
     .recent = true,
     .summary = false,
     .engagement = true,
     .pending = true,
     .last_turn_steps = false,
     .current_steps = true,
     .curation = false,
     .phase = true},
    {.node = Node::summarize,
     .active = EntitySight::nothing,
     .generated = EntitySight::nothing,
     .retained = EntitySight::nothing,
     .background = false,
     .recent = true,
     .summary = true,
     .engagement = true,
     .pending = false,
     .last_turn_steps = false,
     .current_steps = true,
     .curation = false,
     .phase = false},
}};

constexpr const Sight& sight_of(Node node) { return kSight[static_cast<std::size_t>(node)]; }

}  // namespace alfred
