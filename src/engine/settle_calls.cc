// Calls that a crash left open on a user's own database: what became of them is found out, and no
// row is written (record_service.h, R2).
#include "engine/record_service.h"
#include "engine/row_marks.h"
#include "records/undo/effects_json.h"

namespace alfred {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kOpTableTellsMs = 6 * kDayMs;  // it forgets ops after seven days
constexpr std::int64_t kUnknownKeptMs = 7 * kDayMs;

// What a call of which nothing can be told leaves in a batch: its items, failed for good.
Changes failed_items(const Changes& changes, std::string_view reason) {
  Changes out;
  for (const Change& change : changes) {
    const auto* const moved = std::get_if<ItemsMoved>(&change);
    if (moved == nullptr) continue;
    ItemsMoved failed = *moved;
    for (ItemMoved& one : failed.changes)
      if (one.item.status == ItemStatus::complete)
        one.item = {one.item.ref, ItemStatus::failed, "", std::string(reason), false};
    out.emplace_back(std::move(failed));
  }
  return out;
}

}  // namespace

// By the op table alone where it can know the op; else by the rows.
Result<CallFate> RecordService::fate_of_call(const OpenCall& call) {
  if (call.is_in_op_table && place_.has_op_table &&
      clock_.wall_ms() - call.at_ms < kOpTableTellsMs) {
    const Result<Json> params = parse_json(call.params, JsonLimits::none());
    if (!params) return Unexpected(params.error());
    bool is_new = false;
    const auto not_there = [&](Tx&) -> Result<std::string> {
      is_new = true;
      return fail(ErrorCode::conflict, "the op is not in the table");
    };
    const Result<std::string> kept =
        place_.rows->write({call.op, request_text(call.tool, *params), place_.caller}, not_there);
    if (kept) return CallFate::done;
    if (is_new) return CallFate::not_done;
    return Unexpected(kept.error());
  }
  CallFate fate = CallFate::unknown;
  const auto look = [&](Tx& tx) -> Result<void> {
    const Result<CallFate> found = fate_of(tx, *place_.schema, call.marks);
    if (!found) return Unexpected(found.error());
    fate = *found;
    return {};
  };
  if (Result<void> looked = place_.rows->read(place_.caller, look); !looked)
    return Unexpected(looked.error());
  return fate;
}

Result<void> RecordService::settle_call(const OpenCall& call) {
  const Result<CallFate> fate = fate_of_call(call);
  if (!fate) return Unexpected(fate.error());
  if (*fate == CallFate::not_done) return forget(call.op);
  Result<Changes> changes = read_changes(call.changes);
  if (!changes) return Unexpected(changes.error());
  // Its changes come after this place and no other: whoever appends settles what is open first.
  if (*fate == CallFate::unknown || call.place != workspace_.place())
    return give_up(call, failed_items(*changes, kUnknownCall));
  for (const Change& change : *changes)
    if (Result<void> applied = apply_change(workspace_.spoil(), change); !applied) return applied;
  // What the rows became, as far as the ledger tells: reminders follow them.
  Result<std::vector<RowEffect>> effects = read_effects(*place_.schema, call.ledger);
  if (!effects) effects = std::vector<RowEffect>();
  const Result<std::string> kept =
      keep(call, Done{call.answer, std::move(*changes), std::move(*effects), call.ledger});
  if (!kept) return Unexpected(kept.error());
  return {};
}

// Nobody can tell what became of it: it is kept as such.
Result<void> RecordService::give_up(const OpenCall& call, const Changes& changes) {
  for (const Change& change : changes)
    if (Result<void> applied = apply_change(workspace_.spoil(), change); !applied) return applied;
  Result<void> marked = change_calls([&](Tx& tx) -> Result<void> {
    if (Result<void> kept = workspace_.append(tx, changes, clock_); !kept) return kept;
    return mark_unknown(tx, call.op, clock_.wall_ms() - kUnknownKeptMs);
  });
  if (!marked) {
    workspace_.rollback();
    return marked;
  }
  workspace_.settle();
  unknown_.push_back(call.op);
  return {};
}

// Under the lock: catches up with the other processes and settles what dead ones left.
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
  unknown_.clear();
  for (const OpenCall& call : calls) {
    if (call.is_unknown)
      unknown_.push_back(call.op);
    else if (Result<void> settled = settle_call(call); !settled)
      return settled;
  }
  return {};
}

}  // namespace alfred
