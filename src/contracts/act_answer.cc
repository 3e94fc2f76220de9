#include "contracts/act_answer.h"

#include <algorithm>

#include "base/quoted_text.h"

namespace alfred {
namespace {

constexpr std::array kWithRecords{
    Action::tool_call, Action::step_complete,  Action::ask_user,      Action::blocked,
    Action::fail,      Action::request_schema, Action::retrieve_step, Action::retrieve_archive};
constexpr std::array kWriting{Action::tool_call, Action::step_complete, Action::ask_user,
                              Action::blocked,   Action::fail,          Action::request_schema};
constexpr std::array kThinking{Action::step_complete, Action::ask_user, Action::blocked,
                               Action::fail};
constexpr std::array<std::string_view, 5> kTools{"db_read", "db_create", "db_update", "db_delete",
                                                 "db_undo"};

std::vector<std::string> texts(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

Result<void> check_tool(std::string_view tool) {
  if (std::find(kTools.begin(), kTools.end(), tool) != kTools.end()) return {};
  return fail(ErrorCode::tool,
              "There is no tool " + quoted_text(tool) + ". Use one of these names exactly.", "tool",
              texts(kTools));
}

Result<void> check_object(const Json& json, std::string_view path) {
  if (json.is_object()) return {};
  return fail(ErrorCode::schema, std::string(path) + " has to be an object.", std::string(path));
}

Unexpected missing(std::string_view field, Action action) {
  return fail(ErrorCode::schema,
              std::string(field) + " is missing; " + std::string(name_of(action)) + " needs it.",
              std::string(field));
}

Result<void> check_artifacts(const ActAnswer& answer) {
  for (std::size_t i = 0; i < answer.artifacts.size(); ++i)
    if (Result<void> is = check_object(answer.artifacts[i].content,
                                       "artifacts[" + std::to_string(i) + "].content");
        !is)
      return is;
  return {};
}

Result<void> check_fields(const ActAnswer& answer) {
  const Action action = answer.action;
  switch (action) {
    case Action::tool_call: {
      if (!answer.tool) return missing("tool", action);
      if (Result<void> known = check_tool(*answer.tool); !known) return known;
      if (!answer.params) return missing("params", action);
      return check_object(*answer.params, "params");
    }
    case Action::step_complete:
      if (!answer.result_summary) return missing("result_summary", action);
      return check_artifacts(answer);
    case Action::ask_user:
      if (!answer.question || answer.question->empty()) return missing("question", action);
      return {};
    case Action::blocked:
      if (!answer.reason_code) return missing("reason_code", action);
      if (!answer.details) return missing("details", action);
      if (!answer.suggested_next) return missing("suggested_next", action);
      return {};
    case Action::fail:
      if (!answer.details) return missing("details", action);
      return {};
    case Action::request_schema:
      if (!answer.subdomain) return missing("subdomain", action);
      return {};
    case Action::retrieve_step:
    case Action::retrieve_archive:
      if (!answer.step_id) return missing("step_id", action);
      return {};
  }
  return {};
}

}  // namespace

Shape Described<ActAnswer>::make() {
  using A = ActAnswer;
  return object(
      "ActAnswer",
      {field<&A::action>("action", "The one thing to do now."),
       field<&A::tool>("tool", "For tool_call: its name.").longest(64),
       field<&A::params>("params", "For tool_call: its parameters, as an object in refs."),
       field<&A::result_summary>("result_summary", "For step_complete: what was done.")
           .longest(2000),
       field<&A::data>("data", "For step_complete of an analyze step: what was found."),
       field<&A::artifacts>("artifacts", "For step_complete of a generate step: each, whole.")
           .most(50),
       field<&A::note_for_next_step>("note_for_next_step", "What later steps need, in refs.")
           .longest(2000),
       field<&A::question>("question", "For ask_user: the question.").longest(1000),
       field<&A::reason_code>("reason_code", "For blocked: why."),
       field<&A::details>("details", "For blocked and fail: what is in the way.").longest(2000),
       field<&A::suggested_next>("suggested_next", "For blocked: what would help."),
       field<&A::subdomain>("subdomain", "For request_schema: of which part.").longest(64),
       field<&A::step_id>("step_id", "For retrieve_step and retrieve_archive: which.")
           .longest(64)});
}

std::span<const Action> actions_of(StepType type) {
  switch (type) {
    case StepType::read: return kWithRecords;
    case StepType::write: return kWriting;
    case StepType::analyze:
    case StepType::generate: return kThinking;
  }
  return {};
}

std::span<const std::string_view> tool_names() { return kTools; }

Result<void> check_act_answer(const ActAnswer& answer, StepType type) {
  const std::span<const Action> actions = actions_of(type);
  if (std::find(actions.begin(), actions.end(), answer.action) == actions.end()) {
    std::vector<std::string> allowed;
    for (const Action action : actions) allowed.emplace_back(name_of(action));
    return fail(ErrorCode::action,
                "A step of type " + std::string(name_of(type)) + " has no action " +
                    std::string(name_of(answer.action)) + ".",
                "action", std::move(allowed));
  }
  return check_fields(answer);
}

Result<void> check_act_quick_answer(const ActQuickAnswer& answer) {
  if (answer.tool != "db_read")
    return fail(ErrorCode::tool,
                "A quick look-up is one db_read, not " + quoted_text(answer.tool) + ".", "tool",
                {"db_read"});
  return check_object(answer.params, "params");
}

}  // namespace alfred
