// The runner's calls, and what words in them stand for.
#include <algorithm>

#include "engine/scenario/compile_rows.h"
#include "engine/scenario/scenario_runner.h"

namespace alfred {
namespace {

std::string no_table(const std::string& name) { return "there is no table " + name; }

// Whether a row of the list says something of the field.
bool is_used(const JsonArray& list, const Field& field) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Json& row) { return row.get_object().contains(field.name); });
}

// The content's label, under the names it may have.
const Json* label_in(const Table& table, const JsonObject& content) {
  for (const std::string_view name :
       {std::string_view(table.label), std::string_view("title"), std::string_view("name")})
    if (const Json* label = name.empty() ? nullptr : content.if_contains(name)) return label;
  return nullptr;
}

// Labels become the refs that a workspace knows their rows by.
void name_rows(JsonArray& list, const Field& field, const Table& target,
               const RefRegistry& registry) {
  for (Json& row : list) {
    Json* const value = row.get_object().if_contains(field.name);
    if (value == nullptr || !value->is_string()) continue;
    const std::string label(value->get_string());
    for (const std::string& ref : registry.known_refs(target.ref))
      if (registry.label(registry.find(ref)) == label) *value = ref;
  }
}

}  // namespace

// Rows of somebody who has a workspace of their own; links name rows by label.
std::string ScenarioRunner::given(const ScenarioStep& one) {
  Result<RecordPlace> place = stage_.open("given");
  if (!place) return error_text(place.error());
  const auto opened = RecordService::open(std::move(*place), stage_.clock(), stage_.random());
  if (!opened) return error_text(opened.error());
  RecordService& other = **opened;
  const Schema& schema = stage_.look().schema();
  const Table* const table = schema.find(one.name);
  if (table == nullptr) return no_table(one.name);
  JsonArray list = one.json.get_array();
  for (const Field& field : table->fields) {
    const Table* const target = field.link ? schema.find(field.link->table) : nullptr;
    if (target == nullptr || !is_used(list, field)) continue;
    const JsonObject all{{"table", target->name}, {"limit", 200}};
    if (const auto read = other.call("db_read", all, OpId::random(stage_.random())); !read)
      return error_text(read.error());
    name_rows(list, field, *target, other.workspace().registry());
  }
  const JsonObject params{{"table", one.name}, {"data", std::move(list)}};
  const auto done = other.call("db_create", params, OpId::random(stage_.random()));
  if (!done) return error_text(done.error());
  const Result<JsonArray> there = stage_.look().rows(one.name);
  if (there) given_[one.name] = there->size();
  return there ? "" : error_text(there.error());
}

std::string ScenarioRunner::generate(const ScenarioStep& one) {
  const Table* const table = stage_.look().schema().find(one.name);
  if (table == nullptr) return no_table(one.name);
  const JsonArray& contents = one.json.get_array();
  JsonArray labels;
  for (const Json& content : contents) {
    const Json* const label = label_in(*table, content.get_object());
    if (label == nullptr) return "content has no label: " + write_json(content);
    labels.push_back(*label);
  }
  const JsonObject params{{"table", one.name}, {"labels", std::move(labels)}};
  outcome_ = service_->generate(params, OpId::random(stage_.random()));
  if (!*outcome_) return error_text(outcome_->error());
  const Result<Json> answer = parse_json(**outcome_, JsonLimits::none());
  if (!answer) return error_text(answer.error());
  const JsonArray& made = answer->at("generated").as_array();
  for (std::size_t at = 0; at < contents.size(); ++at)
    artifacts_[std::string(made[at].at("ref").as_string())] = contents[at];
  return leak_in(**outcome_);
}

OpId ScenarioRunner::op_of(const ScenarioStep& one) {
  const auto named = one.options.find("op");
  if (named == one.options.end()) return OpId::random(stage_.random());
  return ops_.try_emplace(named->second, OpId::random(stage_.random())).first->second;
}

Result<std::string> ScenarioRunner::compile(const Json& params) {
  const JsonObject* object = params.if_object();
  const Json* table = object == nullptr ? nullptr : object->if_contains("table");
  const Json* refs = object == nullptr ? nullptr : object->if_contains("artifacts");
  if (table == nullptr || !table->is_string() || refs == nullptr || !refs->is_array())
    return fail(ErrorCode::schema, R"(compile takes {"table": …, "artifacts": [refs]}.)");
  std::vector<NamedContent> artifacts;
  for (const Json& ref : refs->get_array()) {
    const auto found =
        ref.is_string() ? artifacts_.find(std::string_view(ref.get_string())) : artifacts_.end();
    if (found == artifacts_.end())
      return fail(ErrorCode::ref_unknown, "Nothing was generated under " + write_json(ref) + ".");
    artifacts.emplace_back(found->first, &found->second.get_object());
  }
  const PackEntity* const entity = service_->pack().find(std::string(table->get_string()));
  if (entity == nullptr) return fail(ErrorCode::table, "The pack declares no such table.", "table");
  Result<JsonObject> compiled = compile_rows(stage_.look().schema(), *entity, artifacts);
  if (!compiled) return Unexpected(compiled.error());
  compiled_ = compiled->at("rows").as_array();
  return write_json(*compiled);
}

