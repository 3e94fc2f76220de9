// db_undo: what the turn before changed is taken back (record_service.h, R7).
#include "engine/record_service.h"
#include "engine/undo/undo_ledger.h"
#include "records/undo/undo_rows.h"

namespace alfred {
namespace {

Result<bool> read_dry_run(const Json& params) {
  const JsonObject* const object = params.if_object();
  if (object == nullptr)
    return fail(ErrorCode::schema, "The parameters of a call are a JSON object.", {}, {"dry_run"});
  bool is_dry_run = false;
  for (const auto& member : *object) {
    if (member.key() != "dry_run" || !member.value().is_bool())
      return fail(ErrorCode::schema,
                  "An undo takes back what the turn before changed and has no parameter but "
                  "dry_run, true or false. Leave the others out.",
                  {}, {"dry_run"});
    is_dry_run = member.value().get_bool();
  }
  return is_dry_run;
}

}  // namespace

std::string RecordService::ledger_turn(OpId op) const {
  const std::optional<RunningTurn>& turn = workspace_.state().facts.running;
  return turn ? turn->id : std::string(op.view());
}

Result<void> RecordService::keep_ledger(Tx& tx, const std::string& turn,
                                        const std::string& entry) const {
  return note_ledger(tx, {workspace_.id().view(), turn}, entry);
}

Result<RecordService::Done> RecordService::undo(Tx& tx, const RowsCall& call) {
  const Result<bool> is_dry_run = read_dry_run(call.params);
  if (!is_dry_run) return Unexpected(is_dry_run.error());
  const std::string asking = ledger_turn(call.op);
  Result<std::optional<LastTurn>> last = std::optional<LastTurn>();
  const auto look = [&](Tx& state) -> Result<void> {
    last = last_turn(state, {workspace_.id().view(), asking}, *place_.schema);
    return last ? Result<void>() : Unexpected(last.error());
  };
  const Result<void> looked = tx.holds_state() ? look(tx) : place_.state().read({}, look);
  if (!looked) return Unexpected(looked.error());
  if (!*last) return Done{R"({"count":0,"no_match":true})", {}};
  RecordContext now = context(call.random, call.clock);
  Result<RecordOutcome> outcome = undo_rows(tx, now, {(*last)->effects, *is_dry_run});
  if (!outcome) return Unexpected(std::move(outcome).error());
  Done done{std::move(outcome->answer), refs_changed(), std::move(outcome->effects)};
  if (!*is_dry_run) done.ledger = ledger_of_undo((*last)->turn);
  return done;
}

}  // namespace alfred
