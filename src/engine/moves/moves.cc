// Moves on a database of ours: one transaction (move.h, R2).
#include <deque>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "engine/record_service.h"
#include "records/read/read_rows.h"

namespace alfred {
namespace {

// Not something that a model can do anything about.
bool ends_move(const Error& error) {
  const ErrorKind kind = error_kind(error.code);
  return kind == ErrorKind::unavailable || kind == ErrorKind::bug;
}

}  // namespace

Json RecordService::params_of(const RecordCall& call) {
  if (!call.batch || call.tool == "db_read" || !call.params.is_object()) return call.params;
  JsonObject params = call.params.get_object();
  params["batch"] = *call.batch;
  return params;
}

Result<CallOutcome> RecordService::outcome_of(const RecordCall& call, const Result<Done>& done) {
  CallOutcome outcome{.call = call.id};
  if (done) {
    Result<Json> answer = parse_json(done->answer, JsonLimits::none());
    if (!answer) return Unexpected(answer.error());
    outcome.answer = std::move(*answer);
    return outcome;
  }
  const Error& error = done.error();
  if (ends_move(error)) return Unexpected(error);
  outcome.error =
      CallError{std::string(error_name(error.code)), error.message, error.path, error.allowed};
  return outcome;
}

void RecordService::MoveSoFar::add(TurnMove&& next) {
  for (Ask& ask : next.asks) whole.asks.push_back(std::move(ask));
  for (RecordCall& call : next.calls) calls.push_back(std::move(call));
  for (Change& change : next.changes) whole.changes.push_back(std::move(change));
  whole.is_finished = next.is_finished;
}
void RecordService::MoveSoFar::add(Changes changes) {
  std::move(changes.begin(), changes.end(), std::back_inserter(whole.changes));
}

Result<RecordService::Done> RecordService::read_in(Tx& tx, const Json& params) {
  RecordContext now = context(random_, clock_);
  Result<RecordOutcome> outcome = read_rows(tx, now, params);
  if (!outcome) return Unexpected(outcome.error());
  return Done{std::move(outcome->answer), refs_changed()};
}

// One call inside a transaction that goes on whatever becomes of it.
Result<RecordService::Done> RecordService::run_part(Tx& tx, const RecordCall& call) {
  std::optional<Json> with_batch;
  if (call.batch) with_batch = params_of(call);
  const Json& params = with_batch ? *with_batch : call.params;
  const BatchManifest* const manifest =
      call.batch ? workspace_.state().batch(*call.batch) : nullptr;
  const std::optional<BatchManifest> before =
      manifest == nullptr ? std::nullopt : std::optional(*manifest);
  workspace_.registry().begin();
  Result<Done> done = Done();
  const Result<void> part = tx.savepoint([&]() -> Result<void> {
    if (call.tool == "db_read") {
      done = read_in(tx, params);
      return done ? Result<void>() : Unexpected(done.error());
    }
    const OpId op = op_of(call);
    done = is_write(call.tool) ? run(tx, {call.tool, params, random_, clock_, op}) : unknown_tool();
    if (!done) return Unexpected(done.error());
    return keep_ledger(tx, ledger_turn(op), done->ledger);
  });
  if (!part) {
    workspace_.registry().rollback();
    if (before) *workspace_.find_batch(*call.batch) = *before;
    return Unexpected(part.error());
  }
  if (call.tool == "db_read" && call.purpose != CallPurpose::tool)
    done->changes = only_glanced(call.purpose);
  note_saved(done->changes);
  workspace_.registry().begin();  // so that who changes refs next can go back to here
  return done;
}

// What a turn looks at by itself is not spoken of: entities that were known stay as they were, and
// of profile and counts nothing is registered.
Changes RecordService::only_glanced(CallPurpose purpose) {
  RefRegistry& registry = workspace_.registry();
  RefChanges kept;
  for (RefChange& change : registry.changes())
    if (purpose == CallPurpose::background && !std::holds_alternative<EntityChanged>(change))
      kept.push_back(std::move(change));
  registry.rollback();
  for (const RefChange& change : kept)
    ALFRED_CHECK(registry.fold(change).has_value(), "what was registered fits the state before it");
  return kept.empty() ? Changes() : Changes{RefsChanged{std::move(kept)}};
}

Result<TurnMove> RecordService::move_in(Tx& tx, MoveSteps& steps) {
  if (Result<void> started = workspace_.start_write(tx); !started)
    return Unexpected(started.error());
  SessionState& state = workspace_.spoil();
  MoveSoFar so_far;
  constexpr std::size_t kUsual = 64;
  so_far.whole.changes.reserve(kUsual);
  Result<TurnMove> next = steps.begin(state, workspace_.place());
  for (;;) {
    if (!next) return next;
    if (Result<void> kept = steps.keep(tx, *next); !kept) return Unexpected(kept.error());
    so_far.add(std::move(*next));
    if (so_far.calls.empty()) break;
    const RecordCall call = std::move(so_far.calls.front());
    so_far.calls.pop_front();
    Result<Done> done = run_part(tx, call);
    Result<CallOutcome> outcome = outcome_of(call, done);
    if (!outcome) return Unexpected(std::move(outcome).error());
    if (done) so_far.add(std::move(done->changes));
    next = steps.outcome(state, std::move(*outcome));
  }
  if (Result<void> appended = workspace_.append(tx, so_far.whole.changes, clock_); !appended)
    return Unexpected(appended.error());
  return std::move(so_far.whole);
}

Result<TurnMove> RecordService::move(MoveSteps& steps) {
  Result<TurnMove> moved = place_.is_shared() ? move_shared(steps) : move_apart(steps);
  if (moved) return moved;
  workspace_.rollback();
  // What cannot be loaded now is loaded by whoever needs it next.
  (void)refresh();
  return moved;
}

Result<TurnMove> RecordService::move_shared(MoveSteps& steps) {
  TurnMove whole;
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    Result<TurnMove> moved = move_in(tx, steps);
    if (!moved) return Unexpected(moved.error());
    whole = std::move(*moved);
    return std::string();
  };
  // What became of a commit whose answer was lost is told by the journal: a move needs no op.
  const auto is_journalled = [&](Tx& tx) { return workspace_.has_appended(tx); };
  const WriteCall call{std::nullopt, "move", place_.caller, is_journalled};
  if (const auto written = place_.rows->write(call, closure); !written)
    return Unexpected(written.error());
  workspace_.settle();
  return whole;
}

}  // namespace alfred