Result<std::string> ScenarioRunner::run_tool(const ScenarioStep& one, const Json& params) {
  Session* const session = conversation_.session();
  RecordService& service =
      session != nullptr && one.options.contains("by") ? session->records() : *service_;
  if (one.options.contains("by")) return service.user_call(one.name, params, op_of(one));
  if (one.name == "query") return service.query(params);
  if (one.name == "compile") return compile(params);
  if (one.name == "batch_status") return service.batch_status(batch_);
  if (one.name == "retry_batch") return service.retry_batch(batch_, op_of(one));
  if (one.name != "declare_batch") return service.call(one.name, params, op_of(one));
  Result<std::string> declared = service.declare_batch(params, op_of(one));
  if (!declared) return declared;
  const Result<Json> answer = parse_json(*declared, JsonLimits::none());
  if (!answer) return Unexpected(answer.error());
  batch_ = std::string(answer->at("id").as_string());
  return declared;
}

std::string ScenarioRunner::call(const ScenarioStep& one) {
  const Result<Json> params = meant(one.json);
  if (!params) return error_text(params.error());
  if (std::string failure = learn_keys(); !failure.empty()) return failure;
  if (one.options.contains("killed")) return killed(one, *params);
  outcome_ = run_tool(one, *params);
  if (std::string failure = learn_keys(); !failure.empty()) return failure;
  if (*outcome_) return leak_in(**outcome_);
  const Error& error = outcome_->error();
  std::string shown = error.message + "\n" + error.path;
  for (const std::string& allowed : error.allowed) shown += "\n" + allowed;
  return leak_in(shown);
}

std::string ScenarioRunner::killed(const ScenarioStep& one, const Json& params) {
  const OpId op = op_of(one);  // known here, for who repeats it
  service_.reset();
  const auto work = [&](RecordPlace place) {
    const auto service = RecordService::open(std::move(place), stage_.clock(), stage_.random());
    return service && (*service)->call(one.name, params, op);
  };
  std::string failure = stage_.killed(kWorkspace, number_of(one, "killed"), work);
  outcome_.reset();
  if (!failure.empty()) return failure;
  const Result<void> opened = open();
  return opened ? "" : error_text(opened.error());
}

Result<Json> ScenarioRunner::meant_text(std::string_view text) const {
  if (text == "$batch") return Json(batch_);
  if (text == "$rows") return Json(compiled_);
  for (const std::string_view word : {"$key ", "$cut ", "$padded "}) {
    if (!text.starts_with(word)) continue;
    Result<std::string> key = key_of(text.substr(word.size()));
    if (!key) return Unexpected(std::move(key).error());
    if (word == "$key ") return Json(*key);
    if (word == "$cut ") return Json(key->substr(0, kPiece));
    return Json(key->substr(0, kPiece) + "-0000-0000-0000-000000000000");
  }
  return Json(text);
}

// What a model answers is text: "$key REF" between quotes.
Result<std::string> ScenarioRunner::with_keys(std::string text) const {
  for (const std::string_view word : {"\"$key ", "\"$cut ", "\"$padded "})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos) break;
      const Result<Json> said = meant_text(std::string_view(text).substr(at + 1, end - at - 1));
      if (!said) return Unexpected(said.error());
      text.replace(at + 1, end - at - 1, std::string_view(said->get_string()));
    }
  return text;
}

Result<Json> ScenarioRunner::meant(const Json& json) const {
  if (json.is_string()) return meant_text(json.get_string());
  if (json.is_array()) {
    JsonArray out;
    for (const Json& element : json.get_array()) {
      Result<Json> one = meant(element);
      if (!one) return one;
      out.push_back(std::move(*one));
    }
    return Json(std::move(out));
  }
  if (!json.is_object()) return json;
  JsonObject out;
  for (const auto& member : json.get_object()) {
    Result<Json> one = meant(member.value());
    if (!one) return one;
    out[member.key()] = std::move(*one);
  }
  return Json(std::move(out));
}

}  // namespace alfred
