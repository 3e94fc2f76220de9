#include "turn/prompt/budget.h"

#include <algorithm>

#include "context/token_estimate.h"

namespace alfred {

namespace {

// What does not change when the prompt is cut: system prompt and schema.
struct FixedPart {
  std::size_t bytes = 0;
  std::size_t tokens = 0;
};
FixedPart fixed_part(const Ask& ask, bool is_counted) {
  FixedPart part{ask.system.size() + ask.schema_json.size(), 0};
  if (is_counted) part.tokens = estimate_tokens(ask.system) + estimate_tokens(ask.schema_json);
  return part;
}

}  // namespace

std::size_t prompt_tokens(const Ask& ask) {
  return fixed_part(ask, true).tokens + estimate_tokens(ask.user);
}

Result<void> fit_prompt(const Scene& scene, Ask& ask, std::size_t units,
                        const std::function<std::string(std::size_t)>& make) {
  const std::size_t budget = scene.facts().settings.prompt_tokens;
  // No byte is more than a token, so most prompts need no counting.
  ask.user = make(0);
  if (fixed_part(ask, false).bytes + ask.user.size() <= budget) return {};
  const std::size_t fixed = fixed_part(ask, true).tokens;
  const auto fits = [&](std::size_t cut) {
    ask.user = make(cut);
    return fixed + estimate_tokens(ask.user) <= budget;
  };
  if (fixed + estimate_tokens(ask.user) <= budget) return {};
  std::size_t low = 0;  // does not fit
  std::size_t high = units;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  if (units > 0 && fits(high)) return {};
  return fail(ErrorCode::limit,
              "There is more to show to the model than fits. Ask for less at a time.");
}

EntityTiers without_oldest(EntityTiers tiers, std::size_t count) {
  // Retained entries first: they are older. Then the active, whose newest stand first.
  const std::size_t retained = std::min(count, tiers.retained.size());
  tiers.retained.resize(tiers.retained.size() - retained);
  const std::size_t active = std::min(count - retained, tiers.active.size());
  tiers.active.resize(tiers.active.size() - active);
  return tiers;
}

std::size_t entries_to_cut(const EntityTiers& tiers) {
  return tiers.retained.size() + tiers.active.size();
}

std::string more_entries(std::size_t count) {
  return count == 0 ? "" : "… " + std::to_string(count) + " more, spoken of earlier\n";
}

}  // namespace alfred
