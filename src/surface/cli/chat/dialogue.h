// A conversation that is open: a session, who speaks in it and where its words come out.
//
// R1 a turn that a stop cut off is finished before anything else is said.
// R2 Ctrl-C ends the turn that is running; what it did stays done, and the session goes on.
// R3 a turn that nobody answered stays open: an empty line tries again, another message gives it up. Where no person
//    is there to try again it is given up at once.
// R4 what is recorded is on the disk after every turn, in a file for one's own eyes (0600).
// R5 of several chats in one session one speaks at a time: the others wait until it has its reply, and see nothing of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/session/run_turn.h"
#include "engine/session/turn_hold.h"
#include "interpreter/recorded/recorded_answers.h"
#include "surface/cli/chat/choose_interpreter.h"
#include "surface/cli/chat/screen.h"
#include "surface/cli/named_place.h"

namespace alfred::cli {

// What became of a turn.
enum class TurnEnd : std::uint8_t { finished, failed, interrupted };

struct DialogueWorld {
  const RecordPlace& place;
  Ports& ports;
  Speaker& speaker;
  Screen& screen;
  std::string record_path{};           // empty: nothing is recorded
  bool is_attended = false;            // a person is there to try again
  std::vector<std::string> secrets{};  // that no prompt may hold
  SessionTuning tuning{};
};

struct WantedSession {
  std::string id{};     // ses_…
  bool is_new = false;  // else the last one
};

class Dialogue {
 public:
  static Result<std::unique_ptr<Dialogue>> open(const DialogueWorld& world,
                                                const WantedSession& wanted);

  Session& session() { return *session_; }
  const DialogueWorld& world() const { return world_; }
  bool is_first() const { return is_first_; }  // of this user and pack

  bool has_open_turn() const { return session_->state().facts.running.has_value(); }
  // R1. finished where there was nothing to do.
  TurnEnd finish_open_turn();
  TurnEnd say(const std::string& message);
  Result<void> begin_anew();
  // Takes in what others did in the session meanwhile; it is not told.
  void catch_up();

 private:
  explicit Dialogue(DialogueWorld world) : world_(std::move(world)) {}
  Result<void> open_session(const std::string& id);
  std::optional<TurnHold> hold_session();
  TurnEnd not_held() const;
  TurnEnd drive(Result<TurnProgress> progress);
  TurnEnd end(const Result<TurnProgress>& progress);
  void watch(const TurnProgress& progress);
  void show_news();
  void tell(const std::string& reply);
  void record();
  Interpreter& interpreter();

  DialogueWorld world_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<TurnFeed> feed_;
  std::unique_ptr<EventWriter> events_;
  std::unique_ptr<RecordingInterpreter> recording_;
  std::string told_reply_;  // of the turn that is running
  bool has_failed_ = false;
  bool was_interrupted_ = false;
  bool is_first_ = false;
};

// The last session of the place's user and pack; empty: there is none.
Result<std::string> last_session_of(const RecordPlace& place);

}  // namespace alfred::cli
