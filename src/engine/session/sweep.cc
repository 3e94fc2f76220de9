#include "engine/session/sweep.h"

#include <array>

#include "engine/session/run_turn.h"
#include "engine/session/turn_hold.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 4> kNames{"finished", "interrupted", "waiting", "failed"};

// Brings one turn to an end, or to where it waits.
Result<SweptTo> settle(const LeftTurn& left, const SweepPorts& ports, const SweepOptions& options) {
  Result<RecordPlace> place = ports.open(left.user);
  if (!place) return Unexpected(std::move(place).error());
  SessionOptions opening;
  opening.id = std::string(left.turn.session.view());
  const Result<TurnHold> held = hold_turns(*place, opening.id, 0);
  if (!held && held.error().code == ErrorCode::busy) return SweptTo::waiting;  // it was not left
  if (!held) return Unexpected(held.error());
  opening.tuning = options.tuning;
  const auto session =
      Session::open(std::move(*place), std::move(opening), ports.clock, ports.random);
  if (!session) return Unexpected(session.error());
  Result<TurnProgress> progress = (*session)->resume();
  const bool can_answer =
      options.interpreter != nullptr && !(*session)->waits_for_caller() &&
      (!options.interpreter->needs_whole_facts() || (*session)->state().facts.settings.whole_facts);
  if (progress && !progress->is_finished && can_answer)
    progress = run_turn(**session, *options.interpreter, std::move(*progress));
  if (!progress) return Unexpected(std::move(progress).error());
  if (progress->is_finished) return SweptTo::finished;
  if (ports.clock.wall_ms() - left.turn.started_ms < options.waits_ms) return SweptTo::waiting;
  if (const auto ended = (*session)->cancel(); !ended) return Unexpected(ended.error());
  return SweptTo::interrupted;
}

}  // namespace

std::string_view swept_name(SweptTo end) { return kNames.at(static_cast<std::size_t>(end)); }

Result<std::vector<SweptTurn>> sweep_turns(RecordPlace& place, const SweepPorts& ports,
                                           const SweepOptions& options) {
  std::vector<LeftTurn> left;
  const auto read = [&](Tx& tx) -> Result<void> {
    Result<std::vector<LeftTurn>> found = running_turns(tx, options.most);
    if (!found) return Unexpected(std::move(found).error());
    left = std::move(*found);
    return {};
  };
  if (Result<void> done = place.state().read(place.caller, read); !done)
    return Unexpected(std::move(done).error());
  std::vector<SweptTurn> out;
  for (const LeftTurn& one : left) {
    SweptTurn swept{.session = std::string(one.turn.session.view()),
                    .turn = std::string(one.turn.id.view()),
                    .number = one.turn.number};
    const Result<SweptTo> end = settle(one, ports, options);
    swept.end = end ? *end : SweptTo::failed;
    if (!end) swept.error = end.error().message;
    out.push_back(std::move(swept));
  }
  return out;
}

}  // namespace alfred
