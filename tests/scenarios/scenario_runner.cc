#include "scenario_runner.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "compile_rows.h"
#include "engine/scenario/json_match.h"
#include "killing_store.h"
#include "refs/key_door_for_tests.h"

namespace alfred {
namespace {

constexpr std::size_t kPiece = 8;
constexpr const char* kWorkspace = "scene";

std::string what(const Error& error) {
  return fmt::format("{}: {} (at {}) {}", error_name(error.code), error.message, error.path,
                     error.detail);
}

std::unique_ptr<RecordService> opened(RecordPlace place, ScenarioPlace& at) {
  Result<std::unique_ptr<RecordService>> service =
      RecordService::open(std::move(place), at.clock(), at.random());
  if (!service) throw std::runtime_error(what(service.error()));
  return std::move(*service);
}

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c;
  }
  return out;
}

}  // namespace

ScenarioRunner::ScenarioRunner(ScenarioPlace& place, const Pack& pack, bool reopens)
    : place_(place), pack_(pack), conversation_(ports(reopens)) {
  open();
}

ConversationPorts ScenarioRunner::ports(bool reopens) {
  return {.open = [this](const std::string& id) -> Result<std::unique_ptr<Session>> {
            SessionOptions options;
            options.id = id;
            return Session::open(place_.open(kWorkspace), std::move(options), place_.clock(),
                                 place_.random());
          },
          .learn = [this] { learn_keys(); },
          .leak = [this](std::string_view text) { return leak_in(text); },
          .reopens = reopens};
}

void ScenarioRunner::open() {
  service_ = opened(place_.open(kWorkspace), place_);
  service_->set_artifacts([this](std::string_view ref) -> const JsonObject* {
    const auto found = artifacts_.find(ref);
    return found == artifacts_.end() ? nullptr : &found->second.as_object();
  });
}

std::string ScenarioRunner::run(const Scenario& scenario) {
  const std::vector<ScenarioStep>& steps = scenario.steps;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    std::string failure;
    const ScenarioStep& one = steps[at];
    try {
      if (one.kind == StepKind::user) {
        std::size_t end = at + 1;
        while (end < steps.size() && steps[end].kind == StepKind::model) ++end;
        std::vector<ScenarioStep> answers(steps.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                          steps.begin() + static_cast<std::ptrdiff_t>(end));
        for (ScenarioStep& answer : answers) answer.text = with_keys(std::move(answer.text));
        failure = conversation_.user(one, answers);
        at = end - 1;
      } else {
        failure = step(one);
      }
    } catch (const std::exception& thrown) {
      failure = thrown.what();
    }
    if (!failure.empty()) return fmt::format("{}:{}: {}", scenario.file, one.line, failure);
  }
  const std::string failure = conversation_.finish();
  return failure.empty() ? "" : fmt::format("{}: replay: {}", scenario.file, failure);
}

std::string ScenarioRunner::step(const ScenarioStep& one) {
  switch (one.kind) {
    case StepKind::given: return given(one);
    case StepKind::generate: return generate(one);
    case StepKind::call: return one.options.contains("killed") ? killed(one) : call(one);
    case StepKind::expect: return expect(one);
    case StepKind::refused: return refused(one);
    case StepKind::rows: return rows(one);
    case StepKind::reject: place_.reject(one.name, one.json.as_object()); return "";
    case StepKind::accept: place_.accept(one.name); return "";
    case StepKind::outside: place_.outside(one.text); return "";
    case StepKind::restart:
      service_.reset();
      open();
      return conversation_.restart();
    case StepKind::user:
    case StepKind::model: return "answers follow what the user says";
    case StepKind::reply:
    case StepKind::prompt:
    case StepKind::calls:
    case StepKind::turn:
    case StepKind::state: return conversation_.check(one);
  }
  return "no such step";
}

