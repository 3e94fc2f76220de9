// Act: one step is carried out, one action at a time. show (act_prompt.h) · read · apply.
//
// R1 an answer that cannot be used goes back with its error, at most repairs_per_step times; then the step is
//    blocked (A1–A15).
// R2 a tool call becomes a record call; more than tool_calls_per_step, or the same call with the same result
//    repeated_calls times, blocks the step (A22, A23).
// R3 a completion that the writer refuses goes back; after three the step is blocked, never completed (A19).
// R4 a read step reads; changes are for write steps.
// R5 a write step without a manifest gets one: what the message means, else what this turn made and nobody
//    saved (D13).
#pragma once

#include "contracts/act_answer.h"
#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

void start_step(Scene& scene, std::uint32_t step);
void apply_act(Scene& scene, std::uint32_t step, const Answer& answer);
void apply_act_quick(Scene& scene, const Answer& answer);
// After the outcome of a call of this step was told.
void look_at_result(Scene& scene, std::uint32_t step);

// The plan of a quick look-up: one read step.
void plan_quick(Scene& scene);

}  // namespace alfred
