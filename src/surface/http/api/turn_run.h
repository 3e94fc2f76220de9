// A turn that a request moves: from its start or where it stood to its end, or to where the caller
// has to answer.
//
// R1 what is told as events is what was committed, and each once; the last event is turn or error.
// R2 a reader that goes away does not stop it; whoever asks again with its key gets the turn (F3).
// R3 a turn whose model gives no answer stays open, and can be resumed.
#pragma once

#include <memory>
#include <string>

#include "engine/feed/turn_feed.h"
#include "engine/session/run_turn.h"
#include "engine/session/turn_hold.h"
#include "surface/http/api/open_session.h"

namespace alfred::http {

class TurnRun {
 public:
  // Takes the session's slot and opens it. `interpreter`: a name; empty: the server's own. Errors:
  // turn_open, session, value.
  static Result<std::unique_ptr<TurnRun>> open(Api& api, const std::string& session,
                                               const std::string& interpreter);

  // Each is a move of the session; an error is nothing that happened.
  Result<void> start(const std::string& message, const std::string& key);
  Result<void> answer(const std::string& turn, const Answer& answer);
  Result<void> resume(const std::string& turn);
  Result<void> cancel(const std::string& turn);

  // Drives on and answers: with the turn, or with its events.
  static Result<HttpResponse> response(std::unique_ptr<TurnRun> run, const RouteCall& call);

 private:
  explicit TurnRun(Api& api) : api_(api) {}
  Result<void> check_running(const std::string& turn) const;
  Result<void> drive(const RunTurnOptions& options);
  Result<Json> shown();
  void stream_to(ResponseStream& stream);
  void tell_news(ResponseStream& stream, EventWriter& events);
  void tell_end(ResponseStream& stream, const Result<void>& driven);

  Api& api_;
  std::shared_ptr<TurnSlots::Slot> slot_;
  TurnHold hold_;
  std::shared_ptr<Interpreter> interpreter_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<TurnFeed> feed_;
  TurnProgress progress_;
  ResponseStream* stream_ = nullptr;  // while there is one
  std::string turn_{};
  TraceParent trace_{};
};

}  // namespace alfred::http
