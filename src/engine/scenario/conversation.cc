#include "engine/scenario/conversation.h"

#include <algorithm>

#include "engine/scenario/act_sections.h"
#include "engine/scenario/json_match.h"

namespace alfred {
namespace {

std::string what(const Error& error) {
  std::string out = std::string(error_name(error.code)) + ": " + error.message;
  if (!error.path.empty()) out += " (at " + error.path + ")";
  return error.detail.empty() ? out : out + "\n" + error.detail;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text);
}

std::string number_option(const ScenarioStep& step, std::string_view name) {
  const auto found = step.options.find(name);
  return found == step.options.end() ? "" : found->second;
}

void fill_in(JsonObject& given, const JsonObject& rest) {
  for (const auto& member : rest) {
    Json* const known = given.if_contains(member.key());
    if (known == nullptr)
      given.insert(member);
    else if (known->is_object() && member.value().is_object())
      fill_in(known->get_object(), member.value().get_object());
  }
}

// R5.
std::string answer_text(const ScenarioStep& step) {
  std::string text = trimmed(step.text);
  if (step.name != "understand") return text;
  Result<Json> json = parse_json(text, JsonLimits::none());
  if (!json || !json->is_object()) return text;
  fill_in(json->get_object(), to_json(UnderstandAnswer{}).get_object());
  return write_json(*json);
}

RecordedAnswer recorded(const ScenarioStep& step) {
  JsonObject line{{"node", step.name}, {"text", answer_text(step)}};
  if (const std::string number = number_option(step, "step"); !number.empty())
    line["step"] = static_cast<std::int64_t>(std::stoi(number));
  if (const std::string finish = number_option(step, "finish"); !finish.empty())
    line["finish"] = finish;
  Result<std::vector<RecordedAnswer>> read = read_recording(write_json(line));
  return read && !read->empty() ? read->front() : RecordedAnswer{};
}

JsonArray refs_of(const std::vector<EntitySnapshot>& tier) {
  JsonArray out;
  for (const EntitySnapshot& one : tier) out.push_back(Json(one.ref));
  return out;
}

}  // namespace

std::string ScenarioConversation::open() {
  const std::string id = session_ ? session_->id() : "";
  session_.reset();
  Result<std::unique_ptr<Session>> opened = ports_.open(id);
  if (!opened) return what(opened.error());
  session_ = std::move(*opened);
  return "";
}

std::string ScenarioConversation::restart() { return session_ ? open() : ""; }

std::string ScenarioConversation::user(const ScenarioStep& message,
                                       std::span<const ScenarioStep> scripted) {
  if (!session_)
    if (std::string failure = open(); !failure.empty()) return failure;
  RecordedAnswers answers;
  for (const ScenarioStep& one : scripted) answers.add(recorded(one));
  asked_.clear();
  reply_.clear();
  Result<TurnProgress> progress =
      session_->start(trimmed(message.text), number_option(message, "key"));
  if (!progress) return what(progress.error());
  const bool is_reversed = number_option(message, "answers") == "reversed";
  if (std::string failure = turn_moves(std::move(*progress), answers, is_reversed);
      !failure.empty())
    return failure;
  if (answers.left().empty()) return "";
  return "nobody asked " + std::string(name_of(answers.left().front().node)) +
         " for this answer: " + answers.left().front().text;
}

std::string ScenarioConversation::turn_moves(TurnProgress progress, RecordedAnswers& answers,
                                             bool is_reversed) {
  for (;;) {
    if (std::string failure = after_move(progress); !failure.empty()) return failure;
    if (progress.is_finished) break;
    if (progress.asks.empty()) return "the turn stands still: nothing is asked";
    for (const Ask& ask : progress.asks) {
      asked_.push_back(ask);
      asked_ever_.push_back(ask);
    }
    std::vector<Ask> round = std::move(progress.asks);
    if (is_reversed) std::reverse(round.begin(), round.end());
    for (const Ask& ask : round) {
      const Result<Answer> answer = answer_to(ask, answers);
      if (!answer) return answer.error().message + "\nIt was shown:\n" + ask.user;
      Result<TurnProgress> next = session_->answer(*answer);
      if (!next) return what(next.error());
      progress = std::move(*next);
      if (ports_.reopens)
        if (std::string failure = open(); !failure.empty()) return failure;
    }
  }
  reply_ = progress.reply;
  return "";
}

