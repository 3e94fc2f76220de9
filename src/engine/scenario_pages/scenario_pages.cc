#include "engine/scenario_pages/scenario_pages.h"

#include <set>

#include "base/files/file.h"
#include "engine/scenario/json_match.h"
#include "engine/scenario/scenario_runner.h"
#include "engine/scenario_pages/adopted_json.h"
#include "engine/scenario_pages/page_text.h"

namespace alfred {
namespace {

constexpr std::int64_t kAnotherDayMs = 40LL * 24 * 60 * 60 * 1000;

Result<Scenario> read_page(const std::string& path, const std::string& text) {
  return read_scenario({path, text});
}

// "$batch" and the like are compared as what they stand for.
AdoptRules rules_of(const ScenarioDifference& difference, bool is_loose) {
  return {.fits =
              [&difference](const Json& expected, const Json& actual) {
                const Result<Json> wanted = difference.meant(expected);
                return wanted && mismatch(*wanted, actual).empty();
              },
          .is_loose = is_loose};
}

// The step as it should be on the page.
ScenarioStep adopted_step(const ScenarioDifference& difference, bool is_loose) {
  ScenarioStep out = difference.step;
  const ScenarioSeen& seen = difference.seen;
  const AdoptRules rules = rules_of(difference, is_loose);
  if (out.kind == StepKind::rows) {
    Json& wanted = out.json.is_object() ? out.json.get_object().at("rows") : out.json;
    wanted = adopted_rows(wanted, seen.json.get_array(), rules);
    return out;
  }
  const std::string code = out.kind == StepKind::refused ? out.name : "";
  if (code == seen.code) {
    out.json = adopted(out.json, seen.json, rules);
    return out;
  }
  out.kind = seen.code.empty() ? StepKind::expect : StepKind::refused;
  out.name = seen.code;
  out.json = seen.code.empty() ? seen.json : Json(JsonObject());
  return out;
}

std::string head_of(const ScenarioStep& step) {
  std::string head(step_word(step.kind));
  if (!step.name.empty()) head += " " + step.name;
  for (const auto& [name, value] : step.options)
    head.append(" ").append(name).append("=").append(value);
  return head;
}

BlockText block_of(const ScenarioStep& step) {
  const bool is_empty = step.kind == StepKind::refused && step.json.get_object().empty();
  return {head_of(step), is_empty ? "" : page_json(step.json)};
}

ScenarioStep& step_at(Scenario& scenario, std::size_t line) {
  for (ScenarioStep& step : scenario.steps)
    if (step.line == line) return step;
  return scenario.steps.front();
}

class Update {
 public:
  Update(Scenario scenario, StageOptions options)
      : scenario_(std::move(scenario)), options_(std::move(options)) {}

  // The failure; empty: all that differs was adopted.
  Result<std::string> run() {
    Result<std::string> failure = adopt(false);
    if (!failure || !failure->empty() || changed_.empty()) return failure;
    options_.later_ms = kAnotherDayMs;
    if (failure = adopt(true); !failure || !failure->empty()) return failure;
    options_.later_ms = 0;
    const auto stage = TemporaryStage::make(options_);
    if (!stage) return Unexpected(stage.error());
    return ScenarioRunner(**stage).run(scenario_);
  }

  std::map<std::size_t, BlockText> blocks() {
    std::map<std::size_t, BlockText> out;
    for (const std::size_t line : changed_) out[line] = block_of(step_at(scenario_, line));
    return out;
  }

 private:
  // Loosely: only what was adopted before.
  Result<std::string> adopt(bool is_loose) {
    const auto stage = TemporaryStage::make(options_);
    if (!stage) return Unexpected(stage.error());
    std::map<std::size_t, ScenarioStep> adopted;
    const auto take = [&](const ScenarioDifference& difference) {
      const std::size_t line = difference.step.line;
      if (!is_loose || changed_.contains(line)) adopted[line] = adopted_step(difference, is_loose);
      return true;
    };
    const std::string failure =
        ScenarioRunner(**stage, {.reopens = false, .on_difference = take}).run(scenario_);
    for (auto& [line, step] : adopted) {
      changed_.insert(line);
      step_at(scenario_, line) = std::move(step);
    }
    return failure;
  }

  Scenario scenario_;
  StageOptions options_;
  std::set<std::size_t> changed_;
};

}  // namespace

Result<PageOutcome> run_page(const std::string& path, const StageOptions& options,
                             const RunnerOptions& runner) {
  const Result<std::string> text = read_file(path);
  if (!text) return Unexpected(text.error());
  const Result<Scenario> scenario = read_page(path, *text);
  if (!scenario) return Unexpected(scenario.error());
  const auto stage = TemporaryStage::make(options);
  if (!stage) return Unexpected(stage.error());
  return PageOutcome{.title = scenario->title,
                     .failure = ScenarioRunner(**stage, runner).run(*scenario)};
}

Result<PageOutcome> update_page(const std::string& path, const StageOptions& options) {
  const Result<std::string> text = read_file(path);
  if (!text) return Unexpected(text.error());
  const Result<Scenario> scenario = read_page(path, *text);
  if (!scenario) return Unexpected(scenario.error());
  Update update(*scenario, options);
  Result<std::string> failure = update.run();
  if (!failure) return Unexpected(std::move(failure).error());
  PageOutcome out{.title = scenario->title, .failure = std::move(*failure)};
  const std::map<std::size_t, BlockText> blocks = update.blocks();
  if (!out.failure.empty() || blocks.empty()) return out;
  if (Result<void> written = write_file_atomically(path, changed_page(*text, blocks)); !written)
    return Unexpected(std::move(written).error());
  out.updated = blocks.size();
  return out;
}

}  // namespace alfred