// Rows of somebody who has a workspace of their own; links name rows by label.
std::string ScenarioRunner::given(const ScenarioStep& one) {
  const std::unique_ptr<RecordService> other = opened(place_.open("given"), place_);
  JsonArray list = one.json.as_array();
  const Table& table = *place_.schema().find(one.name);
  for (const Field& field : table.fields) {
    const bool is_used = field.link && std::any_of(list.begin(), list.end(), [&](const Json& row) {
                           return row.as_object().contains(field.name);
                         });
    if (!is_used) continue;
    const JsonObject all{{"table", field.link->table}, {"limit", 200}};
    if (const auto read = other->call("db_read", all, OpId::random()); !read)
      return what(read.error());
  }
  for (Json& row : list)
    for (const Field& field : table.fields) {
      Json* const value = field.link ? row.as_object().if_contains(field.name) : nullptr;
      if (value == nullptr || !value->is_string()) continue;
      const std::string label(value->as_string());
      const RefRegistry& registry = other->workspace().registry();
      const Table& target = *place_.schema().find(field.link->table);
      for (const std::string& ref : registry.known_refs(target.ref))
        if (registry.label(registry.find(ref)) == label) *value = ref;
    }
  const Result<std::string> done = other->call(
      "db_create", JsonObject{{"table", one.name}, {"data", std::move(list)}}, OpId::random());
  return done ? "" : what(done.error());
}

std::string ScenarioRunner::generate(const ScenarioStep& one) {
  const Table& table = *place_.schema().find(one.name);
  JsonArray labels;
  for (const Json& content : one.json.as_array())
    for (const std::string_view member :
         {std::string_view(table.label), std::string_view("title"), std::string_view("name")})
      if (const Json* label = content.as_object().if_contains(member)) {
        labels.push_back(*label);
        break;
      }
  outcome_ = service_->generate(JsonObject{{"table", one.name}, {"labels", std::move(labels)}},
                                OpId::random());
  if (!*outcome_) return what(outcome_->error());
  const Json answer = parse_json(**outcome_, JsonLimits::none()).value();
  for (std::size_t at = 0; at < one.json.as_array().size(); ++at)
    artifacts_[std::string(answer.at("generated").at(at).at("ref").as_string())] =
        one.json.as_array()[at];
  return leak_in(**outcome_);
}

OpId ScenarioRunner::op_of(const ScenarioStep& one) {
  const auto named = one.options.find("op");
  if (named == one.options.end()) return OpId::random();
  return ops_.try_emplace(named->second, OpId::random()).first->second;
}

Result<std::string> ScenarioRunner::compile(const Json& params) {
  std::vector<NamedContent> artifacts;
  for (const Json& ref : params.at("artifacts").as_array()) {
    const std::string name(ref.as_string());
    artifacts.emplace_back(name, &artifacts_.at(name).as_object());
  }
  const std::string table(params.at("table").as_string());
  Result<JsonObject> compiled = compile_rows(place_.schema(), *pack_.find(table), artifacts);
  if (!compiled) return Unexpected(compiled.error());
  compiled_ = compiled->at("rows").as_array();
  return write_json(*compiled);
}

Result<std::string> ScenarioRunner::run_tool(RecordService& service, const ScenarioStep& one,
                                             const Json& params) {
  if (one.name == "query") return service.query(params);
  if (one.name == "compile") return compile(params);
  if (one.name == "batch_status") return service.batch_status(batch_);
  if (one.name == "retry_batch") return service.retry_batch(batch_, op_of(one));
  if (one.name != "declare_batch") return service.call(one.name, params, op_of(one));
  Result<std::string> declared = service.declare_batch(params, op_of(one));
  if (declared) batch_ = parse_json(*declared, JsonLimits::none()).value().at("id").as_string();
  return declared;
}

std::string ScenarioRunner::call(const ScenarioStep& one) {
  const Json params = meant(one.json);
  learn_keys();
  outcome_ = run_tool(*service_, one, params);
  learn_keys();
  if (*outcome_) return leak_in(**outcome_);
  const Error& error = outcome_->error();
  std::string shown = error.message + "\n" + error.path;
  for (const std::string& allowed : error.allowed) shown += "\n" + allowed;
  return leak_in(shown);
}

