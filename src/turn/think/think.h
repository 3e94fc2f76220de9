// Think: signals become a plan, a proposal or a question. show · read · apply.
//
// R1 a plan is checked before anything runs (check_plan); what it says of batches becomes manifests.
// R2 where it declares none, code makes the manifest: what is unsaved or meant for a write, the stated count
//    for a generate (D13).
// R3 a proposal keeps its plan; the user's yes runs that plan (understand.h).
// R4 what was found in the background only is not changed before the user said so.
// R5 a message that nobody typed (contracts/wake_up.h) may need nothing but to be told: its plan may be empty.
#pragma once

#include "contracts/ask.h"
#include "contracts/think_answer.h"
#include "turn/scene.h"

namespace alfred {

Result<Ask> show_think(const Scene& scene);
// Error: plan, batch_count, batch_dup; nothing changed.
Result<void> apply_think(Scene& scene, const ThinkAnswer& answer);

}  // namespace alfred
