// Key-shaped text that no row brought: what a model made up, and what turned out to be a key only
// after it was taken in ("order 20240001", before that row was read).
//
// R1 an answer is masked before anybody uses it; a lit_n or a ref that was issued stays what it is, so that a model can
//    write back what it was shown, and so do names of the schema and of ours (own_words.h).
// R2 a piece of a key that was learned later is hidden when a prompt is shown, by the same names. A whole uuid is
//    not: it had its shape all along, so it is a leak and for the guard.
#pragma once

#include <string>

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

// R1. Error: limit.
Result<Json> mask_answer(Scene& scene, const Json& answer);
Result<std::string> mask_said(Scene& scene, std::string_view said);
// R2, in what the user is told; a text that cannot be masked is not told at all.
std::string without_keys(Scene& scene, std::string_view reply);
// R2, in the user prompt and the facts.
Result<void> hide_late_keys(Scene& scene, Ask& ask);

}  // namespace alfred
