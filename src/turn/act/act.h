// Act: one step is carried out, one action at a time. show (act_prompt.h) · read · apply.
//
// R1 an answer that cannot be used goes back with its error; the repairs_per_step-th blocks the step (A1–A15). So
//    does a call that the records refuse (D15).
// R2 a tool call becomes a record call; more than tool_calls_per_step, or the same call with the same result
//    repeated_calls times, blocks the step (A22, A23).
// R3 a completion that the writer refuses goes back; after three the step is blocked, never completed (A19).
// R4 a read step reads; changes are for write steps.
// R5 a write step without a manifest gets one: what the message means and is not saved, else what this turn made, else
//    the rows the message means, when they are several (D13). Where the plan's words for the step
//    name some of them, only those: "delete the cod" is not about the salmon that the message wants
//    kept.
// R6 what the user was asked before and said begins the counts of R1 and R2 anew.
// R7 a write step that is about one row the message means is not completed before something was written (D13).
#pragma once

#include "contracts/act_answer.h"
#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

// How the details of a step begin that was blocked because no answer could be used.
inline constexpr std::string_view kUnusableAnswers = "The answers could not be used: ";

void start_step(Scene& scene, std::uint32_t step);
// The rows of the step's subdomain that the message means.
std::vector<std::string> rows_meant(const Scene& scene, std::uint32_t step);
void apply_act(Scene& scene, std::uint32_t step, const Answer& answer);
void apply_act_quick(Scene& scene, const Answer& answer);
// After the outcome of a call of this step was told.
void look_at_result(Scene& scene, std::uint32_t step);

// The plan of a quick look-up: one read step.
void plan_quick(Scene& scene);

}  // namespace alfred
