// How PostgresDatabase writes: again after a conflict, once whatever happens to the connection.
#include <chrono>
#include <thread>
#include <utility>

#include "alfred/random.h"
#include "storage/postgres/postgres_database.h"

namespace alfred {
namespace {

constexpr int kMaxReruns = 5;

// 2, 4, 8… ms and as much again by chance, so that two who met do not meet again.
void back_off(int rerun) {
  const std::uint64_t base_us = std::uint64_t{1000} << static_cast<unsigned>(rerun);
  std::this_thread::sleep_for(std::chrono::microseconds(base_us + OsRandom().next_u64() % base_us));
}

Error unknown_outcome(bool keeps_ops) {
  return Error{ErrorCode::storage,
               keeps_ops
                   ? "The connection was lost while the change was stored, and whether it was "
                     "is not known yet. Send it again under the same operation id."
                   : "The connection was lost while the change was stored, and whether it was "
                     "is not known. Read the rows before you try again.",
               {},
               {},
               "the outcome of COMMIT is unknown"};
}

}  // namespace

Result<std::string> PostgresDatabase::write(const WriteCall& call, const WriteFn& closure) {
  for (int rerun = 0;; ++rerun) {
    if (rerun > 0) back_off(rerun);
    Attempt done = attempt(call, closure);
    if (done.is_again && rerun < kMaxReruns) continue;
    if (done.answer)
      health_.note_success();
    else
      health_.note_error(done.answer.error());
    return std::move(done.answer);
  }
}

PostgresDatabase::Attempt PostgresDatabase::attempt(const WriteCall& call, const WriteFn& closure) {
  Result<PgLease> lease = pool_.lend();
  if (!lease) return {Unexpected(std::move(lease).error())};
  PgTx tx(context_, std::move(*lease), call.caller, PgTx::Mode::write);
  if (is_kept(call)) {
    Result<PgRows> rows = tx.send(find_op(context_.is_ours, call.op->view()));
    if (!rows) return {Unexpected(std::move(rows).error()), tx.is_doomed()};
    if (const std::optional<KeptOp> kept = kept_op(*rows)) return {answer_of_kept(*kept, call)};
  }
  Result<std::string> answer = closure(tx);
  if (tx.failure()) return refused(tx, call, answer ? *tx.failure() : std::move(answer).error());
  if (!answer) return refused(tx, call, std::move(answer).error());
  return commit(tx, call, std::move(*answer));
}

// The same op may have been done by somebody else meanwhile: that is what stood in the way then.
PostgresDatabase::Attempt PostgresDatabase::refused(PgTx& tx, const WriteCall& call, Error error) {
  if (tx.is_doomed()) return {Unexpected(*tx.failure()), true};
  tx.roll_back();
  if (!is_kept(call) || error.code != ErrorCode::conflict) return {Unexpected(std::move(error))};
  const PgResult<PgRows> rows =
      tx.lease().session().run(find_op(context_.is_ours, call.op->view()));
  if (rows)
    if (const std::optional<KeptOp> kept = kept_op(*rows)) return {answer_of_kept(*kept, call)};
  return {Unexpected(std::move(error))};
}

PostgresDatabase::Attempt PostgresDatabase::commit(PgTx& tx, const WriteCall& call,
                                                   std::string answer) {
  PgSession& session = tx.lease().session();
  LostCommit lost{session.backend_pid(), session.backend_start(), {}, {}, context_.is_ours};
  std::vector<PgCommand> last;
  if (is_kept(call)) {
    lost.op = call.op->view();
    last.push_back(keep_op(context_.is_ours, call, answer));
  } else if (tx.is_begun()) {
    Result<PgRows> id = tx.send({"SELECT txid_current_if_assigned()::text", {}, true});
    if (!id) return {Unexpected(std::move(id).error()), tx.is_doomed()};
    lost.transaction = id->text(0, 0);
    if (lost.transaction.empty()) return {std::move(answer)};  // it changed nothing
  }
  const PgResult<void> done = tx.commit(std::move(last));
  if (done) {
    if (is_kept(call) && is_time_to_forget(*call.op))
      (void)session.run(forget_ops(context_.is_ours, kept_ops_));
    return {std::move(answer)};
  }
  if (done.error().is_lost) return settled(tx, lost, call, std::move(answer));
  const bool is_again = is_rerun(done.error()) || is_op_taken(done.error());
  return {Unexpected(error_of(done.error(), {.is_write = true})), is_again};
}

PostgresDatabase::Attempt PostgresDatabase::settled(PgTx& tx, const LostCommit& lost,
                                                    const WriteCall& call, std::string answer) {
  for (int look = 0; look < kMaxReruns; ++look) {
    if (look > 0) back_off(look);
    if (!tx.lease().renew()) continue;
    PgSession& session = tx.lease().session();
    const CommitOutcome outcome = settle(session, lost, context_.lock_timeout_ms);
    if (outcome == CommitOutcome::rolled_back)
      return {Unexpected(unknown_outcome(is_kept(call))), true};
    if (outcome == CommitOutcome::unknown) continue;
    if (!is_kept(call)) return {std::move(answer)};
    const PgResult<PgRows> rows = session.run(find_op(context_.is_ours, call.op->view()));
    if (rows)
      if (const std::optional<KeptOp> kept = kept_op(*rows)) return {answer_of_kept(*kept, call)};
  }
  return {Unexpected(unknown_outcome(is_kept(call)))};
}

}  // namespace alfred
