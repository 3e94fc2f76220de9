// Runs a scenario on a database, step by step, as calls on a RecordService.
//
// R1 a step that does not come out as the page says is a failure "file:line: …"; nothing after it runs.
// R2 no answer and no error shows a key of the database, or eight characters from either end of one.
// R3 in the bodies of steps: "$batch" is the batch declared last, "$rows" the rows compiled last,
//    "$key REF", "$cut REF" and "$padded REF" the key behind a ref, whole, its beginning, and its
//    beginning with zeros: what a model might make up. Pages hold no keys themselves.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "engine/scenario/conversation.h"
#include "scenario_place.h"

namespace alfred {

class ScenarioRunner {
 public:
  // reopens: the session is opened anew after every move of a turn.
  ScenarioRunner(ScenarioPlace& place, const Pack& pack, bool reopens = false);
  // The first failure; empty: none.
  std::string run(const Scenario& scenario);
  const ScenarioConversation& conversation() const { return conversation_; }

 private:
  std::string step(const ScenarioStep& step);
  std::string given(const ScenarioStep& step);
  std::string generate(const ScenarioStep& step);
  std::string call(const ScenarioStep& step);
  std::string killed(const ScenarioStep& step);
  std::string expect(const ScenarioStep& step) const;
  std::string refused(const ScenarioStep& step) const;
  std::string rows(const ScenarioStep& step);
  ConversationPorts ports(bool reopens);

  void open();
  Result<std::string> run_tool(RecordService& service, const ScenarioStep& step,
                               const Json& params);
  Result<std::string> compile(const Json& params);
  OpId op_of(const ScenarioStep& step);
  Json meant(const Json& json) const;
  Json meant_text(std::string_view text) const;
  std::string with_keys(std::string text) const;
  std::string key_of(std::string_view ref) const;
  void learn_keys();
  std::string leak_in(std::string_view text) const;

  ScenarioPlace& place_;
  const Pack& pack_;
  ScenarioConversation conversation_;
  std::unique_ptr<RecordService> service_;
  std::optional<Result<std::string>> outcome_;
  std::map<std::string, Json, std::less<>> artifacts_;
  std::map<std::string, OpId, std::less<>> ops_;
  std::string batch_;
  JsonArray compiled_;
  std::unordered_set<std::string> pieces_;  // both ends of the keys of all rows there ever were
};

}  // namespace alfred
