// What a turn reads before anybody is asked: the background tier of D26, the user's profile and
// fresh counts.
//
// R1 one bounded read per subdomain in play: the message's words say which; none: the goal's.
// R2 counts are read in every turn, so they are never older than the last write.
// R3 a read that fails brings nothing; the turn goes on.
#pragma once

#include "turn/scene.h"

namespace alfred {

void call_for_background(Scene& scene);
// What such a call brought; none: nothing.
std::optional<Change> background_in(const Scene& scene, const RecordCall& call,
                                    const CallOutcome& outcome);

// What always holds for the user, by the row about them.
std::vector<Constraint> permanent_of(const Pack& pack, const JsonObject& row);

}  // namespace alfred
