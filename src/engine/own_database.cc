// Calls on a user's own database: its rows commit there, answer and refs in our file (R2).
#include "base/file.h"
#include "engine/record_service.h"

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
  const OpenCall call{op, std::string(tool), write_json(params), KeyedRandom::new_key(random_),
                      clock_.wall_ms()};
  const auto open = [&](Tx& tx) -> Result<std::string> {
    if (Result<void> written = write_open_call(tx, workspace_.id().view(), call); !written)
      return Unexpected(written.error());
    return std::string();
  };
  if (auto opened = place_.state().write({std::nullopt, "", {}}, open); !opened) return opened;
  Result<std::string> answer = finish(call, params, false);
  if (answer || !is_outcome_unknown(answer.error())) return answer;
  if (Result<void> settled = settle_open_calls(); !settled) return Unexpected(settled.error());
  Result<std::optional<std::string>> kept = place_.state().answer_of(op);
  return kept && *kept ? Result<std::string>(std::move(**kept)) : answer;
}

// Runs an open call on the rows; on an error the workspace is as before.
Result<RecordService::Done> RecordService::run_open(const OpenCall& call, const Json& params,
                                                    bool is_recovering) {
  KeyedRandom random(call.key);
  const ManualClock then(call.at_ms);
  Done done;
  workspace_.begin();
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    workspace_.rollback();
    random.restart();
    Result<Done> ran = run(tx, {call.tool, params, random, then, is_recovering});
    if (!ran) return Unexpected(ran.error());
    done = std::move(*ran);
    return std::string();
  };
  const Result<std::string> written =
      place_.rows->write({std::nullopt, request_text(call.tool, params), place_.caller}, closure);
  if (!written) {
    workspace_.rollback();
    return Unexpected(written.error());
  }
  note_saved(done.changes);
  return done;
}

// Runs it, then keeps its answer. A refusal closes it; when it is not known what became of it, it
// stays open.
Result<std::string> RecordService::finish(const OpenCall& call, const Json& params,
                                          bool is_recovering) {
  const Result<Done> done = run_open(call, params, is_recovering);
  if (done) return keep(call, params, *done);
  if (!is_outcome_unknown(done.error()))
    if (Result<void> forgotten = forget(call.op); !forgotten) return Unexpected(forgotten.error());
  return Unexpected(done.error());
}

Result<std::string> RecordService::keep(const OpenCall& call, const Json& params,
                                        const Done& done) {
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    // A read of another process gave refs since: ours are given anew when the call is settled.
    const Result<bool> behind = workspace_.is_behind(tx);
    if (!behind) return Unexpected(behind.error());
    if (*behind) return fail(ErrorCode::storage, "The workspace moved on meanwhile. Try again.");
    if (Result<void> kept = workspace_.append(tx, done.changes, clock_); !kept)
      return Unexpected(kept.error());
    if (Result<void> closed = close_call(tx, call.op); !closed) return Unexpected(closed.error());
    return done.answer;
  };
  Result<std::string> answer =
      place_.state().write({call.op, request_text(call.tool, params), place_.caller}, closure);
  if (answer)
    workspace_.settle();
  else
    workspace_.rollback();
  return answer;
}

Result<void> RecordService::forget(OpId op) {
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    if (Result<void> closed = close_call(tx, op); !closed) return Unexpected(closed.error());
    return std::string();
  };
  const Result<std::string> done = place_.state().write({std::nullopt, "", {}}, closure);
  if (!done) return Unexpected(done.error());
  return {};
}

// Under the lock: catches up with the other processes and finishes what dead ones left.
Result<void> RecordService::settle_open_calls() {
  std::vector<OpenCall> calls;
  workspace_.begin();
  const auto look = [&](Tx& tx) -> Result<void> {
    if (const Result<bool> caught_up = workspace_.catch_up(tx); !caught_up)
      return Unexpected(caught_up.error());
    Result<std::vector<OpenCall>> found = open_calls(tx, workspace_.id().view());
    if (!found) return Unexpected(found.error());
    calls = std::move(*found);
    return {};
  };
  if (Result<void> looked = place_.state().read({}, look); !looked) return looked;
  for (const OpenCall& call : calls) {
    const Result<Json> params = parse_json(call.params, JsonLimits::none());
    if (!params) return Unexpected(params.error());
    const Result<std::string> answer = finish(call, *params, true);
    if (!answer && is_outcome_unknown(answer.error())) return Unexpected(answer.error());
  }
  return {};
}

}  // namespace alfred
