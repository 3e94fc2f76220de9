#include "engine/scenario/conversation.h"

#include <algorithm>

#include "engine/scenario/act_sections.h"

namespace alfred {
namespace {

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return std::string(text);
}

std::string option_of(const ScenarioStep& step, std::string_view name) {
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
  if (const int number = number_of(step, "step"); number != 0) line["step"] = number;
  if (const std::string finish = option_of(step, "finish"); !finish.empty())
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
  if (!opened) return error_text(opened.error());
  session_ = std::move(*opened);
  return "";
}

std::string ScenarioConversation::restart() { return session_ ? open() : ""; }

std::string ScenarioConversation::user(const ScenarioStep& message,
                                       std::span<const ScenarioStep> scripted) {
  if (!session_)
    if (std::string failure = open(); !failure.empty()) return failure;
  RecordedAnswers answers;
  kills_.clear();
  for (const ScenarioStep& one : scripted) {
    answers.add(recorded(one));
    if (const int insert = number_of(one, "killed"); insert != 0)
      kills_.emplace_back(answer_text(one), insert);
  }
  asked_.clear();
  reply_.clear();
  Result<TurnProgress> progress = session_->start(trimmed(message.text), option_of(message, "key"));
  if (!progress) return error_text(progress.error());
  const bool is_reversed = option_of(message, "answers") == "reversed";
  if (std::string failure = turn_moves(std::move(*progress), answers, is_reversed);
      !failure.empty())
    return failure;
  if (ports_.is_live) return reply_.empty() ? "the turn ended without a word for the user" : "";
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
      if (!answer)
        return ports_.is_live ? error_text(answer.error())
                              : answer.error().message + "\nIt was shown:\n" + ask.user;
      const Result<bool> is_taken = survives(*answer, progress);
      if (!is_taken) return error_text(is_taken.error());
      if (*is_taken) continue;
      Result<TurnProgress> next = session_->answer(*answer);
      if (!next) return error_text(next.error());
      progress = std::move(*next);
      if (ports_.reopens)
        if (std::string failure = open(); !failure.empty()) return failure;
    }
  }
  reply_ = progress.reply;
  return "";
}

// R7: whether the answer was taken by the process that was killed.
Result<bool> ScenarioConversation::survives(const Answer& answer, TurnProgress& progress) {
  const auto killed = std::find_if(kills_.begin(), kills_.end(),
                                   [&](const auto& one) { return one.first == answer.text; });
  if (killed == kills_.end()) return false;
  const int insert = killed->second;
  kills_.erase(killed);
  const std::string id = session_->id();
  session_.reset();
  std::string failure = ports_.killed(id, answer, insert);
  Result<std::unique_ptr<Session>> opened = ports_.open(id);
  if (!opened) return Unexpected(std::move(opened).error());
  session_ = std::move(*opened);
  if (!failure.empty()) return fail(ErrorCode::pack, std::move(failure));
  Result<TurnProgress> resumed = session_->resume();
  if (!resumed) return Unexpected(std::move(resumed).error());
  const bool is_out = std::any_of(resumed->asks.begin(), resumed->asks.end(),
                                  [&](const Ask& ask) { return ask.id == answer.ask; });
  if (!is_out) progress = std::move(*resumed);
  return !is_out;
}

Result<Answer> ScenarioConversation::answer_to(const Ask& ask, RecordedAnswers& answers) {
  Result<Answer> scripted = page_answer(ask, answers);
  return ports_.model ? ports_.model(ask, std::move(scripted)) : scripted;
}

Result<Answer> ScenarioConversation::page_answer(const Ask& ask, RecordedAnswers& answers) const {
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
  if (!read) return "the session cannot be read back: " + error_text(read.error());
  if (write_session(*read) != written) return "the session reads back otherwise";
  for (const Ask& ask : progress.asks)
    if (std::string fault = section_fault(ask); !fault.empty()) return fault + "\n" + ask.user;
  if (!ports_.leak) return "";
  if (ports_.learn)
    if (std::string failure = ports_.learn(); !failure.empty()) return failure;
  for (const Ask& ask : progress.asks) {
    const SentPrompt sent = sent_prompt(ask);
    for (const std::string* text : {&sent.system, &sent.user, &sent.schema, &sent.facts})
      if (std::string leak = ports_.leak(*text); !leak.empty())
        return "in the prompt for " + std::string(name_of(ask.node)) + ": " + leak;
  }
  return ports_.leak(progress.reply);
}

Result<Json> ScenarioConversation::seen(const ScenarioStep& expected) const {
  switch (expected.kind) {
    case StepKind::reply: return Json(reply_);
    case StepKind::prompt: return prompt(expected);
    case StepKind::calls: return calls();
    case StepKind::turn: return turn();
    case StepKind::state: return state();
    default: return fail(ErrorCode::pack, "This is no part of a conversation.");
  }
}

// The last that the node was shown, or the one of a number (from 1), or of a step.
Result<Json> ScenarioConversation::prompt(const ScenarioStep& expected) const {
  const int number = number_of(expected, "ask");
  const int step = number_of(expected, "step");
  const Ask* found = nullptr;
  int count = 0;
  for (const Ask& ask : asked_) {
    if (name_of(ask.node) != expected.name) continue;
    if (step != 0 && (!ask.step || static_cast<int>(*ask.step) + 1 != step)) continue;
    ++count;
    if (number == 0 || count == number) found = &ask;
  }
  if (found == nullptr)
    return fail(ErrorCode::pack, "Nobody asked " + expected.name + " that in this turn.");
  return Json(found->user);
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
  if (!recording) return error_text(recording.error());
  const Result<ReplayReport> report = replay(*recording, session_->world());
  return report ? "" : error_text(report.error());
}

}  // namespace alfred
