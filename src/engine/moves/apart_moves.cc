// Moves on a user's own database: rows commit there, the rest in our file (move.h, R3).
#include "base/digest.h"
#include "base/files/file.h"
#include "base/keyed_random.h"
#include "engine/record_service.h"

namespace alfred {

// The same call of the same turn, whenever it is given out, is the same op.
OpId RecordService::op_of(const RecordCall& call) {
  const std::optional<RunningTurn>& turn = workspace_.state().facts.running;
  if (!turn) return OpId::random(random_);
  std::string name(workspace_.id().view());
  name += '\n' + turn->id + '\n' + std::to_string(call.id);
  KeyedRandom drawn(KeyedRandom::key_from_text(content_digest(name)).value());
  return OpId::random(drawn);
}

// Journals what is not yet, together with what `also` writes.
Result<void> RecordService::commit_apart(ApartMove& move, const WriteCall& call,
                                         const std::string& answer, const AlsoFn& also) {
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    const Result<bool> behind = workspace_.is_behind(tx);
    if (!behind) return Unexpected(behind.error());
    if (*behind) return fail(ErrorCode::storage, "The session moved on meanwhile. Try again.");
    if (Result<void> kept = workspace_.append(tx, move.unsaved, clock_); !kept)
      return Unexpected(kept.error());
    for (const TurnMove& one : move.unkept)
      if (Result<void> kept = move.steps.keep(tx, one); !kept) return Unexpected(kept.error());
    if (also)
      if (Result<void> done = also(tx); !done) return Unexpected(done.error());
    return answer;
  };
  if (const auto written = place_.state().write(call, closure); !written)
    return Unexpected(written.error());
  workspace_.settle();
  move.unsaved.clear();
  move.unkept.clear();
  return {};
}

Result<void> RecordService::commit_unsaved(ApartMove& move) {
  if (!move.unkept.empty() || !move.unsaved.empty())
    return commit_apart(move, {std::nullopt, "", {}}, "", {});
  workspace_.settle();  // it is as its journal says
  return {};
}

// Tells the steps what became of a call, and takes what follows.
Result<void> RecordService::step_on(ApartMove& move, const RecordCall& call,
                                    const Result<Done>& done) {
  Result<CallOutcome> outcome = outcome_of(call, done);
  if (!outcome) return Unexpected(std::move(outcome).error());
  if (done) move.add(done->changes);
  Result<TurnMove> next = move.steps.outcome(workspace_.spoil(), std::move(*outcome));
  if (!next) return Unexpected(next.error());
  move.add(std::move(*next));
  return {};
}

void RecordService::ApartMove::add(TurnMove&& next) {
  unsaved.insert(unsaved.end(), next.changes.begin(), next.changes.end());
  unkept.push_back(next);
  so_far.add(std::move(next));
}
void RecordService::ApartMove::add(const Changes& changes) {
  unsaved.insert(unsaved.end(), changes.begin(), changes.end());
  so_far.add(changes);
}

Result<RecordService::Done> RecordService::read_apart(const RecordCall& call) {
  workspace_.registry().begin();
  Result<Done> done = Done();
  const auto closure = [&](Tx& tx) -> Result<void> {
    workspace_.registry().rollback();
    done = read_in(tx, call.params);
    return done ? Result<void>() : Unexpected(done.error());
  };
  const Result<void> read = place_.rows->read(place_.caller, closure);
  if (read) {
    if (call.purpose != CallPurpose::tool) done->changes = only_glanced(call.purpose);
    workspace_.registry().begin();
    return done;
  }
  workspace_.registry().rollback();
  return Unexpected(read.error());
}

Result<void> RecordService::call_apart(ApartMove& move, const RecordCall& call) {
  if (call.tool == "db_read") return step_on(move, call, read_apart(call));
  if (!is_write(call.tool)) return step_on(move, call, unknown_tool());
  const OpId op = op_of(call);
  const std::string turn = ledger_turn(op);  // which its outcome may end
  Result<std::optional<std::string>> earlier = place_.state().answer_of(op);
  if (!earlier) return Unexpected(earlier.error());
  if (*earlier) return step_on(move, call, Done{std::move(**earlier), {}});
  if (is_unknown(op)) return step_on(move, call, unknown_call());
  const Json params = params_of(call);
  if (Result<void> kept = commit_unsaved(move); !kept) return kept;
  const Result<Done> done = run_open(new_call(call.tool, params, op), params);
  // It stays open where nobody knows what became of it; whoever comes next finds out.
  if (Result<void> told = step_on(move, call, done); !told) return told;
  const auto close_it = [&](Tx& tx) -> Result<void> {
    if (done) {
      if (Result<void> kept = keep_ledger(tx, turn, done->ledger); !kept) return kept;
      if (Result<void> kept = remind(tx, *done); !kept) return kept;
    }
    return close_call(tx, op);
  };
  if (!done) return commit_apart(move, {std::nullopt, "", {}}, "", close_it);
  return commit_apart(move, {op, request_text(call.tool, params), place_.caller}, done->answer,
                      close_it);
}

Result<TurnMove> RecordService::move_apart(MoveSteps& steps) {
  const Result<FileLock> lock = lock_file(place_.lock_path, kLockTimeoutMs);
  if (!lock) return Unexpected(lock.error());
  if (Result<void> settled = settle_open_calls(); !settled) return Unexpected(settled.error());
  ApartMove move{steps, {}, {}, {}};
  Result<TurnMove> begun = steps.begin(workspace_.spoil(), workspace_.place());
  if (!begun) return begun;
  move.add(std::move(*begun));
  while (!move.so_far.calls.empty()) {
    const RecordCall call = std::move(move.so_far.calls.front());
    move.so_far.calls.pop_front();
    if (Result<void> done = call_apart(move, call); !done) return Unexpected(done.error());
  }
  if (Result<void> kept = commit_unsaved(move); !kept) return Unexpected(kept.error());
  return std::move(move.so_far.whole);
}

}  // namespace alfred
