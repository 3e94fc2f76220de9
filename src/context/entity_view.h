// The entities in play, as a node sees them (003, layer 1; 002, section 12).
//
// R1 every entity stands once, under its shown ref; what a saved one was generated as is said beside it.
// R2 Understand: all tiers as tables with when and why, for curation, and the background with its reason.
//    Think: refs and labels, then what need not be read again. Reply: labels, no refs.
// R3 what is in the window with its data is named for Think, so that it plans no second read of it.
// R4 what the user changed with their own hands says so; what they deleted since the turn before is named to Understand
//    and Think, so that nobody plans with it.
#pragma once

#include <set>
#include <string>

#include "context/sight.h"
#include "state/session_state.h"

namespace alfred {

struct EntityViewInput {
  const RefRegistry& registry;
  const EntityTiers& tiers;
  const std::set<std::string, std::less<>>& with_data;  // refs whose rows are in the window
};

std::string format_entities(const EntityViewInput& input, Node node);
// Entities that a node other than Understand is shown as a list.
struct ListedEntities {
  std::vector<const EntitySnapshot*> active;
  std::vector<const EntitySnapshot*> generated;
  std::vector<const EntitySnapshot*> retained;
  bool is_empty() const { return active.empty() && generated.empty() && retained.empty(); }
};
std::string format_listed(const RefRegistry& registry, const ListedEntities& listed,
                          const Sight& sight);
// "DO NOT re-read: `book_1`, `book_2`"; empty when there is none.
std::string format_do_not_read(const EntityViewInput& input);
// The same entities as JSON, for facts.
void append_entity_facts(std::string& out, const EntityViewInput& input, Node node);
Json entity_facts(const EntityViewInput& input, Node node);

}  // namespace alfred
