// Fits a prompt into its budget of tokens (I-28).
//
// R1 what may be cut is a list of units in the order they go: whole rows or entries, oldest first. The fewest are cut
//    that make the prompt fit; the same state gives the same bytes.
// R2 the task, the manifest, the schema and content to save are no units. When they alone are too long there is no
//    prompt.
#pragma once

#include <functional>

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

// System prompt, user prompt and schema together.
std::size_t prompt_tokens(const Ask& ask);

// Sets ask.user to make(n) for the smallest n of 0…units that fits. Error: limit.
Result<void> fit_prompt(const Scene& scene, Ask& ask, std::size_t units,
                        const std::function<std::string(std::size_t)>& make);

// The tiers without the n entries spoken of longest ago; those generated stay.
EntityTiers without_oldest(EntityTiers tiers, std::size_t count);
std::size_t entries_to_cut(const EntityTiers& tiers);
// "… 34 more, spoken of earlier"; empty for none.
std::string more_entries(std::size_t count);

}  // namespace alfred