Result<Answer> ScenarioConversation::answer_to(const Ask& ask, RecordedAnswers& answers) {
  Result<Answer> answer = answers.answer(ask);
  if (answer) return answer;
  if (ask.node == Node::reply) return Answer{.ask = ask.id};
  if (ask.node == Node::summarize)
    return Answer{.ask = ask.id,
                  .text = R"({"assistant_summary":"answered","history_summary":null,)"
                          R"("engagement_summary":null})"};
  return answer;
}

std::string ScenarioConversation::after_move(const TurnProgress& progress) {
  const std::string written = write_session(session_->state());
  const Result<SessionState> read = read_session(written);
  if (!read) return "the session cannot be read back: " + what(read.error());
  if (write_session(*read) != written) return "the session reads back otherwise";
  for (const Ask& ask : progress.asks)
    if (std::string fault = section_fault(ask); !fault.empty()) return fault + "\n" + ask.user;
  if (!ports_.leak) return "";
  if (ports_.learn) ports_.learn();
  for (const Ask& ask : progress.asks) {
    const SentPrompt sent = sent_prompt(ask);
    for (const std::string* text : {&sent.system, &sent.user, &sent.schema, &sent.facts})
      if (std::string leak = ports_.leak(*text); !leak.empty())
        return "in the prompt for " + std::string(name_of(ask.node)) + ": " + leak;
  }
  return ports_.leak(progress.reply);
}

std::string ScenarioConversation::check(const ScenarioStep& expected) {
  switch (expected.kind) {
    case StepKind::reply: return mismatch(expected.json, Json(reply_), "reply");
    case StepKind::prompt: return check_prompt(expected);
    case StepKind::calls: return mismatch(expected.json, calls(), "calls");
    case StepKind::turn: return mismatch(expected.json, turn(), "turn");
    case StepKind::state: return mismatch(expected.json, state(), "state");
    default: return "this is no part of a conversation";
  }
}

// The last that the node was shown, or the one of a number (from 1), or of a step.
std::string ScenarioConversation::check_prompt(const ScenarioStep& expected) const {
  const std::string number = number_option(expected, "ask");
  const std::string step = number_option(expected, "step");
  const Ask* found = nullptr;
  int count = 0;
  for (const Ask& ask : asked_) {
    if (name_of(ask.node) != expected.name) continue;
    if (!step.empty() && (!ask.step || std::to_string(*ask.step + 1) != step)) continue;
    ++count;
    if (number.empty() || std::to_string(count) == number) found = &ask;
  }
  if (found == nullptr) return "the node was not asked";
  return mismatch(expected.json, Json(found->user), "prompt");
}

Json ScenarioConversation::calls() const {
  JsonArray out;
  const SessionFacts& facts = session_->state().facts;
  for (const TurnSteps& turn : facts.earlier_steps) {
    if (turn.turn != facts.turn) continue;
    for (const Step& step : turn.steps)
      for (const ToolResult& call : step.calls) out.push_back(to_json(call));
  }
  return out;
}

Json ScenarioConversation::turn() const {
  JsonArray nodes;
  for (const Ask& ask : asked_) nodes.push_back(Json(name_of(ask.node)));
  const SessionFacts& facts = session_->state().facts;
  JsonObject out{{"nodes", std::move(nodes)}, {"turn", facts.turn}};
  if (facts.last_ledger) out["ledger"] = to_json(*facts.last_ledger);
  if (!facts.trace.recent_summaries.empty())
    out["summary"] = to_json(facts.trace.recent_summaries.back());
  return out;
}

Json ScenarioConversation::state() const {
  if (!session_) return Json();
  const SessionState& now = session_->state();
  Json out = to_json(now.facts);
  const TurnWorld& world = session_->world();
  const EntityTiers tiers = entity_tiers(now.registry, now.facts.working_set,
                                         {.window = now.facts.settings.entity_window,
                                          .nested = nested_types(world.pack, world.schema)});
  out.get_object()["tiers"] = JsonObject{{"active", refs_of(tiers.active)},
                                         {"generated", refs_of(tiers.generated)},
                                         {"retained", refs_of(tiers.retained)},
                                         {"background", refs_of(tiers.background)}};
  return out;
}

std::string ScenarioConversation::finish() {
  if (!session_) return "";
  const Result<Recording> recording = session_->recording();
  if (!recording) return what(recording.error());
  const Result<ReplayReport> report = replay(*recording, session_->world());
  return report ? "" : what(report.error());
}

}  // namespace alfred
