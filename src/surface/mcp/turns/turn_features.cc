#include "surface/mcp/turns/turn_features.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "context/prompt_guard.h"
#include "engine/session/shown_turn.h"
#include "surface/mcp/records/argument_check.h"
#include "surface/mcp/records/tool_answer.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kTools = R"json([
{"name":"turn_start","title":"Start a turn",
 "description":"Says something to the assistant, whose model is yours: gives `asks`, each to be shown to a model and answered with turn_answer.",
 "inputSchema":{"type":"object","properties":{
  "message":{"type":"string","description":"What the user says"},
  "session":{"type":"string","description":"ses_… to go on with; a new one if not given"},
  "idempotency_key":{"type":"string"}},
  "required":["message"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"session":{"type":"string"},"id":{"type":"string"},"status":{"type":"string"},"reply":{"type":"string"},"asks":{"type":"array","items":{"type":"object"}}},"required":["session","id","status","reply","asks"]},
 "annotations":{"readOnlyHint":false,"destructiveHint":true,"openWorldHint":false}},
{"name":"turn_answer","title":"Answer an ask",
 "description":"Gives what the model said to an ask, exactly; the turn goes on to its next asks or its reply. Without ask and text: the turn as it stands.",
 "inputSchema":{"type":"object","properties":{
  "session":{"type":"string"},
  "turn":{"type":"string","description":"trn_…, the turn's id"},
  "ask":{"type":"integer","minimum":1,"maximum":1000000},
  "text":{"type":"string","description":"JSON where the ask has a schema"},
  "finish":{"type":"string","enum":["stop","length","refusal"]},
  "cancel":{"type":"boolean","description":"End the turn; what it did stays done"}},
  "required":["session"],"additionalProperties":false},
 "outputSchema":{"type":"object","properties":{"session":{"type":"string"},"id":{"type":"string"},"status":{"type":"string"},"reply":{"type":"string"},"asks":{"type":"array","items":{"type":"object"}}},"required":["session","id","status","reply","asks"]},
 "annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}}
])json";

std::string text_of(const JsonObject& arguments, std::string_view name) {
  const JsonString* const text = text_member(arguments, name);
  return text == nullptr ? std::string() : std::string(*text);
}