std::string ScenarioRunner::killed(const ScenarioStep& one) {
  const Json params = meant(one.json);
  const OpId op = op_of(one);  // known here, for who repeats it
  learn_keys();
  service_.reset();
  const pid_t child = ::fork();
  if (child < 0) return "cannot fork";
  if (child == 0) {
    RecordPlace place = place_.open(kWorkspace);
    place.rows =
        std::make_unique<KillingStore>(std::move(place.rows), std::stoi(one.options.at("killed")));
    const auto service = opened(std::move(place), place_);
    const Result<std::string> done = service->call(one.name, params, op);
    ::_exit(done ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  open();
  outcome_.reset();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return "";
  return fmt::format("the process was not killed; it ended with status {}", status);
}

std::string ScenarioRunner::expect(const ScenarioStep& one) const {
  if (!outcome_) return "there is no answer";
  if (!*outcome_) return "refused: " + what(outcome_->error());
  return mismatch(meant(one.json), parse_json(**outcome_, JsonLimits::none()).value());
}

std::string ScenarioRunner::refused(const ScenarioStep& one) const {
  if (!outcome_) return "there is no answer";
  if (*outcome_) return "it was not refused: " + **outcome_;
  const Error& error = outcome_->error();
  if (error_name(error.code) != one.name) return "refused otherwise: " + what(error);
  const JsonObject shown{{"message", error.message},
                         {"path", error.path},
                         {"allowed", JsonArray(error.allowed.begin(), error.allowed.end())}};
  return mismatch(meant(one.json), shown);
}

std::string ScenarioRunner::rows(const ScenarioStep& one) {
  const JsonArray there = place_.rows(one.name);
  if (one.json.is_array()) return rows_mismatch(one.json.as_array(), there);
  JsonArray some;
  for (const Json& row : there)
    if (mismatch(one.json.at("where"), row).empty()) some.push_back(row);
  const Json& wanted = one.json.at("rows");
  return wanted.is_array() ? rows_mismatch(wanted.as_array(), some) : mismatch(wanted, some);
}

std::string ScenarioRunner::key_of(std::string_view ref) const {
  const Session* session = conversation_.session();
  const RefRegistry& registry =
      session != nullptr ? session->state().registry : service_->workspace().registry();
  const EntityNo entity = registry.find(ref);
  if (entity == kNoEntity || !registry.has_key(entity))
    throw std::runtime_error("there is no key behind " + std::string(ref));
  return KeyDoorForTests::text(RecordKey(registry.key(entity)));
}

Json ScenarioRunner::meant_text(std::string_view text) const {
  if (text == "$batch") return Json(batch_);
  if (text == "$rows") return compiled_;
  for (const std::string_view word : {"$key ", "$cut ", "$padded "}) {
    if (!text.starts_with(word)) continue;
    const std::string key = key_of(text.substr(word.size()));
    if (word == "$key ") return Json(key);
    if (word == "$cut ") return Json(key.substr(0, kPiece));
    return Json(key.substr(0, kPiece) + "-0000-0000-0000-000000000000");
  }
  return Json(text);
}

// What a model answers is text: "$key REF" between quotes.
std::string ScenarioRunner::with_keys(std::string text) const {
  for (const std::string_view word : {"\"$key ", "\"$cut ", "\"$padded "})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos) break;
      const Json said = meant_text(std::string_view(text).substr(at + 1, end - at - 1));
      text.replace(at + 1, end - at - 1, std::string_view(said.as_string()));
    }
  return text;
}

Json ScenarioRunner::meant(const Json& json) const {
  if (json.is_string()) return meant_text(json.as_string());
  if (json.is_array()) {
    JsonArray out;
    for (const Json& element : json.as_array()) out.push_back(meant(element));
    return out;
  }
  if (!json.is_object()) return json;
  JsonObject out;
  for (const auto& member : json.as_object()) out[member.key()] = meant(member.value());
  return out;
}

void ScenarioRunner::learn_keys() {
  for (const std::string& key : place_.keys()) {
    const std::string shown = plain(key);
    if (shown.size() < kPiece) continue;
    pieces_.insert(shown.substr(0, kPiece));
    pieces_.insert(shown.substr(shown.size() - kPiece));
  }
}

std::string ScenarioRunner::leak_in(std::string_view text) const {
  const std::string shown = plain(text);
  for (std::size_t at = 0; at + kPiece <= shown.size(); ++at)
    if (const auto found = pieces_.find(shown.substr(at, kPiece)); found != pieces_.end())
      return fmt::format("a piece of a key is shown: {} in {}", *found, text);
  return "";
}

}  // namespace alfred
