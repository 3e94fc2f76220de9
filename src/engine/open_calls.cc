#include "engine/open_calls.h"

#include <array>

namespace alfred {
namespace {

constexpr std::array<Statement, 1> kTables{
    Statement("CREATE TABLE alfred_open_calls ("
              "op text PRIMARY KEY, workspace text NOT NULL, tool text NOT NULL, "
              "params text NOT NULL, draw text NOT NULL, at_ms integer NOT NULL)"),
};
constexpr std::array<Migration, 1> kMigrations{Migration{1, kTables}};

constexpr Statement kOpen(
    "INSERT INTO alfred_open_calls (op, workspace, tool, params, draw, at_ms) "
    "VALUES (:op, :workspace, :tool, :params, :draw, :at)");
constexpr Statement kClose("DELETE FROM alfred_open_calls WHERE op = :op");
constexpr Statement kAll(
    "SELECT op, tool, params, draw, at_ms FROM alfred_open_calls "
    "WHERE workspace = :workspace ORDER BY at_ms, op");

Value text(std::string_view value) { return Value(std::string(value)); }

Result<void> done(const Result<std::vector<Row>>& rows) {
  if (!rows) return Unexpected(rows.error());
  return {};
}

}  // namespace

StateTables open_call_tables() { return {"open_calls", kMigrations}; }

Result<void> write_open_call(Tx& tx, std::string_view workspace, const OpenCall& call) {
  const std::array<Param, 6> params{Param{"op", text(call.op.view())},
                                    Param{"workspace", text(workspace)},
                                    Param{"tool", text(call.tool)},
                                    Param{"params", text(call.params)},
                                    Param{"draw", text(KeyedRandom::key_text(call.key))},
                                    Param{"at", call.at_ms}};
  return done(tx.run(kOpen, params));
}

Result<void> close_call(Tx& tx, OpId op) {
  const std::array<Param, 1> params{Param{"op", text(op.view())}};
  return done(tx.run(kClose, params));
}

Result<std::vector<OpenCall>> open_calls(Tx& tx, std::string_view workspace) {
  const std::array<Param, 1> params{Param{"workspace", text(workspace)}};
  const Result<std::vector<Row>> rows = tx.run(kAll, params);
  if (!rows) return Unexpected(rows.error());
  std::vector<OpenCall> calls;
  for (const Row& row : *rows) {
    const Result<OpId> op = OpId::parse(std::get<std::string>(row[0]));
    const Result<KeyedRandom::Key> key = KeyedRandom::key_from_text(std::get<std::string>(row[3]));
    if (!op || !key)
      return fail(ErrorCode::corrupt,
                  "A call that was left open cannot be read. The file was left as it is.");
    calls.push_back({*op, std::get<std::string>(row[1]), std::get<std::string>(row[2]), *key,
                     std::get<std::int64_t>(row[4])});
  }
  return calls;
}

}  // namespace alfred