bool is_true(const JsonObject& arguments, std::string_view name) {
  const Json* const flag = arguments.if_contains(name);
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

Result<Answer> answer_in(const JsonObject& arguments) {
  if (!arguments.contains("ask") || !arguments.contains("text") || !arguments.contains("turn"))
    return fail(ErrorCode::schema,
                "An answer has turn, ask and text. With the session alone the turn is shown.",
                "turn");
  Answer answer{static_cast<std::uint32_t>(arguments.at("ask").as_int64()),
                text_of(arguments, "text")};
  const std::string finish = text_of(arguments, "finish");
  const auto& names = Named<FinishReason>::names;
  if (!finish.empty())
    answer.finish = static_cast<FinishReason>(
        std::find(names.begin(), names.end(), std::string_view(finish)) - names.begin());
  return answer;
}

// R6. The scope outlives the session that tells it.
RecordService::ProgressFn added_up(const CallScope& scope) {
  return [&scope, before = std::size_t{0}, last = std::size_t{0}](std::size_t done,
                                                                  std::size_t total) mutable {
    if (done <= last) before += last;  // the next batch
    last = done;
    scope.progress(static_cast<double>(before + done), static_cast<double>(before + total));
  };
}

void cut_out(std::string& text, std::string_view part) {
  if (const std::size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
}

Unexpected turn_moved() {
  return fail(ErrorCode::turn_moved,
              "This turn is not running any more. Call turn_answer with the session alone.",
              "turn");
}

}  // namespace

JsonArray turn_tools() {
  Result<Json> list = parse_json(kTools, JsonLimits::none());
  ALFRED_CHECK(list.has_value(), "the list of tools is JSON");
  return std::move(list->as_array());
}

TurnFeatures::TurnFeatures(std::unique_ptr<McpFeatures> records, TurnHost host)
    : records_(std::move(records)),
      host_(std::move(host)),
      card_(records_->card()),
      tools_(turn_tools()) {
  card_.instructions +=
      " To have the assistant work with your model, call turn_start, show each ask (system, user, "
      "schema) to it and give its words to turn_answer until there is a reply.";
}

JsonArray TurnFeatures::tools() {
  JsonArray all = records_->tools();
  all.insert(all.end(), tools_.begin(), tools_.end());
  return all;
}

McpOutcome TurnFeatures::call_tool(std::string_view name, const JsonObject& given,
                                   const CallScope& scope) {
  let_go_.clear();
  const auto tool = std::find_if(tools_.begin(), tools_.end(), [&](const Json& one) {
    return std::string_view(one.at("name").as_string()) == name;
  });
  if (tool == tools_.end()) return records_->call_tool(name, given, scope);
  JsonObject arguments;
  for (const auto& [member, value] : given)
    if (!value.is_null()) arguments[member] = value;
  const JsonObject& schema = tool->at("inputSchema").as_object();
  if (Result<void> fits = check_arguments(schema, arguments); !fits)
    return tool_error(fits.error(), {});
  const Result<std::string> turn =
      name == "turn_start" ? start(arguments, scope) : answer(arguments, scope);
  if (!turn) return tool_error(turn.error(), {});
  let_go_ = *turn;
  return tool_result(*turn);
}

// A result has the turn twice: as it is, and as a text.
bool TurnFeatures::may_leave(std::string_view text) {
  if (let_go_.empty()) return records_->may_leave(text);
  std::string others(text);
  cut_out(others, let_go_);
  std::string as_text;
  append_json_string(as_text, let_go_);
  cut_out(others, as_text);
  return records_->may_leave(others);
}

Result<std::unique_ptr<Session>> TurnFeatures::open(const std::string& id) {
  SessionOptions options;
  options.id = id;
  options.secrets = host_.secrets;
  options.zone = host_.zone;
  options.tuning = host_.tuning;
  options.whole_facts = false;
  options.caller_answers = true;
  RecordPlace place = host_.place;
  follow_tables(place);
  return Session::open(std::move(place), std::move(options), host_.clock, host_.random);
}

Result<std::string> TurnFeatures::shown(Session& session, const std::string& turn) {
  Result<Json> json = shown_turn(session, turn);
  if (!json) return Unexpected(std::move(json).error());
  // The client knows what it said, in its own words, keys or not.
  for (const std::string_view own : {"message", "key"}) json->get_object().erase(own);
  std::string text = write_json(*json);
  const OwnWords own_words(session.world().schema, &session.world().texts);
  PromptGuard guard(session.state().registry, host_.secrets, &own_words);
  if (Result<void> clean = guard.check(text, "turn"); !clean)
    return Unexpected(std::move(clean).error());
  return text;
}

Result<std::string> TurnFeatures::start(const JsonObject& arguments, const CallScope& scope) {
  const Json* const named = arguments.if_contains("session");
  if (named != nullptr && named->as_string().empty())
    return fail(ErrorCode::session,
                "There is no session without an id. Leave it out for a new one.", "session");
  // R7; where they cannot be read the last that were still count.
  if (host_.place.live) (void)host_.place.live->now();
  const auto session = open(text_of(arguments, "session"));
  if (!session) return Unexpected(session.error());
  const Result<TurnProgress> progress =
      (*session)->start(text_of(arguments, "message"), text_of(arguments, "idempotency_key"));
  if (!progress) return Unexpected(progress.error());
  // Its client will never know of it.
  if (scope.is_cancelled() && !progress->is_finished)
    if (const Result<TurnProgress> ended = (*session)->cancel(); !ended)
      return Unexpected(ended.error());
  return shown(**session, progress->turn);
}

Result<std::string> TurnFeatures::answer(const JsonObject& arguments, const CallScope& scope) {
  const std::string id = text_of(arguments, "session");
  if (id.empty()) return fail(ErrorCode::session, "There is no session without an id.", "session");
  const auto session = open(id);
  if (!session) return Unexpected(session.error());
  const std::string turn = text_of(arguments, "turn");
  const std::optional<RunningTurn>& running = (*session)->state().facts.running;
  const bool is_running = running && (turn.empty() || running->id == turn);
  if (is_true(arguments, "cancel")) {
    const Result<TurnProgress> ended =
        is_running ? (*session)->cancel() : Result<TurnProgress>(TurnProgress{});
    if (!ended) return Unexpected(ended.error());
    return shown(**session, turn);
  }
  if (!arguments.contains("ask") && !arguments.contains("text")) return shown(**session, turn);
  const Result<Answer> given = answer_in(arguments);
  if (!given) return Unexpected(given.error());
  if (scope.progress) (*session)->records().set_progress(added_up(scope));
  Result<TurnProgress> progress = is_running ? (*session)->answer(*given) : turn_moved();
  if (!progress &&
      (progress.error().code != ErrorCode::turn_moved || !was_given(**session, turn, *given)))
    return Unexpected(std::move(progress).error());
  return shown(**session, turn);
}

}  // namespace alfred::mcp
