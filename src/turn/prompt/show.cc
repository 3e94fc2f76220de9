#include "turn/prompt/show.h"

#include <array>

#include "base/digest.h"
#include "context/prompt_guard.h"
#include "context/shown_text.h"
#include "turn/act/act_prompt.h"
#include "turn/prompt/answer_facts.h"
#include "turn/prompt/masking.h"
#include "turn/reply/reply.h"
#include "turn/summarize/summarize.h"
#include "turn/think/think.h"
#include "turn/understand/understand.h"

namespace alfred {
namespace {

Result<Ask> show_node(const Scene& scene, const OpenAsk& open) {
  switch (open.node) {
    case Node::understand: return show_understand(scene);
    case Node::think: return show_think(scene);
    case Node::act:
    case Node::act_quick: return show_act(scene, *open.step);
    case Node::reply: return show_reply(scene);
    case Node::summarize: return show_summarize(scene);
  }
  return fail(ErrorCode::bug, "There is no such node.");
}

Result<void> check(const Scene& scene, const Ask& ask) {
  const OwnWords own_words(scene.world().schema, scene.own_texts());
  PromptGuard guard(scene.state().registry, scene.world().secrets, &own_words);
  const std::string node(name_of(ask.node));
  if (Result<void> is = guard.check(ask.system, node + " system prompt"); !is) return is;
  if (Result<void> is = guard.check(ask.user, node + " prompt"); !is) return is;
  if (Result<void> is = guard.check(ask.schema_json, node + " schema"); !is) return is;
  return guard.check(ask.facts_json, node + " facts");
}

// R3.
void end_without_asking(Scene& scene, const WantedAsk& wanted, const Error& error) {
  std::optional<std::string> step;
  if (wanted.step) step = scene.turn().plan->steps[*wanted.step].id;
  scene.tell(TurnFailed{{std::string(error_name(error.code)), error.message, step}});
  if (wanted.node == Node::summarize)
    end_without_summary(scene);
  else
    reply_without_model(scene);
}

std::string digest_of(const Ask& ask) {
  return prompt_digest(
      {ask.system, ask.user, ask.schema_json.empty() ? "null" : ask.schema_json, ask.facts_json});
}

}  // namespace

Result<Ask> show_again(Scene& scene, const OpenAsk& open) {
  Result<Ask> ask = show_node(scene, open);
  if (!ask) return ask;
  ask->id = open.ask;
  ask->attempt = open.attempt;
  if (Result<void> added = add_answer_facts(scene, *ask); !added) return Unexpected(added.error());
  if (scene.has_edition(2)) ask->user = visible_prompt(ask->user);
  if (Result<void> hidden = hide_late_keys(scene, *ask); !hidden) return Unexpected(hidden.error());
  if (Result<void> checked = check(scene, *ask); !checked) return Unexpected(checked.error());
  return ask;
}

std::vector<Ask> make_asks(Scene& scene, std::span<const WantedAsk> wanted) {
  std::vector<Ask> asks;
  std::uint32_t number = scene.turn().asks;
  for (const WantedAsk& one : wanted) {
    Result<Ask> ask = show_again(scene, {++number, one.node, one.step, one.attempt, {}});
    if (!ask) {
      end_without_asking(scene, one, ask.error());
      return {};
    }
    asks.push_back(std::move(*ask));
  }
  for (const Ask& ask : asks)
    scene.tell(AskMade{
        .ask = ask.id,
        .node = ask.node,
        .attempt = ask.attempt,
        .step = ask.step,
        .prompt =
            std::string(scene.fresh_id<IdKind::prompt>("prompt " + std::to_string(ask.id)).view()),
        .digest = scene.has_edition(2) ? std::optional(digest_of(ask)) : std::nullopt});
  return asks;
}

// With their sizes, so that nothing moves from one part into the next.
std::string prompt_digest(const PromptParts& parts) {
  std::string sizes;
  for (const std::string_view part : {parts.system, parts.user, parts.schema, parts.facts})
    sizes += std::to_string(part.size()) + " ";
  const std::array<std::string_view, 5> pieces{sizes, parts.system, parts.user, parts.schema,
                                               parts.facts};
  return content_digest(pieces);
}

}  // namespace alfred
