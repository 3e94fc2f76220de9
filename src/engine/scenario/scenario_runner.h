// Runs a scenario on a stage, step by step: calls on a RecordService, messages to a session.
//
// R1 a step that does not come out as the page says is a failure "file:line: …"; nothing after it runs.
// R2 no answer and no error shows a key of the database, or eight characters from either end of one.
// R3 in the bodies of steps: "$batch" is the batch declared last, "$rows" the rows compiled last,
//    "$key REF", "$cut REF" and "$padded REF" the key behind a ref, whole, its beginning, and its
//    beginning with zeros: what a model might make up. Pages hold no keys themselves.
// R4 who wants to learn what comes instead of what is expected is told, and says whether it goes on.
// R5 live, with a model that makes up its own answers: of what is expected of a turn only `rows` count; and a table that
//    was given rows, and that no block of `rows` speaks of, has as many of them at the end.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "engine/scenario/conversation.h"
#include "engine/scenario/scenario_stage.h"

namespace alfred {

// What a block that expects something is compared with.
struct ScenarioSeen {
  std::string code{};  // of a call's error; empty: there is none
  Json json{};
};

struct ScenarioDifference {
  const ScenarioStep& step;
  const ScenarioSeen& seen;
  std::function<Result<Json>(const Json&)> meant{};  // what R3's words stand for
};

struct RunnerOptions {
  bool reopens = false;  // the session is opened anew after every move of a turn
  std::function<bool(const ScenarioDifference&)> on_difference{};  // R4; none: it ends there
  ScenarioModel model{};  // who answers instead of the page (conversation.h, R8)
  bool is_live = false;   // R5
};

class ScenarioRunner {
 public:
  explicit ScenarioRunner(ScenarioStage& stage, RunnerOptions options = {});
  // The first failure; empty: none.
  std::string run(const Scenario& scenario);
  const ScenarioConversation& conversation() const { return conversation_; }

 private:
  static constexpr const char* kWorkspace = "scene";
  static constexpr std::size_t kPiece = 8;  // characters that give a key away

  ConversationPorts ports();
  Result<void> open();
  std::string say(const Scenario& scenario, std::size_t& at);
  std::string step(const ScenarioStep& step);
  std::string given(const ScenarioStep& step);
  std::string generate(const ScenarioStep& step);
  std::string call(const ScenarioStep& step);
  std::string killed(const ScenarioStep& step, const Json& params);

  // R5.
  bool is_left_out(const ScenarioStep& step) const;
  std::string unspoken_rows(const Scenario& scenario);

  // Blocks that expect something.
  std::string expect(const ScenarioStep& step);
  Result<ScenarioSeen> seen(const ScenarioStep& step);
  Result<ScenarioSeen> seen_outcome() const;
  Result<ScenarioSeen> seen_rows(const ScenarioStep& step);
  Result<std::string> difference(const ScenarioStep& step, const ScenarioSeen& seen) const;

  Result<std::string> run_tool(const ScenarioStep& step, const Json& params);
  Result<std::string> compile(const Json& params);
  OpId op_of(const ScenarioStep& step);

  // R3.
  Result<Json> meant(const Json& json) const;
  Result<Json> meant_text(std::string_view text) const;
  Result<std::string> with_keys(std::string text) const;
  Result<std::string> key_of(std::string_view ref) const;
  // R2.
  std::string learn_keys();
  std::string leak_in(std::string_view text) const;

  ScenarioStage& stage_;
  RunnerOptions options_;
  ScenarioConversation conversation_;
  std::unique_ptr<RecordService> service_{};
  std::optional<Result<std::string>> outcome_{};
  std::map<std::string, Json, std::less<>> artifacts_{};
  std::map<std::string, OpId, std::less<>> ops_{};
  std::map<std::string, std::size_t, std::less<>> given_{};  // rows after `given`, by table
  std::string batch_{};
  JsonArray compiled_{};
  std::unordered_set<std::string> pieces_{};  // both ends of the keys of all rows there ever were
};

}  // namespace alfred
