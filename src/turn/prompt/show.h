// Asks are made here and nowhere else: shown, guarded, then told.
//
// R1 no ask leaves that the guard refuses: system prompt, user prompt, schema and facts (I-3, I-4).
// R2 the asks of a round are made all or none.
// R3 a prompt that would leak, or that does not fit its budget, ends the turn as failed: the journal says why without
//    the text, and the user gets what the ledger says.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

struct WantedAsk {
  Node node = Node::understand;
  std::optional<std::uint32_t> step{};
  std::uint32_t attempt = 1;
};

// R1–R3. Empty when the turn ends instead.
std::vector<Ask> make_asks(Scene& scene, std::span<const WantedAsk> wanted);
// One that is out, once more. Error: bug, limit.
Result<Ask> show_again(Scene& scene, const OpenAsk& open);

// What the journal keeps of a prompt that went out, so that nobody changes it unseen. A schema that
// there is none of is "null", as it is stored.
struct PromptParts {
  std::string_view system, user, schema, facts;
};
std::string prompt_digest(const PromptParts& parts);

}  // namespace alfred
