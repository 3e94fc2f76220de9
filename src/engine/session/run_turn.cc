#include "engine/session/run_turn.h"

#include <algorithm>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace alfred {
namespace {

using Answers = std::vector<Result<Answer>>;

// As many at once as are given; in the order of the asks.
Answers answers_to(std::span<const Ask> asks, Interpreter& interpreter) {
  Answers out(asks.size(), fail(ErrorCode::model, "Nobody answered."));
  if (asks.size() == 1) {
    out[0] = interpreter.answer(asks[0]);
    return out;
  }
  std::vector<std::jthread> threads;
  threads.reserve(asks.size());
  for (std::size_t at = 0; at < asks.size(); ++at)
    threads.emplace_back([&, at] { out[at] = interpreter.answer(asks[at]); });
  threads.clear();  // waits for all
  return out;
}

class TurnRun {
 public:
  TurnRun(Session& session, Interpreter& interpreter, const RunTurnOptions& options)
      : session_(session), interpreter_(interpreter), options_(options) {}

  Result<TurnProgress> run(TurnProgress progress) {
    for (;;) {
      if (options_.on_move) options_.on_move(progress);
      if (progress.is_finished || interpreter_.is_caller()) return progress;
      if (progress.asks.empty())
        return fail(ErrorCode::bug, "The turn stands still: nothing is asked.");
      Result<TurnProgress> next = round(progress.asks);
      if (!next) return next;
      progress = std::move(*next);
    }
  }

 private:
  bool is_cancelled() const { return options_.is_cancelled && options_.is_cancelled(); }
  bool is_stopping() const { return options_.is_stopping && options_.is_stopping(); }
  static Unexpected stopped() {
    return fail(ErrorCode::busy,
                "The program is ending. What the turn has done is kept; go on with it later.");
  }

  // The asks that are out, answered; what the last answer led to.
  Result<TurnProgress> round(const std::vector<Ask>& asks) {
    const std::size_t most = std::max<std::size_t>(interpreter_.most_at_once(), 1);
    std::optional<TurnProgress> progress;
    std::optional<Error> missing;
    for (std::size_t at = 0; at < asks.size(); at += most) {
      if (is_cancelled()) return session_.cancel();
      if (is_stopping()) return stopped();
      const auto part = std::span(asks).subspan(at, std::min(most, asks.size() - at));
      for (const Result<Answer>& answer : answers_to(part, interpreter_)) {
        if (is_cancelled()) return session_.cancel();
        if (is_stopping()) return stopped();
        if (!answer) {
          if (!missing) missing = answer.error();
          continue;
        }
        Result<TurnProgress> next = session_.answer(*answer);
        if (!next) return next;
        progress = std::move(*next);
      }
      if (missing) return Unexpected(*std::move(missing));
    }
    return *std::move(progress);
  }

  Session& session_;
  Interpreter& interpreter_;
  const RunTurnOptions& options_;
};

}  // namespace

Result<TurnProgress> run_turn(Session& session, Interpreter& interpreter, TurnProgress progress,
                              const RunTurnOptions& options) {
  return TurnRun(session, interpreter, options).run(std::move(progress));
}

}  // namespace alfred
