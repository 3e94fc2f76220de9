// Calls on a user's own database: its rows commit there, answer and refs in our file (R2).
#include <algorithm>

#include "base/files/file.h"
#include "engine/record_service.h"
#include "engine/row_marks.h"

namespace alfred {
namespace {

bool is_outcome_unknown(const Error& error) {
  return error_kind(error.code) == ErrorKind::unavailable && error.code != ErrorCode::busy;
}

}  // namespace

Result<std::string> RecordService::write_apart(std::string_view tool, const Json& params, OpId op) {
  // One at a time: so a call that is open while we hold this is one whose process is gone.
  const Result<FileLock> lock = lock_file(place_.lock_path, kLockTimeoutMs);
  if (!lock) return Unexpected(lock.error());
  if (Result<void> settled = settle_open_calls(); !settled) return Unexpected(settled.error());
  const Result<std::optional<std::string>> earlier = place_.state().answer_of(op);
  if (!earlier) return Unexpected(earlier.error());
  if (*earlier) {
    const auto never = [](Tx&) -> Result<std::string> {
      return fail(ErrorCode::bug, "an op that was answered ran again");
    };
    return place_.state().write({op, request_text(tool, params), place_.caller}, never);
  }
  if (is_unknown(op)) return unknown_call();
  const OpenCall call = new_call(tool, params, op);
  const Result<Done> done = run_open(call, params);
  Result<std::string> answer = done ? keep(call, *done) : Unexpected(done.error());
  if (answer) return answer;
  if (!done && !is_outcome_unknown(done.error())) {
    if (Result<void> forgotten = forget(op); !forgotten) return Unexpected(forgotten.error());
    return answer;
  }
  if (Result<void> settled = settle_open_calls(); !settled) return Unexpected(settled.error());
  if (is_unknown(op)) return unknown_call();
  Result<std::optional<std::string>> kept = place_.state().answer_of(op);
  return kept && *kept ? Result<std::string>(std::move(**kept)) : answer;
}

OpenCall RecordService::new_call(std::string_view tool, const Json& params, OpId op) const {
  return {.op = op,
          .tool = std::string(tool),
          .params = write_json(params),
          .at_ms = clock_.wall_ms(),
          .is_in_op_table = place_.has_op_table};
}

bool RecordService::is_unknown(OpId op) const {
  return std::find(unknown_.begin(), unknown_.end(), op) != unknown_.end();
}

Unexpected RecordService::unknown_call() { return fail(ErrorCode::conflict, kUnknownCall); }

// Runs a call on the rows; on an error the workspace is as before.
Result<RecordService::Done> RecordService::run_open(const OpenCall& call, const Json& params) {
  std::optional<Done> done;
  workspace_.begin();
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    workspace_.rollback();
    Result<Done> ran = run(tx, {call.tool, params, random_, clock_, call.op});
    if (!ran) return Unexpected(ran.error());
    done = std::move(*ran);
    if (Result<void> noted = write_down(tx, call, *done); !noted) return Unexpected(noted.error());
    return done->answer;
  };
  std::optional<OpId> op;
  if (call.is_in_op_table) op = call.op;
  Result<std::string> written =
      place_.rows->write({op, request_text(call.tool, params), place_.caller}, closure);
  if (!written) {
    workspace_.rollback();
    return Unexpected(written.error());
  }
  // The op table knew it: what it changed was journalled then.
  if (!done) return Done{std::move(*written), {}};
  note_saved(done->changes);
  return std::move(*done);
}

// Before the rows commit: what the call came to (open_calls.h, R1). One that changed nothing leaves
// nothing to find out.
Result<void> RecordService::write_down(Tx& rows, const OpenCall& call, const Done& done) {
  if (done.effects.empty() && done.changes.empty()) return {};
  Result<std::string> marks = mark_rows(rows, done.effects);
  if (!marks) return Unexpected(marks.error());
  Changes changes = done.changes;
  for (Change& saved : artifacts_saved(done.changes)) changes.push_back(std::move(saved));
  OpenCall open = call;
  open.answer = done.answer;
  open.changes = write_changes(changes);
  open.marks = std::move(*marks);
  open.place = workspace_.place();
  open.ledger = done.ledger;
  return change_calls([&](Tx& tx) { return write_open_call(tx, workspace_.id().view(), open); });
}

// A transaction of ours on the open calls alone.
Result<void> RecordService::change_calls(const AlsoFn& change) {
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    if (Result<void> changed = change(tx); !changed) return Unexpected(changed.error());
    return std::string();
  };
  const Result<std::string> done = place_.state().write({std::nullopt, "", {}}, closure);
  if (!done) return Unexpected(done.error());
  return {};
}

Result<std::string> RecordService::keep(const OpenCall& call, const Done& done) {
  const Result<Json> params = parse_json(call.params, JsonLimits::none());
  if (!params) return Unexpected(params.error());
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    const Result<bool> behind = workspace_.is_behind(tx);
    if (!behind) return Unexpected(behind.error());
    if (*behind) return fail(ErrorCode::storage, "The workspace moved on meanwhile. Try again.");
    if (Result<void> kept = workspace_.append(tx, done.changes, clock_); !kept)
      return Unexpected(kept.error());
    if (Result<void> kept = keep_ledger(tx, ledger_turn(call.op), done.ledger); !kept)
      return Unexpected(kept.error());
    if (Result<void> kept = remind(tx, done); !kept) return Unexpected(kept.error());
    if (Result<void> closed = close_call(tx, call.op); !closed) return Unexpected(closed.error());
    return done.answer;
  };
  Result<std::string> answer =
      place_.state().write({call.op, request_text(call.tool, *params), place_.caller}, closure);
  if (answer)
    workspace_.settle();
  else
    workspace_.rollback();
  return answer;
}

Result<void> RecordService::forget(OpId op) {
  return change_calls([&](Tx& tx) { return close_call(tx, op); });
}

}  // namespace alfred
