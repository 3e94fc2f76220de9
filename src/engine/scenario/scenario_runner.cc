#include "engine/scenario/scenario_runner.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/scenario/json_match.h"

namespace alfred {
namespace {

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c;
  }
  return out;
}

std::string text_of(const Result<void>& done) { return done ? "" : error_text(done.error()); }

std::string_view expected_of(StepKind kind) {
  switch (kind) {
    case StepKind::reply: return "reply";
    case StepKind::prompt: return "prompt";
    case StepKind::calls: return "calls";
    case StepKind::turn: return "turn";
    case StepKind::state: return "state";
    default: return "";
  }
}

}  // namespace

ScenarioRunner::ScenarioRunner(ScenarioStage& stage, RunnerOptions options)
    : stage_(stage), options_(std::move(options)), conversation_(ports()) {}

ConversationPorts ScenarioRunner::ports() {
  const auto open_on = [this](RecordPlace place, const std::string& id) {
    SessionOptions options;
    options.id = id;
    return Session::open(std::move(place), std::move(options), stage_.clock(), stage_.random());
  };
  return {.open = [this, open_on](const std::string& id) -> Result<std::unique_ptr<Session>> {
            Result<RecordPlace> place = stage_.open(kWorkspace);
            if (!place) return Unexpected(std::move(place).error());
            return open_on(std::move(*place), id);
          },
          .learn = [this] { return learn_keys(); },
          .leak = [this](std::string_view text) { return leak_in(text); },
          .killed =
              [this, open_on](const std::string& id, const Answer& answer, int insert) {
                return stage_.killed(kWorkspace, insert, [&](RecordPlace place) {
                  const auto session = open_on(std::move(place), id);
                  return session && (*session)->answer(answer);
                });
              },
          .model = options_.model,
          .is_live = options_.is_live,
          .reopens = options_.reopens};
}

Result<void> ScenarioRunner::open() {
  service_.reset();
  Result<RecordPlace> place = stage_.open(kWorkspace);
  if (!place) return Unexpected(std::move(place).error());
  Result<std::unique_ptr<RecordService>> service =
      RecordService::open(std::move(*place), stage_.clock(), stage_.random());
  if (!service) return Unexpected(std::move(service).error());
  service_ = std::move(*service);
  service_->set_artifacts([this](std::string_view ref) -> const JsonObject* {
    const auto found = artifacts_.find(ref);
    return found == artifacts_.end() ? nullptr : found->second.if_object();
  });
  return {};
}

std::string ScenarioRunner::run(const Scenario& scenario) {
  if (Result<void> opened = open(); !opened)
    return fmt::format("{}: {}", scenario.file, error_text(opened.error()));
  const std::vector<ScenarioStep>& steps = scenario.steps;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const ScenarioStep& one = steps[at];
    if (is_left_out(one)) continue;
    const std::string failure = one.kind == StepKind::user ? say(scenario, at) : step(one);
    if (!failure.empty()) return fmt::format("{}:{}: {}", scenario.file, one.line, failure);
  }
  if (std::string failure = unspoken_rows(scenario); !failure.empty())
    return fmt::format("{}: {}", scenario.file, failure);
  const std::string failure = conversation_.finish();
  return failure.empty() ? "" : fmt::format("{}: replay: {}", scenario.file, failure);
}

// What is said of a turn whose words are the model's own.
bool ScenarioRunner::is_left_out(const ScenarioStep& one) const {
  return options_.is_live &&
         (one.kind == StepKind::reply || one.kind == StepKind::prompt ||
          one.kind == StepKind::calls || one.kind == StepKind::turn || one.kind == StepKind::state);
}

std::string ScenarioRunner::unspoken_rows(const Scenario& scenario) {
  if (!options_.is_live) return "";
  for (const auto& [table, count] : given_) {
    const bool is_spoken_of = std::any_of(scenario.steps.begin(), scenario.steps.end(),
                                          [&table = table](const ScenarioStep& one) {
                                            return one.kind == StepKind::rows && one.name == table;
                                          });
    if (is_spoken_of) continue;
    const Result<JsonArray> there = stage_.look().rows(table);
    if (!there) return error_text(there.error());
    if (there->size() != count)
      return fmt::format("{} had {} rows and has {}, which nobody asked for", table, count,
                         there->size());
  }
  return "";
}

// A message with the answers that follow it; `at` is the last of them then.
std::string ScenarioRunner::say(const Scenario& scenario, std::size_t& at) {
  const std::vector<ScenarioStep>& steps = scenario.steps;
  const ScenarioStep& message = steps[at];
  std::vector<ScenarioStep> answers;
  for (; at + 1 < steps.size() && steps[at + 1].kind == StepKind::model; ++at) {
    if (options_.is_live) continue;
    ScenarioStep answer = steps[at + 1];
    Result<std::string> text = with_keys(std::move(answer.text));
    if (!text) return error_text(text.error());
    answer.text = std::move(*text);
    answers.push_back(std::move(answer));
  }
  return conversation_.user(message, answers);
}

