// Session: one conversation that is kept. It drives the machine of a turn, carries out its calls
// through the records and stores every step before anybody sees what follows from it.
//
// R1 a move (a message, or an answer, and all that follows until a model is asked again) is one write: rows,
//    refs, batches, journal, prompts and the turn's record commit together (move.h).
// R2 a prompt that goes out is stored under its prm_ id first, and has passed the guard.
// R3 the same key again gives the turn it began, finished or not; it never runs twice.
// R4 after any stop the turn goes on where it was: resume() gives the asks that are out, byte for byte.
// R5 several processes may have it open: who moves a turn that somebody else moved meanwhile is told so
//    (turn_moved) and nothing happens.
// R6 a secret of the installation that somebody pastes, or a model says, is [secret] before it is stored.
// R7 nobody can type a wake-up: one comes through wake() only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/record_service.h"
#include "engine/session/replay.h"
#include "engine/session/session_store.h"
#include "engine/session/turn_steps.h"
#include "turn/turn.h"

namespace alfred {

// What an installation sets for all of its sessions.
struct SessionTuning {
  CoreTexts texts = embedded_core_texts();
  // From the next turn on; what is not named is as the session has it.
  std::vector<std::pair<std::uint32_t SessionSettings::*, std::uint32_t>> settings{};
};

struct SessionOptions {
  std::string id{};  // ses_…; empty: a new one
  SessionTuning tuning{};
  std::vector<std::string> secrets{};  // that no prompt may hold
  // The user's clock, an IANA name; empty: as the session has it.
  std::string zone{};
  // For an interpreter that answers from facts alone (interpreter.h); none: as the session has it.
  std::optional<bool> whole_facts{};
  // The turns that are begun here are answered by who began them (interpreter.h, R1).
  bool caller_answers = false;
};

// Where a turn stands.
struct TurnProgress {
  std::string turn{};       // trn_…
  std::vector<Ask> asks{};  // to be answered; none: it is over
  bool is_finished = false;
  std::string reply{};
};

class Session {
 public:
  // The place's workspace name is set here: a session has its own. Error: session.
  static Result<std::unique_ptr<Session>> open(RecordPlace place, SessionOptions options,
                                               const Clock& clock, Random& random);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& id() const { return id_; }
  const SessionRecord& record() const { return record_; }
  const SessionState& state() const { return service_->workspace().state(); }
  const TurnWorld& world() const { return world_; }
  // Whether a turn is running that only its caller may answer, unless somebody says otherwise.
  bool waits_for_caller() const;
  RecordService& records() { return *service_; }

  // Errors: turn_open, value, limit.
  Result<TurnProgress> start(const std::string& typed, const std::string& key = "");
  // The same for what came in by itself (wake_up.h).
  Result<TurnProgress> wake(const std::string& message, const std::string& key);
  // Error: turn_moved when nothing waits for it.
  Result<TurnProgress> answer(const Answer& answer);
  // The turn that is running, or the last one. Error: turn_moved when one is running that was begun
  // without the facts this interpreter answers from.
  Result<TurnProgress> resume();
  // Ends the running turn without a reply; what it did stays done and is told in the next.
  Result<TurnProgress> cancel();

  // What replay() needs.
  Result<Recording> recording();

 private:
  struct Ports {
    const Clock& clock;
    Random& random;
  };
  Session(SessionRecord record, std::unique_ptr<RecordService> service, SessionOptions options,
          Ports ports);
  Result<TurnProgress> begin(const std::string& given, const std::string& key);
  Result<TurnProgress> move(SessionSteps& steps);
  StepWorld step_world();
  std::optional<SessionSettings> new_settings() const;
  bool has_facts_for_running_turn() const;
  Result<std::optional<TurnRecord>> last_turn();

  SessionRecord record_;
  std::string id_;
  std::unique_ptr<RecordService> service_;
  PromptTexts texts_;
  TurnWorld world_;
  Ports ports_;
  std::string zone_;
  std::optional<bool> whole_facts_;
  bool caller_answers_;
  KeptTexts kept_texts_;
  std::vector<std::pair<std::uint32_t SessionSettings::*, std::uint32_t>> settings_;
};

}  // namespace alfred
