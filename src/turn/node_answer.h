// Reading what a model answered, for every node that answers in JSON.
//
// R1 an answer that was cut is not read (A5).
// R2 key-shaped text in it is masked before anything else sees it (prompt/masking.h).
// R3 what was passed over is noted in the journal (A13, A14, A28).
#pragma once

#include "contracts/contract.h"
#include "turn/prompt/masking.h"
#include "turn/scene.h"

namespace alfred {

template <class T>
Result<T> read_node_answer(Scene& scene, Node node, const Answer& answer) {
  if (answer.finish == FinishReason::length)
    return fail(ErrorCode::answer_cut, "The answer was cut off. Answer again, shorter.");
  const Result<Json> json = answer_json(answer.text, JsonLimits::model_output());
  if (!json) return Unexpected(json.error());
  const Result<Json> masked = mask_answer(scene, *json);
  if (!masked) return Unexpected(masked.error());
  if (Result<void> owned = check_owned(*contract_of(node), *masked); !owned)
    return Unexpected(std::move(owned).error());
  DecodeNotes notes;
  Result<T> read = from_json<T>(*masked, notes);
  if (!notes.unknown_fields.empty() || !notes.cut_fields.empty() || !notes.repaired.empty())
    scene.tell(AnswerNoted{answer.ask, notes.unknown_fields, notes.cut_fields, notes.repaired});
  return read;
}

}  // namespace alfred
