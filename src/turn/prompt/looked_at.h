// Rows that a turn only looked at: "it" means what the user or the reply named, or what was
// changed, not what was read on the way.
//
// R1 of a turn with a write, those rows that it read, did not change, and nobody named: they were candidates,
//    and no pronoun or place in a list means them.
// R2 of a turn without one, those that nobody named, and what they lead to, where others of their type were: "it"
//    does not mean them, "them" still does.
// R3 a row is named where its label stands in the message or in the reply, or where the message spoke of it; one
//    without a label where the names of all that it leads to do.
// R4 a turn lists what it made, and without a write what it read and its reply named; the last one that lists
//    two or more counts.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "state/resolve_mention.h"
#include "turn/scene.h"

namespace alfred {

LookedAt looked_at(const Scene& scene);
// R4: those of the type in their order, by the refs they have now; empty: there was no list.
std::vector<std::string> listed_last(const Scene& scene, std::string_view type);

}  // namespace alfred
