// Reply: what happened, told to the user by a witness. show · apply.
//
// R1 it sees this turn's rows and artifacts whole, in labels, ids stripped (D24); the status block is the
//    ledger's.
// R2 what the model says is kept to the ledger by checked_reply().
// R3 without a usable answer the reply is what was found and the status block; a turn is never without one.
#pragma once

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

Result<Ask> show_reply(const Scene& scene);
void apply_reply(Scene& scene, const Answer& answer);
// R3.
void reply_without_model(Scene& scene);

}  // namespace alfred
