// Who sees what: 003's three tables as one table in code. Everything a node is shown passes here.
// Act sees what is retained as refs and labels (D24), and the last turn's steps (002's previous
// turn, D17), where 003 shows neither.
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
  EntitySight active = EntitySight::nothing;
  EntitySight generated = EntitySight::nothing;
  EntitySight retained = EntitySight::nothing;
  bool background = false;
  // Layer 2: conversation.
  bool recent = false;
  bool summary = false;
  bool engagement = false;
  bool pending = false;
  // Layer 3: reasoning.
  bool last_turn_steps = false;
  bool current_steps = false;
  bool curation = false;
  bool phase = false;
};

// What a row does not name, the node does not see. Act Quick sees what Act sees; Summarize sees the
// conversation, since it writes it down.
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
     .curation = true},
    {.node = Node::think,
     .active = EntitySight::refs_and_labels,
     .generated = EntitySight::refs_and_labels,
     .retained = EntitySight::refs,
     .recent = true,
     .summary = true,
     .engagement = true,
     .pending = true,
     .last_turn_steps = true,
     .curation = true,
     .phase = true},
    {.node = Node::act,
     .active = EntitySight::full,
     .generated = EntitySight::full,
     .retained = EntitySight::refs_and_labels,
     .recent = true,
     .last_turn_steps = true,
     .current_steps = true},
    {.node = Node::act_quick,
     .active = EntitySight::full,
     .generated = EntitySight::full,
     .retained = EntitySight::refs_and_labels,
     .recent = true,
     .last_turn_steps = true,
     .current_steps = true},
    {.node = Node::reply,
     .active = EntitySight::labels,
     .generated = EntitySight::labels,
     .recent = true,
     .engagement = true,
     .pending = true,
     .current_steps = true,
     .phase = true},
    {.node = Node::summarize,
     .recent = true,
     .summary = true,
     .engagement = true,
     .current_steps = true},
}};

constexpr const Sight& sight_of(Node node) { return kSight[static_cast<std::size_t>(node)]; }

}  // namespace alfred
