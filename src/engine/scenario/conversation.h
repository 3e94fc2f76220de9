// The part of a scenario that is a conversation: what the user says, what the model answers, and
// what comes of it.
//
// R1 asks are answered from the page, in order; a node that the page is silent about: Reply says nothing, so the
//    status block is the reply, and Summarize says the least. Every other ask without an answer,
//    and every answer without an ask, is a failure.
// R2 after every move the session is read back from what it is written as, to the same bytes; with
//    `reopens` it is opened anew from the store.
// R3 what leaves for a model or a user is given to `leak`, which says what it gives away.
// R4 at the end of a page the session replays to the same bytes.
// R5 of what Understand answers a page writes what matters; the rest is filled in with what says nothing.
// R6 every prompt of Act has the sections of its step type (act_sections.h).
// R7 where an answer says so the process is killed while it carries it out; another resumes the turn, and gives
//    the answer again if the turn still waits for it.
// R8 whoever is given as the model answers instead; it is told what the page would have answered. Live, it makes up
//    its own: what the page scripts is not missed, and a turn that ends without a word is a
//    failure.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/scenario/scenario_stage.h"
#include "engine/session/session.h"
#include "interpreter/recorded/recorded_answers.h"
#include "pack/scenario/scenario.h"

namespace alfred {

// Answers an ask; `scripted` is what the page says, or that it says nothing.
using ScenarioModel = std::function<Result<Answer>(const Ask& ask, Result<Answer> scripted)>;

struct ConversationPorts {
  // Opens the session of this id; an empty one: a new session.
  std::function<Result<std::unique_ptr<Session>>(const std::string& id)> open{};
  std::function<std::string()> learn{};  // called before texts are looked at
  std::function<std::string(std::string_view text)> leak{};
  // Gives an answer to the session in a process that is killed before this insert.
  std::function<std::string(const std::string& id, const Answer& answer, int insert)> killed{};
  ScenarioModel model{};  // R8; none: the page answers
  bool is_live = false;
  bool reopens = false;
};

class ScenarioConversation {
 public:
  explicit ScenarioConversation(ConversationPorts ports) : ports_(std::move(ports)) {}

  // Each returns what is wrong; empty: nothing.
  std::string user(const ScenarioStep& message, std::span<const ScenarioStep> answers);
  std::string finish();   // R4
  std::string restart();  // of the process
  // What came of the last turn, of the kind that the step is about.
  Result<Json> seen(const ScenarioStep& expected) const;

  const Session* session() const { return session_.get(); }
  Session* session() { return session_.get(); }
  // Of all turns, in order.
  const std::vector<Ask>& asked_ever() const { return asked_ever_; }

 private:
  std::string open();
  std::string turn_moves(TurnProgress progress, RecordedAnswers& answers, bool is_reversed);
  Result<Answer> answer_to(const Ask& ask, RecordedAnswers& answers);
  Result<Answer> page_answer(const Ask& ask, RecordedAnswers& answers) const;
  std::string after_move(const TurnProgress& progress);
  Result<bool> survives(const Answer& answer, TurnProgress& progress);
  Result<Json> prompt(const ScenarioStep& expected) const;
  Json calls() const;
  Json turn() const;
  Json state() const;

  ConversationPorts ports_;
  std::unique_ptr<Session> session_;
  std::vector<std::pair<std::string, int>> kills_;  // R7: the answer's text, the insert
  std::vector<Ask> asked_;                          // of the last turn
  std::vector<Ask> asked_ever_;
  std::string reply_;
};

}  // namespace alfred
