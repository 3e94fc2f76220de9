// Reading what a model answered, for every node that answers in JSON.
//
// R1 an answer that was cut is not read (A5).
// R2 key-shaped text in it is masked before anything else sees it (prompt/masking.h).
// R3 what was passed over is noted in the journal (A13, A14, A28).
// R4 bytes that are no text are kept in the journal, escaped, and are no answer (A9).
// R5 a number of an act that reading would round is refused, for it may be meant for a row (C10).
#pragma once

#include <span>

#include "base/decimal.h"
#include "base/utf8.h"
#include "context/shown_text.h"
#include "contracts/contract.h"
#include "turn/prompt/masking.h"
#include "turn/scene.h"

namespace alfred {

// R4. What a journal can hold of an answer: bytes that are no text are escaped, and it says so.
inline constexpr std::string_view kNoText = "[not UTF-8] ";
inline Answer storable(const Answer& answer) {
  if (is_utf8(answer.text)) return answer;
  return {answer.ask, std::string(kNoText) + visible_text(answer.text), answer.finish};
}

// Whether the one fault so far is that the answer was cut: then it is asked for once more with more
// room (A5).
inline bool was_cut(std::span<const CallError> faults) {
  return faults.size() == 1 && faults.front().code == error_name(ErrorCode::answer_cut);
}

template <class T>
Result<T> read_node_answer(Scene& scene, Node node, const Answer& answer) {
  if (answer.finish == FinishReason::length)
    return fail(ErrorCode::answer_cut, "The answer was cut off. Answer again, shorter.");
  if (answer.text.starts_with(kNoText))
    return fail(ErrorCode::utf8, "The answer is no UTF-8 text. Answer with the one JSON object.");
  const Result<Json> json = answer_json(answer.text, JsonLimits::model_output());
  if (!json) return Unexpected(json.error());
  if (node == Node::act || node == Node::act_quick)  // R5
    if (Result<void> kept = check_digits(answer.text); !kept) return Unexpected(kept.error());
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
