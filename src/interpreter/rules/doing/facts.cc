#include "interpreter/rules/doing/facts.h"

#include <algorithm>

namespace alfred::rules {
namespace {

const JsonArray* list_of(const JsonObject& object, std::string_view name) {
  const Json* value = member(object, name);
  return value == nullptr ? nullptr : value->if_array();
}
const JsonObject* object_of(const JsonObject& object, std::string_view name) {
  const Json* value = member(object, name);
  return value == nullptr ? nullptr : value->if_object();
}

template <class Read>
void each_object(const JsonObject& object, std::string_view name, const Read& read) {
  if (const JsonArray* list = list_of(object, name))
    for (const Json& one : *list)
      if (const JsonObject* inner = one.if_object()) read(*inner);
}

// What was linked to in this turn was not known when its message was read.
bool is_new_link(const Known& known, std::uint32_t turn) {
  return turn > 0 && known.turn == turn && known.status == "linked";
}

void read_known(const JsonObject& entities, std::uint32_t turn, std::vector<Known>& out) {
  for (const char* tier : {"active", "generated", "retained", "background"})
    each_object(entities, tier, [&](const JsonObject& one) {
      Known known{.ref = text_of(one, "ref"),
                  .type = text_of(one, "type"),
                  .label = text_of(one, "label"),
                  .status = text_of(one, "status")};
      known.turn = static_cast<std::uint32_t>(number_of(one, "turn_last_ref", 0));
      known.is_generated = std::string_view(tier) == "generated";
      known.is_background = std::string_view(tier) == "background";
      known.words = words_in(known.label);
      for (std::string& part : parts_of_words(known.words)) known.words.push_back(std::move(part));
      if (!is_new_link(known, turn)) out.push_back(std::move(known));
    });
}

MentionFact read_mention(const JsonObject& one) {
  MentionFact out{.raw_text = text_of(one, "raw_text"),
                  .type = text_of(one, "type"),
                  .refs = texts_of(one, "resolved"),
                  .labels = texts_of(one, "labels")};
  out.is_sure = text_of(one, "confidence") != "medium";
  return out;
}

StepFact read_step(const JsonObject& one) {
  StepFact out{.type = text_of(one, "step_type"),
               .status = text_of(one, "status"),
               .answer = text_of(one, "answer")};
  if (const JsonObject* data = object_of(one, "data")) out.say = text_of(*data, "say");
  each_object(one, "calls", [&](const JsonObject& call) {
    CallFact fact{.tool = text_of(call, "tool"), .answer = object_of(call, "answer")};
    if (const JsonObject* params = object_of(call, "params")) fact.params = *params;
    if (const JsonObject* error = object_of(call, "error")) fact.error = text_of(*error, "message");
    out.calls.push_back(std::move(fact));
  });
  return out;
}

Constraint read_constraint(const JsonObject& one) {
  Constraint out{.type = text_of(one, "type"), .field = text_of(one, "field")};
  if (const Json* value = member(one, "value")) out.value = *value;
  out.confidence = number_of(one, "confidence", 1);
  return out;
}

void read_constraints(const JsonObject& from, Facts& out) {
  const auto take = [&](const JsonObject& one) { out.constraints.push_back(read_constraint(one)); };
  each_object(from, "permanent", take);
  out.permanent = out.constraints;
  if (const JsonObject* goal = object_of(from, "active_goal")) {
    out.has_goal = true;
    each_object(*goal, "constraints", take);
  }
}

void read_resumed(const JsonObject& from, Facts& out) {
  ResumedFact resumed{.type = text_of(from, "type"),
                      .message = text_of(from, "message"),
                      .context = text_of(from, "context"),
                      .candidates = texts_of(from, "questions")};
  out.thread = texts_of(from, "before");
  out.thread.push_back(resumed.message);
  out.resumed = std::move(resumed);
}

void read_talk(const JsonObject& from, Facts& out) {
  out.story = text_of(from, "history_summary");
  each_object(from, "recent_turns", [&](const JsonObject& one) {
    out.talk.push_back(
        {static_cast<std::uint32_t>(number_of(one, "turn", 0)), text_of(one, "assistant")});
  });
}

}  // namespace

std::vector<const JsonObject*> StepFact::rows() const {
  std::vector<const JsonObject*> out;
  for (const CallFact& call : calls)
    if (call.answer != nullptr)
      each_object(*call.answer, "rows", [&](const JsonObject& row) { out.push_back(&row); });
  return out;
}

const MentionFact* Facts::mention(std::string_view raw_text, std::string_view type) const {
  for (const MentionFact& one : mentions)
    if (one.raw_text == raw_text && (type.empty() || one.type == type)) return &one;
  return nullptr;
}

Facts Facts::read(const Json& facts) {
  Facts out;
  const JsonObject* object = facts.if_object();
  if (object == nullptr) return out;
  out.message = text_of(*object, "message");
  if (const JsonObject* now = object_of(*object, "now"))
    out.now = Now::read(text_of(*now, "date"), text_of(*now, "time"), text_of(*now, "zone"));
  out.turn = static_cast<std::uint32_t>(number_of(*object, "turn", 0));
  if (const JsonObject* talk = object_of(*object, "conversation")) read_talk(*talk, out);
  if (const JsonObject* entities = object_of(*object, "entities"))
    read_known(*entities, out.turn, out.known);
  // Nobody spoke of these: they are known by their names only.
  const std::vector<std::string> looked_at = texts_of(*object, "looked_at");
  for (Known& one : out.known)
    if (std::find(looked_at.begin(), looked_at.end(), one.ref) != looked_at.end())
      one.is_looked_at = true;
  each_object(*object, "mentions",
              [&](const JsonObject& one) { out.mentions.push_back(read_mention(one)); });
  if (const JsonObject* resumed = object_of(*object, "resumed")) read_resumed(*resumed, out);
  each_object(*object, "results",
              [&](const JsonObject& one) { out.steps.push_back(read_step(one)); });
  each_object(*object, "artifacts", [&](const JsonObject& one) {
    const Json* made = member(one, "turn");
    out.artifacts.push_back(
        {text_of(one, "ref"), text_of(one, "type"), text_of(one, "label"),
         object_of(one, "content"),
         made != nullptr && made->is_number() ? made->to_number<std::int64_t>() : 0});
  });
  if (const JsonObject* constraints = object_of(*object, "constraints"))
    read_constraints(*constraints, out);
  out.previous = text_of(*object, "previous");
  if (const JsonObject* kept = object_of(*object, "kept")) out.kept = *kept;
  out.last_tables = texts_of(*object, "last_tables");
  out.previous_reply = text_of(*object, "previous_reply");
  out.status = text_of(*object, "status");
  if (const JsonObject* asks = object_of(*object, "asks")) {
    out.question = text_of(*asks, "context");
    out.choices = texts_of(*asks, "questions");
  }
  out.pending_items = texts_of(*object, "pending_items");
  out.shown = texts_of(*object, "shown");
  return out;
}

}  // namespace alfred::rules
