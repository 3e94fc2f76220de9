// The table alfred_ops: what each op answered, written in the op's own transaction.
//
// R1 an op is one row; a second transaction under the same op cannot commit.
// R2 an op that comes with another request or from another caller is refused.
// R3 whether a commit happened is asked in a way that waits for a backend that is still at it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/open_store.h"
#include "storage/postgres/pg_tx.h"

namespace alfred {

// Its name in SQL: in our schema, or beside a user's own tables.
std::string ops_table(bool is_ours);
std::vector<std::string> ops_ddl(bool is_ours);

struct KeptOp {
  std::string request;
  std::string answer;
};

PgCommand find_op(bool is_ours, std::string_view op);
std::optional<KeptOp> kept_op(const PgRows& rows);
// `call` has an op.
PgCommand keep_op(bool is_ours, const WriteCall& call, const std::string& answer);
// The answer, or `op_reused`.
Result<std::string> answer_of_kept(const KeptOp& kept, const WriteCall& call);
bool is_op_taken(const PgFault& fault);
// Forgets some of those that are too old or too many; for one write in 32, in a transaction of its
// own, since two that forget the same ones would stand in each other's way.
bool is_time_to_forget(const OpId& op);
PgCommand forget_ops(bool is_ours, const KeptOps& kept);

// What became of a commit whose answer was lost.
enum class CommitOutcome : std::uint8_t { committed, rolled_back, unknown };

struct LostCommit {
  std::string backend_pid;
  std::string backend_start;
  std::string transaction;  // its id; empty where the op's row tells
  std::string op;
  bool is_ours = false;
};
CommitOutcome settle(PgSession& session, const LostCommit& lost, int timeout_ms);

}  // namespace alfred
