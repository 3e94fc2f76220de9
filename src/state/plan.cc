#include "state/plan.h"

#include <algorithm>
#include <set>

#include "base/quoted_text.h"

namespace alfred {
namespace {

Result<void> check_batch(const PlannedBatch& batch, const std::string& path) {
  if (batch.total != batch.items.size())
    return fail(ErrorCode::batch_count,
                path + ".total is " + std::to_string(batch.total) + ", but there are " +
                    std::to_string(batch.items.size()) + " items. Name every item once.",
                path + ".total");
  std::set<std::string_view> seen;
  for (const PlannedItem& item : batch.items) {
    if (item.ref.empty())
      return fail(ErrorCode::plan, "An item of " + path + " has no ref. Give each one.", path);
    if (!seen.insert(item.ref).second)
      return fail(ErrorCode::batch_dup,
                  path + " names " + quoted_text(item.ref) + " twice. Name every item once.", path);
  }
  return {};
}

Result<void> check_step(const PlannedStep& step, const std::string& path,
                        std::span<const std::string> subdomains) {
  if (std::find(subdomains.begin(), subdomains.end(), step.subdomain) == subdomains.end()) {
    std::vector<std::string> allowed(
        subdomains.begin(), subdomains.begin() + static_cast<std::ptrdiff_t>(
                                                     std::min<std::size_t>(subdomains.size(), 10)));
    return fail(ErrorCode::plan,
                path + ".subdomain is " + quoted_text(step.subdomain) + ", which there is not.",
                path + ".subdomain", std::move(allowed));
  }
  if (step.description.empty())
    return fail(ErrorCode::plan, path + " does not say what is to be done.", path + ".description");
  return step.batch ? check_batch(*step.batch, path + ".batch") : Result<void>();
}

}  // namespace

Shape Described<Step>::make() {
  using S = Step;
  return object("Step",
                {field<&S::id>("id", "Its durable id."),
                 field<&S::step_type>("step_type", "What kind of work."),
                 field<&S::subdomain>("subdomain", "Where."),
                 field<&S::group>("group", "Which round."),
                 field<&S::description>("description", "For people."),
                 field<&S::batch>("batch", "Its manifest."),
                 field<&S::expected>("expected", "How many artifacts were asked for."),
                 field<&S::status>("status", "Where it stands."),
                 field<&S::calls>("calls", "Its calls on records."),
                 field<&S::calls_before>("calls_before", "Calls of an earlier turn."),
                 field<&S::artifacts>("artifacts", "What it generated."),
                 field<&S::data>("data", "What it found."),
                 field<&S::result_summary>("result_summary", "What the model says was done."),
                 field<&S::note_for_next_step>("note_for_next_step", "For later steps."),
                 field<&S::block>("block", "Why it is blocked."),
                 field<&S::question>("question", "What the user was asked."),
                 field<&S::answer>("answer", "What the user said."),
                 field<&S::repairs>("repairs", "Answers sent back."),
                 field<&S::refusals>("refusals", "Completions refused."),
                 field<&S::faults>("faults", "What the model was told."),
                 field<&S::schemas>("schemas", "Schemas asked for."),
                 field<&S::retrieved>("retrieved", "Cut data asked for."),
                 field<&S::discrepancies>("discrepancies", "What did not fit a column.")});
}

bool is_ended(StepStatus status) {
  return status == StepStatus::complete || status == StepStatus::blocked ||
         status == StepStatus::failed;
}

std::uint32_t Plan::current_group() const {
  std::uint32_t lowest = 0;
  for (const Step& step : steps)
    if (!is_ended(step.status) && (lowest == 0 || step.group < lowest)) lowest = step.group;
  return lowest;
}

Result<void> check_plan(const ThinkAnswer& answer, std::span<const std::string> subdomains) {
  const bool needs_steps = answer.decision == Decision::plan_direct;
  if (needs_steps && answer.steps.empty())
    return fail(ErrorCode::plan, "plan_direct needs at least one step.", "steps");
  if (answer.steps.size() > ThinkAnswer::kSteps)
    return fail(ErrorCode::plan,
                "The plan has " + std::to_string(answer.steps.size()) + " steps; at most " +
                    std::to_string(ThinkAnswer::kSteps) + " are allowed.",
                "steps");
  if (answer.decision == Decision::propose && !answer.proposal)
    return fail(ErrorCode::plan, "propose needs a proposal for the user.", "proposal");
  if (answer.decision == Decision::clarify && answer.questions.empty())
    return fail(ErrorCode::plan, "clarify needs at least one question.", "questions");
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < answer.steps.size(); ++i) {
    const std::string path = "steps[" + std::to_string(i) + "]";
    const PlannedStep& step = answer.steps[i];
    if (step.group < std::max(group, 1U) || step.group > group + 1)
      return fail(ErrorCode::plan,
                  path + ".group is " + std::to_string(step.group) +
                      "; groups start at 1 and go up by at most one from step to step.",
                  path + ".group");
    group = step.group;
    if (Result<void> checked = check_step(step, path, subdomains); !checked) return checked;
  }
  return {};
}

}  // namespace alfred
