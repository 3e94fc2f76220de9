// What an ask's facts hold beyond refs and labels for an interpreter that answers from them alone:
// the clock, what the message answers, who is meant, what the steps brought.
//
// R1 nothing that the node's prompt does not show (sight.h): rows and artifacts for Act, without ids for Reply.
// R2 only where the session's settings ask for it; a model reads the prompt.
#pragma once

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

Result<void> add_answer_facts(const Scene& scene, Ask& ask);
// A row without its ref, links as labels: what a person may be shown.
Json without_ids(const Json& json);

}  // namespace alfred
