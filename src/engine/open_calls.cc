#include "engine/open_calls.h"

#include <array>

namespace alfred {
namespace {

constexpr std::array<Statement, 1> kTables{
    Statement("CREATE TABLE alfred_open_calls ("
              "op text PRIMARY KEY, workspace text NOT NULL, tool text NOT NULL, "
              "params text NOT NULL, draw text NOT NULL, at_ms integer NOT NULL)"),
};
constexpr std::array<Statement, 7> kOutcomes{
    Statement("ALTER TABLE alfred_open_calls DROP COLUMN draw"),
    Statement("ALTER TABLE alfred_open_calls ADD COLUMN has_op integer NOT NULL DEFAULT 0"),
    Statement("ALTER TABLE alfred_open_calls ADD COLUMN answer text NOT NULL DEFAULT ''"),
    Statement("ALTER TABLE alfred_open_calls ADD COLUMN changes text NOT NULL DEFAULT '[]'"),
    Statement("ALTER TABLE alfred_open_calls ADD COLUMN marks text NOT NULL DEFAULT ''"),
    Statement("ALTER TABLE alfred_open_calls ADD COLUMN place integer NOT NULL DEFAULT -1"),
    Statement("ALTER TABLE alfred_open_calls ADD COLUMN is_unknown integer NOT NULL DEFAULT 0"),
};
constexpr std::array<Statement, 2> kLedger{
    Statement("ALTER TABLE alfred_open_calls ADD COLUMN ledger text NOT NULL DEFAULT ''"),
    Statement("CREATE TABLE alfred_undo ("
              "workspace text NOT NULL, number integer NOT NULL, turn text NOT NULL, "
              "part integer NOT NULL, ledger text NOT NULL, PRIMARY KEY (workspace, number))"),
};
constexpr std::array<Migration, 3> kMigrations{Migration{1, kTables}, Migration{2, kOutcomes},
                                               Migration{3, kLedger}};
constexpr std::array<Statement, 2> kNewest{
    Statement("CREATE TABLE alfred_open_calls ("
              "op text PRIMARY KEY, workspace text NOT NULL, tool text NOT NULL, "
              "params text NOT NULL, at_ms integer NOT NULL, has_op integer NOT NULL DEFAULT 0, "
              "answer text NOT NULL DEFAULT '', changes text NOT NULL DEFAULT '[]', "
              "marks text NOT NULL DEFAULT '', place integer NOT NULL DEFAULT -1, "
              "is_unknown integer NOT NULL DEFAULT 0, ledger text NOT NULL DEFAULT '')"),
    kLedger[1],
};

// A store may run the closure that a call is written down in once more.
constexpr Statement kOpen(
    "INSERT INTO alfred_open_calls "
    "(op, workspace, tool, params, at_ms, has_op, answer, changes, marks, place, ledger) VALUES "
    "(:op, :workspace, :tool, :params, :at, :has_op, :answer, :changes, :marks, :place, :ledger) "
    "ON CONFLICT (op) DO UPDATE SET answer = excluded.answer, changes = excluded.changes, "
    "marks = excluded.marks, place = excluded.place, ledger = excluded.ledger");
constexpr Statement kClose("DELETE FROM alfred_open_calls WHERE op = :op");
constexpr Statement kUnknown("UPDATE alfred_open_calls SET is_unknown = 1 WHERE op = :op");
constexpr Statement kForget(
    "DELETE FROM alfred_open_calls WHERE is_unknown = 1 AND at_ms < :before AND op <> :op");
constexpr Statement kAll(
    "SELECT op, tool, params, at_ms, has_op, answer, changes, marks, place, is_unknown, ledger "
    "FROM alfred_open_calls WHERE workspace = :workspace ORDER BY at_ms, op");

Value text(std::string_view value) { return Value(std::string(value)); }

Result<void> done(const Result<std::vector<Row>>& rows) {
  if (!rows) return Unexpected(rows.error());
  return {};
}

OpenCall call_in(OpId op, const Row& row) {
  const auto text_at = [&](std::size_t i) { return std::get<std::string>(row[i]); };
  const auto number_at = [&](std::size_t i) { return std::get<std::int64_t>(row[i]); };
  return {.op = op,
          .tool = text_at(1),
          .params = text_at(2),
          .at_ms = number_at(3),
          .is_in_op_table = number_at(4) != 0,
          .answer = text_at(5),
          .changes = text_at(6),
          .marks = text_at(7),
          .place = number_at(8),
          .ledger = text_at(10),
          .is_unknown = number_at(9) != 0};
}

}  // namespace

StateTables open_call_tables() { return {"open_calls", kMigrations, kNewest}; }

Result<void> write_open_call(Tx& tx, std::string_view workspace, const OpenCall& call) {
  const std::array<Param, 11> params{Param{"op", text(call.op.view())},
                                     Param{"workspace", text(workspace)},
                                     Param{"tool", text(call.tool)},
                                     Param{"params", text(call.params)},
                                     Param{"at", call.at_ms},
                                     Param{"has_op", std::int64_t{call.is_in_op_table ? 1 : 0}},
                                     Param{"answer", text(call.answer)},
                                     Param{"changes", text(call.changes)},
                                     Param{"marks", text(call.marks)},
                                     Param{"place", call.place},
                                     Param{"ledger", text(call.ledger)}};
  return done(tx.run(kOpen, params));
}

Result<void> close_call(Tx& tx, OpId op) {
  const std::array<Param, 1> params{Param{"op", text(op.view())}};
  return done(tx.run(kClose, params));
}

Result<void> mark_unknown(Tx& tx, OpId op, std::int64_t forget_before_ms) {
  const std::array<Param, 1> params{Param{"op", text(op.view())}};
  if (Result<void> marked = done(tx.run(kUnknown, params)); !marked) return marked;
  const std::array<Param, 2> old{Param{"before", forget_before_ms}, Param{"op", text(op.view())}};
  return done(tx.run(kForget, old));
}

Result<std::vector<OpenCall>> open_calls(Tx& tx, std::string_view workspace) {
  const std::array<Param, 1> params{Param{"workspace", text(workspace)}};
  const Result<std::vector<Row>> rows = tx.run(kAll, params);
  if (!rows) return Unexpected(rows.error());
  std::vector<OpenCall> calls;
  for (const Row& row : *rows) {
    const Result<OpId> op = OpId::parse(std::get<std::string>(row[0]));
    if (!op)
      return fail(ErrorCode::corrupt,
                  "A call that was left open cannot be read. The file was left as it is.");
    calls.push_back(call_in(*op, row));
  }
  return calls;
}

}  // namespace alfred
