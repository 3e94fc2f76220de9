// Understand: a message becomes signals. show · read · apply.
//
// R1 mentions are resolved here, by code, from raw text and type; one question when it is not clear who is
//    meant, and nothing is executed before its answer.
// R2 curation of refs nobody knows is ignored and noted (A25).
// R3 constraints are merged by merge_constraints().
// R4 quick mode needs high confidence, a subdomain that exists, nothing pending and nobody ambiguous.
// R5 a yes to a proposal runs the plan that was proposed, an answer to a step's question goes on with that
//    step and its batch as it was; neither is planned again (28, 29).
// R6 a look-up that is surely one leaves what waits for the user's word waiting.
#pragma once

#include "contracts/ask.h"
#include "contracts/understand_answer.h"
#include "turn/scene.h"

namespace alfred {

Result<Ask> show_understand(const Scene& scene);
void apply_understand(Scene& scene, const UnderstandAnswer& answer);

}  // namespace alfred
