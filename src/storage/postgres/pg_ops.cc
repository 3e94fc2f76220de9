#include "storage/postgres/pg_ops.h"

#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/time/clock.h"

namespace alfred {
namespace {

PgParam param(std::string_view text) { return PgParam{std::string(text), 0}; }

// Ends our old connection on the server's side, so that its transaction does not stay open until
// the network notices. One that is committing finishes first.
void end_backend(PgSession& session, const LostCommit& lost) {
  (void)session.run(
      PgCommand{"SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid = $1::int AND backend_start = $2::timestamptz",
                {param(lost.backend_pid), param(lost.backend_start)},
                false});
}

// A row under the same op waits for the one that may be on its way.
CommitOutcome settle_by_op(PgSession& session, const LostCommit& lost, int timeout_ms) {
  const std::vector<PgCommand> probe{
      plain_command("BEGIN"), plain_command(fmt::format("SET LOCAL lock_timeout = {}", timeout_ms)),
      PgCommand{fmt::format("INSERT INTO {} (op, request, answer, at_ms) "
                            "VALUES ($1, '', '', 0)",
                            ops_table(lost.is_ours)),
                {param(lost.op)},
                false}};
  const PgResult<std::vector<PgRows>> free = session.run(probe);
  if (session.is_usable()) (void)session.run(plain_command("ROLLBACK"));
  if (free) return CommitOutcome::rolled_back;
  return is_op_taken(free.error()) ? CommitOutcome::committed : CommitOutcome::unknown;
}

CommitOutcome settle_by_transaction(PgSession& session, const LostCommit& lost, int timeout_ms) {
  const SystemClock clock;
  const std::int64_t end = clock.monotonic_ns() + timeout_ms * std::int64_t{1'000'000};
  for (;;) {
    const PgResult<PgRows> status =
        session.run(PgCommand{"SELECT txid_status($1::bigint)", {param(lost.transaction)}, false});
    if (!status) return CommitOutcome::unknown;
    const std::string word = status->text(0, 0);
    if (word == "committed") return CommitOutcome::committed;
    if (word == "aborted") return CommitOutcome::rolled_back;
    if (word != "in progress" || clock.monotonic_ns() >= end) return CommitOutcome::unknown;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

std::string ops_table(bool is_ours) { return is_ours ? "alfred.alfred_ops" : "alfred_ops"; }

std::vector<std::string> ops_ddl(bool is_ours) {
  const std::string table = ops_table(is_ours);
  return {fmt::format("CREATE TABLE IF NOT EXISTS {} (op text PRIMARY KEY, "
                      "request text NOT NULL, answer text NOT NULL, at_ms bigint NOT NULL)",
                      table),
          fmt::format("CREATE INDEX IF NOT EXISTS alfred_ops_by_time ON {} (at_ms)", table)};
}

PgCommand find_op(bool is_ours, std::string_view op) {
  return PgCommand{fmt::format("SELECT request, answer FROM {} WHERE op = $1", ops_table(is_ours)),
                   {param(op)},
                   true};
}

std::optional<KeptOp> kept_op(const PgRows& rows) {
  if (rows.size() == 0) return std::nullopt;
  return KeptOp{rows.text(0, 0), rows.text(0, 1)};
}

PgCommand keep_op(bool is_ours, const WriteCall& call, const std::string& answer) {
  return PgCommand{fmt::format("INSERT INTO {} (op, request, answer, at_ms) "
                               "VALUES ($1, $2, $3, $4)",
                               ops_table(is_ours)),
                   {param(call.op->view()), param(kept_request(call)), param(answer),
                    param(std::to_string(SystemClock().wall_ms()))},
                   true};
}

Result<std::string> answer_of_kept(const KeptOp& kept, const WriteCall& call) {
  if (kept.request == kept_request(call)) return kept.answer;
  return fail(ErrorCode::op_reused,
              "This operation id was used for another request. Use a new one.");
}

bool is_op_taken(const PgFault& fault) {
  return fault.state == "23505" && fault.table == "alfred_ops";
}

bool is_time_to_forget(const OpId& op) { return op.view().back() == '0'; }

PgCommand forget_ops(bool is_ours, const KeptOps& kept) {
  const std::string table = ops_table(is_ours);
  return PgCommand{
      fmt::format("DELETE FROM {0} WHERE op IN (SELECT op FROM {0} WHERE at_ms < $1::bigint OR "
                  "at_ms < (SELECT at_ms FROM {0} ORDER BY at_ms DESC OFFSET $2::bigint LIMIT 1) "
                  "ORDER BY at_ms LIMIT 256 FOR UPDATE SKIP LOCKED)",
                  table),
      {param(std::to_string(SystemClock().wall_ms() - kept.most_ms)),
       param(std::to_string(kept.most - 1))},
      true};
}

CommitOutcome settle(PgSession& session, const LostCommit& lost, int timeout_ms) {
  end_backend(session, lost);
  return lost.transaction.empty() ? settle_by_op(session, lost, timeout_ms)
                                  : settle_by_transaction(session, lost, timeout_ms);
}

}  // namespace alfred