std::string ScenarioRunner::step(const ScenarioStep& one) {
  switch (one.kind) {
    case StepKind::given: return given(one);
    case StepKind::generate: return generate(one);
    case StepKind::call: return call(one);
    case StepKind::reject: return text_of(stage_.reject(one.name, one.json.get_object()));
    case StepKind::accept: return text_of(stage_.accept(one.name));
    case StepKind::outside: return text_of(stage_.outside(one.text));
    case StepKind::restart:
      if (Result<void> opened = open(); !opened) return error_text(opened.error());
      return conversation_.restart();
    case StepKind::user:
    case StepKind::model: return "answers follow what the user says";
    case StepKind::expect:
    case StepKind::refused:
    case StepKind::rows:
    case StepKind::reply:
    case StepKind::prompt:
    case StepKind::calls:
    case StepKind::turn:
    case StepKind::state: return expect(one);
  }
  return "no such step";
}

std::string ScenarioRunner::expect(const ScenarioStep& one) {
  const Result<ScenarioSeen> came = seen(one);
  if (!came) return error_text(came.error());
  const Result<std::string> differs = difference(one, *came);
  if (!differs) return error_text(differs.error());
  if (differs->empty() || !options_.on_difference) return *differs;
  const bool goes_on =
      options_.on_difference({one, *came, [this](const Json& json) { return meant(json); }});
  return goes_on ? "" : *differs;
}

Result<ScenarioSeen> ScenarioRunner::seen(const ScenarioStep& one) {
  if (one.kind == StepKind::expect || one.kind == StepKind::refused) return seen_outcome();
  if (one.kind == StepKind::rows) return seen_rows(one);
  Result<Json> json = conversation_.seen(one);
  if (!json) return Unexpected(std::move(json).error());
  return ScenarioSeen{.json = std::move(*json)};
}

Result<ScenarioSeen> ScenarioRunner::seen_outcome() const {
  if (!outcome_) return fail(ErrorCode::pack, "There is no answer: the process was killed.");
  if (*outcome_) {
    Result<Json> answer = parse_json(**outcome_, JsonLimits::none());
    if (!answer) return Unexpected(std::move(answer).error());
    return ScenarioSeen{.json = std::move(*answer)};
  }
  const Error& error = outcome_->error();
  return ScenarioSeen{
      .code = std::string(error_name(error.code)),
      .json = JsonObject{{"message", error.message},
                         {"path", error.path},
                         {"allowed", JsonArray(error.allowed.begin(), error.allowed.end())}}};
}

// Of {"where":…,"rows":…} those that are meant.
Result<ScenarioSeen> ScenarioRunner::seen_rows(const ScenarioStep& one) {
  Result<JsonArray> there = stage_.look().rows(one.name);
  if (!there) return Unexpected(std::move(there).error());
  const JsonObject* some = one.json.if_object();
  if (some == nullptr) return ScenarioSeen{.json = std::move(*there)};
  JsonArray meant_rows;
  for (const Json& row : *there)
    if (mismatch(some->at("where"), row).empty()) meant_rows.push_back(row);
  return ScenarioSeen{.json = std::move(meant_rows)};
}

Result<std::string> ScenarioRunner::difference(const ScenarioStep& one,
                                               const ScenarioSeen& seen) const {
  if (one.kind == StepKind::rows) {
    const Json& wanted = one.json.is_object() ? one.json.get_object().at("rows") : one.json;
    return wanted.is_array() ? rows_mismatch(wanted.get_array(), seen.json.get_array())
                             : mismatch(wanted, seen.json, "rows");
  }
  const std::string code = one.kind == StepKind::refused ? one.name : "";
  if (code != seen.code)
    return fmt::format("expected {}, got {}: {}", code.empty() ? "an answer" : "the error " + code,
                       seen.code.empty() ? "an answer" : "the error " + seen.code,
                       write_json(seen.json));
  const Result<Json> wanted = meant(one.json);
  if (!wanted) return Unexpected(wanted.error());
  return mismatch(*wanted, seen.json, std::string(expected_of(one.kind)));
}

// By the label of the ref's row, as whoever looks at the database would find it.
Result<std::string> ScenarioRunner::key_of(std::string_view ref) const {
  const Session* session = conversation_.session();
  const RefRegistry& registry =
      session != nullptr ? session->state().registry : service_->workspace().registry();
  const EntityNo entity = registry.find(ref);
  const Table* const table =
      entity == kNoEntity ? nullptr
                          : stage_.look().schema().find_ref(std::string(registry.type_of(entity)));
  std::string key = table == nullptr
                        ? ""
                        : stage_.look().key_of(table->name, std::string(registry.label(entity)));
  if (key.empty())
    return fail(ErrorCode::ref_unknown, "There is no key behind " + std::string(ref) + ".");
  return key;
}

std::string ScenarioRunner::learn_keys() {
  const Result<std::vector<std::string>> keys = stage_.look().keys();
  if (!keys) return error_text(keys.error());
  for (const std::string& key : *keys) {
    const std::string shown = plain(key);
    if (shown.size() < kPiece) continue;
    pieces_.insert(shown.substr(0, kPiece));
    pieces_.insert(shown.substr(shown.size() - kPiece));
  }
  return "";
}

std::string ScenarioRunner::leak_in(std::string_view text) const {
  const std::string shown = plain(text);
  for (std::size_t at = 0; at + kPiece <= shown.size(); ++at)
    if (const auto found = pieces_.find(shown.substr(at, kPiece)); found != pieces_.end())
      return fmt::format("a piece of a key is shown: {} in {}", *found, text);
  return "";
}

}  // namespace alfred
