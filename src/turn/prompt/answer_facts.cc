#include "turn/prompt/answer_facts.h"

#include <fmt/format.h>

#include <set>

#include "context/call_effects.h"
#include "context/conversation_view.h"
#include "turn/prompt/labels.h"
#include "turn/prompt/looked_at.h"
#include "turn/prompt/user_clock.h"

namespace alfred {
namespace {

Json now_facts(const Scene& scene) {
  const UserClock now = user_clock(scene);
  const std::string& time = scene.has_edition(2) ? now.to_the_second : now.time;
  return JsonObject{{"date", now.date}, {"time", time}, {"zone", now.zone}};
}

JsonArray texts(const std::vector<std::string>& from) {
  JsonArray out;
  for (const std::string& one : from) out.push_back(Json(one));
  return out;
}

JsonArray mention_facts(const Scene& scene) {
  JsonArray out;
  for (const ResolvedMention& one : scene.turn().mentions) {
    JsonArray labels;
    for (const std::string& ref : one.resolved)
      labels.push_back(Json(named_entity(scene, ref).label));
    out.push_back(JsonObject{{"raw_text", one.raw_text},
                             {"type", one.entity_type},
                             {"resolved", texts(one.resolved)},
                             {"labels", std::move(labels)},
                             {"confidence", name_of(one.confidence)}});
  }
  return out;
}

// Links with the names they lead to, which stand beside the rows of an answer.
Json linked(const Json& json, const JsonObject& labels) {
  if (const JsonArray* list = json.if_array()) {
    JsonArray out;
    for (const Json& one : *list) out.push_back(linked(one, labels));
    return out;
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return json;
  JsonObject out;
  for (const auto& member : *object) {
    const JsonString* ref = member.key() == "id" ? nullptr : member.value().if_string();
    const Json* label = ref == nullptr ? nullptr : labels.if_contains(*ref);
    out[member.key()] = label == nullptr ? linked(member.value(), labels)
                                         : Json(JsonObject{{"ref", *ref}, {"label", *label}});
  }
  return out;
}

Json with_labels(const Json& answer) {
  const JsonObject* object = answer.if_object();
  const Json* labels = object == nullptr ? nullptr : object->if_contains("labels");
  if (labels == nullptr || !labels->is_object()) return answer;
  JsonObject out = *object;
  out.stable_erase("labels");
  return linked(out, labels->get_object());
}

Json call_facts(const ToolResult& call, bool is_told) {
  JsonObject out{{"tool", call.tool}, {"params", call.params}};
  if (call.answer) {
    Json answer = with_labels(*call.answer);
    out["answer"] = is_told ? without_ids(answer) : std::move(answer);
  }
  if (call.error)
    out["error"] = JsonObject{{"code", call.error->code}, {"message", call.error->message}};
  return out;
}

JsonArray result_facts(const Scene& scene, bool is_told) {
  JsonArray out;
  if (!scene.turn().plan) return out;
  for (const Step& step : scene.turn().plan->steps) {
    JsonArray calls;
    for (const ToolResult& call : step.calls) calls.push_back(call_facts(call, is_told));
    JsonObject one{{"step_type", name_of(step.step_type)},
                   {"status", name_of(step.status)},
                   {"calls", std::move(calls)}};
    if (step.answer) one["answer"] = *step.answer;
    if (step.data) one["data"] = is_told ? without_ids(*step.data) : *step.data;
    out.push_back(std::move(one));
  }
  return out;
}

JsonArray artifact_facts(const Scene& scene, bool is_told) {
  JsonArray out;
  for (const StoredArtifact* one : scene.artifacts()) {
    if (one->saved_as) continue;
    JsonObject shown{{"type", one->type}, {"label", one->label}, {"turn", one->turn}};
    if (!is_told) shown["ref"] = one->ref;
    shown["content"] = is_told ? without_ids(one->content) : one->content;
    out.push_back(std::move(shown));
  }
  return out;
}

// Refs of rows, with those of the rows nested in them.
void add_row_refs(const Json& rows, JsonArray& out) {
  if (!rows.is_array()) return;
  for (const Json& row : rows.get_array()) {
    if (!row.is_object()) return;
    if (std::string ref = ref_of_row(row); !ref.empty()) out.push_back(Json(ref));
    for (const auto& member : row.get_object()) add_row_refs(member.value(), out);
  }
}

// The rows that turns before this one have shown, as far as the window goes.
JsonArray shown_rows(const Scene& scene) {
  JsonArray out;
  for (const TurnSteps& turn : scene.facts().earlier_steps)
    for (const Step& step : turn.steps)
      for (const ToolResult& call : step.calls)
        if (const JsonArray* rows = call.answer ? rows_of(*call.answer) : nullptr)
          add_row_refs(Json(*rows), out);
  const LookedAt unseen = looked_at(scene);
  JsonArray seen;
  for (const Json& ref : out)
    if (!unseen.candidates.contains(ref.get_string()) && !unseen.unnamed.contains(ref.get_string()))
      seen.push_back(ref);
  return seen;
}

JsonArray looked_at_facts(const Scene& scene) {
  const LookedAt rows = looked_at(scene);
  JsonArray out;
  for (const auto* refs : {&rows.candidates, &rows.unnamed})
    for (const std::string& ref : *refs) out.push_back(Json(ref));
  return out;
}

// What the turn before was about, by the calls it made; it does not change while this one goes on.
JsonArray last_tables(const Scene& scene) {
  std::set<std::string> tables;
  for (const TurnSteps& turn : scene.facts().earlier_steps)
    if (turn.turn + 1 == scene.turn().turn)
      for (const Step& step : turn.steps)
        for (const ToolResult& call : step.calls)
          if (const Json* table =
                  call.params.is_object() ? call.params.get_object().if_contains("table") : nullptr;
              table != nullptr && table->is_string())
            tables.emplace(table->get_string());
  JsonArray out;
  for (const std::string& one : tables) out.push_back(Json(one));
  return out;
}

// What the last step of the turn before kept for this one; null: nothing.
const Json* kept_data(const Scene& scene) {
  const std::vector<TurnSteps>& turns = scene.facts().earlier_steps;
  if (turns.empty() || turns.back().turn + 1 != scene.turn().turn || turns.back().steps.empty())
    return nullptr;
  const std::optional<Json>& data = turns.back().steps.back().data;
  return data && data->is_object() ? &*data : nullptr;
}

JsonArray pending_items(const Scene& scene, std::uint32_t step) {
  JsonArray out;
  const Step& now = scene.turn().plan->steps[step];
  const BatchManifest* manifest = now.batch ? scene.state().batch(*now.batch) : nullptr;
  if (manifest == nullptr) return out;
  for (const BatchItem& item : manifest->items())
    if (item.status == ItemStatus::pending) out.push_back(Json(item.ref));
  return out;
}

}  // namespace

Json without_ids(const Json& json) {
  if (const JsonArray* list = json.if_array()) {
    JsonArray out;
    for (const Json& one : *list) out.push_back(without_ids(one));
    return out;
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return json;
  if (object->contains("ref") && object->contains("label")) return object->at("label");
  JsonObject out;
  constexpr std::string_view kLink = "_id";
  for (const auto& member : *object) {
    std::string_view name = member.key();
    if (name == "id" || name == "ref" || name == "cursor") continue;
    const bool is_label =
        member.value().is_object() && member.value().get_object().contains("label");
    if (name.ends_with(kLink)) {
      if (!is_label) continue;
      name.remove_suffix(kLink.size());
    }
    out[name] = without_ids(member.value());
  }
  return out;
}

Result<void> add_answer_facts(const Scene& scene, Ask& ask) {
  if (!scene.facts().settings.whole_facts || ask.node == Node::summarize) return {};
  Result<Json> read = parse_json(ask.facts_json, JsonLimits::none());
  if (!read) return Unexpected(std::move(read).error());
  JsonObject& facts = read->get_object();
  const bool is_told = ask.node == Node::reply;
  facts["now"] = now_facts(scene);
  facts["turn"] = scene.turn().turn;
  const Conversation& conversation = scene.facts().conversation;
  if (!conversation.recent.empty()) {
    facts["previous"] = conversation.recent.back().user;
    if (is_told) facts["previous_reply"] = conversation.recent.back().reply;
  }
  facts["looked_at"] = looked_at_facts(scene);
  facts["last_tables"] = last_tables(scene);
  if (const Json* kept = kept_data(scene); kept != nullptr && scene.facts().settings.has_edition(4))
    facts["kept"] = is_told ? without_ids(*kept) : *kept;
  if (scene.turn().resumed) facts["resumed"] = pending_facts(*scene.turn().resumed);
  facts["constraints"] = to_json(scene.facts().constraints);
  if (ask.node != Node::understand) facts["mentions"] = mention_facts(scene);
  if (ask.node != Node::understand && ask.node != Node::think) {
    facts["results"] = result_facts(scene, is_told);
    facts["artifacts"] = artifact_facts(scene, is_told);
    if (ask.step) facts["pending_items"] = pending_items(scene, *ask.step);
    if (!is_told) facts["shown"] = shown_rows(scene);
    if (is_told && scene.turn().pending) facts["asks"] = pending_facts(*scene.turn().pending);
  }
  ask.facts_json = write_json(is_told ? json_in_labels(scene, *read) : *read);
  return {};
}

}  // namespace alfred
