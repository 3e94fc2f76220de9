// The moves of a session as steps for the engine (move.h): each gives the machine one input and
// keeps what goes out.
#pragma once

#include <string>

#include "base/time/clock.h"
#include "engine/moves/move.h"
#include "engine/session/kept_texts.h"
#include "engine/session/session_store.h"
#include "turn/turn.h"

namespace alfred {

class RecordService;

// Compiles generated content by the pack's rules.
CompileArtifact compiler(const RecordService& service);

struct StepWorld {
  const SessionId& session;
  const TurnWorld& turn;
  const Clock& clock;
  Random& random;
  KeptTexts& texts;
};

// What all moves have in common: outcomes go to the machine, prompts and the turn's record to the
// store.
class SessionSteps : public MoveSteps {
 public:
  explicit SessionSteps(StepWorld world) : world_(world) {}
  Result<TurnMove> begin(SessionState& state, std::int64_t place) final;
  Result<TurnMove> outcome(SessionState& state, CallOutcome outcome) final;
  Result<void> keep(Tx& tx, const TurnMove& move) override;

  // How the move ended the turn, as its record has it; null: it did not.
  struct Ended {
    std::string turn{};
    std::string reply{};
  };
  const Ended* ended() const { return ended_ ? &*ended_ : nullptr; }

 protected:
  const StepWorld& world() const { return world_; }
  virtual Result<TurnMove> begin_turn(SessionState& state) = 0;
  Result<TurnMove> taken(Result<TurnMove> move, const SessionState& state);
  // The turn that the move belongs to, known once begin() has run, and what it ends with.
  std::string turn_{};
  std::string reply_{};
  bool has_failed_ = false;

 private:
  Result<void> keep_prompts(Tx& tx, const TurnMove& move) const;

  StepWorld world_;
  std::optional<Ended> ended_{};
};

class StartSteps final : public SessionSteps {
 public:
  StartSteps(StepWorld world, std::string_view message, std::string key,
             std::optional<SessionSettings> settings);
  Result<void> keep(Tx& tx, const TurnMove& move) override;

 private:
  Result<TurnMove> begin_turn(SessionState& state) override;
  std::string message_;
  std::string key_;
  std::optional<SessionSettings> settings_;
  bool is_new_ = false;
  std::uint32_t number_ = 0;
};

class AnswerSteps final : public SessionSteps {
 public:
  AnswerSteps(StepWorld world, Answer answer) : SessionSteps(world), answer_(std::move(answer)) {}

 private:
  Result<TurnMove> begin_turn(SessionState& state) override;
  Answer answer_;
};

class ResumeSteps final : public SessionSteps {
 public:
  using SessionSteps::SessionSteps;

 private:
  Result<TurnMove> begin_turn(SessionState& state) override;
};

class CancelSteps final : public SessionSteps {
 public:
  using SessionSteps::SessionSteps;

 private:
  Result<TurnMove> begin_turn(SessionState& state) override;
};

}  // namespace alfred
