#include "engine/record_service.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/files/file.h"
#include "base/json/json_text.h"
#include "engine/reminders/reminders.h"
#include "engine/undo/undo_ledger.h"
#include "records/kept_ref_names.h"
#include "records/query/query_rows.h"
#include "records/read/read_rows.h"
#include "records/write/batch/batch_write.h"
#include "records/write/write_rows.h"

namespace alfred {
namespace {

constexpr std::string_view kTools[] = {"db_read", "db_create", "db_update", "db_delete", "db_undo"};

// The batch a call belongs to; null when it names none.
const JsonString* batch_of(const Json& params) {
  const JsonObject* object = params.if_object();
  const Json* batch = object == nullptr ? nullptr : object->if_contains("batch");
  return batch == nullptr ? nullptr : batch->if_string();
}

bool is_dry_run(const Json& params) {
  const JsonObject* object = params.if_object();
  const Json* flag = object == nullptr ? nullptr : object->if_contains("dry_run");
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

Unexpected unknown_batch() {
  return fail(ErrorCode::batch_item,
              "There is no batch of this id here. Declare one first, or leave `batch` out.",
              "batch");
}

}  // namespace

Result<std::unique_ptr<RecordService>> RecordService::open(RecordPlace place, const Clock& clock,
                                                           Random& random, RecordLimits limits) {
  Result<Workspace> workspace = Workspace::open(place.state(), place.workspace, clock);
  if (!workspace) return Unexpected(workspace.error());
  Result<std::shared_ptr<const Schema>> schema =
      with_kept_ref_names(std::move(place.schema), workspace->registry());
  if (!schema) return Unexpected(schema.error());
  place.schema = std::move(*schema);
  std::unique_ptr<RecordService> service(
      new RecordService(std::move(place), std::move(*workspace), clock, random));
  service->limits_ = limits;
  return service;
}

bool RecordService::is_write(std::string_view tool) {
  return tool != kTools[0] &&
         std::find(std::begin(kTools), std::end(kTools), tool) != std::end(kTools);
}

Unexpected RecordService::unknown_tool() {
  return fail(ErrorCode::usage, "There is no such tool on records.", "tool",
              {std::begin(kTools), std::end(kTools)});
}

StoreHealth RecordService::health() const {
  const StoreHealth rows = place_.rows->health();
  return rows.is_writable ? place_.state().health() : rows;
}

std::string RecordService::request_text(std::string_view tool, const Json& params) const {
  std::string request;
  append_json_string(request += "{\"tool\":", tool);
  append_json_string(request += ",\"workspace\":", workspace_.id().view());
  append_json(request += ",\"params\":", params);
  request += '}';
  return request;
}

RecordContext RecordService::context(Random& random, const Clock& clock) {
  return RecordContext{.schema = *place_.schema,
                       .registry = workspace_.registry(),
                       .caller = place_.caller,
                       .clock = clock,
                       .random = random,
                       .limits = limits_,
                       .categories = place_.categories.get(),
                       .origin = origin_,
                       .is_only_to_fail = is_only_to_fail_,
                       .artifact = [this](std::string_view ref) { return find_artifact(ref); },
                       .progress = progress_};
}

const JsonObject* RecordService::find_artifact(std::string_view gen_ref) const {
  if (artifact_)
    if (const JsonObject* found = artifact_(gen_ref)) return found;
  const StoredArtifact* kept = workspace_.state().artifact(gen_ref);
  return kept == nullptr ? nullptr : kept->content.if_object();
}

Result<void> RecordService::refresh() {
  return workspace_.is_spoilt() ? catch_up() : Result<void>();
}

void RecordService::distrust() {
  workspace_.spoil();
  progress_ = {};
  is_only_to_fail_ = false;
  origin_ = RefOrigin::system;
}

Result<void> RecordService::catch_up() {
  const auto load = [&](Tx& tx) -> Result<void> {
    if (const Result<bool> loaded = workspace_.catch_up(tx); !loaded)
      return Unexpected(loaded.error());
    return {};
  };
  return place_.state().read({}, load);
}

Changes RecordService::refs_changed() const {
  RefChanges refs = workspace_.registry().changes();
  Changes changes;
  if (!refs.empty()) changes.emplace_back(RefsChanged{std::move(refs)});
  return changes;
}

Changes RecordService::artifacts_saved(const Changes& changes) const {
  Changes saved;
  for (const Change& change : changes) {
    const auto* const refs = std::get_if<RefsChanged>(&change);
    if (refs == nullptr) continue;
    for (const RefChange& one : refs->changes) {
      const auto* const changed = std::get_if<EntityChanged>(&one);
      if (changed == nullptr || !changed->was.is_generated() || !changed->entry.key) continue;
      if (workspace_.state().artifact(changed->was.text()) == nullptr) continue;
      saved.emplace_back(
          ArtifactSaved{std::string(changed->was.text()), std::string(changed->entry.ref.text())});
    }
  }
  return saved;
}

void RecordService::note_saved(Changes& changes) {
  for (Change& change : artifacts_saved(changes)) {
    const Result<void> applied = apply_change(workspace_.spoil(), change);
    ALFRED_CHECK(applied.has_value(), "an artifact that was found can be marked");
    changes.push_back(std::move(change));
  }
}

Result<std::string> RecordService::call(std::string_view tool, const Json& params, OpId op) {
  return again_if_renewed([&] { return call_once(tool, params, op); });
}

Result<bool> RecordService::was_done(std::string_view tool, const Json& params, OpId op) {
  const Result<std::optional<std::string>> answer = place_.state().answer_of(op);
  if (!answer) return Unexpected(answer.error());
  if (!*answer) return false;
  const auto never = [](Tx&) -> Result<std::string> {
    return fail(ErrorCode::conflict, "The operation was forgotten meanwhile. Try again.");
  };
  const Result<std::string> kept =
      place_.state().write({op, request_text(tool, params), place_.caller}, never);
  if (!kept) return Unexpected(kept.error());
  return true;
}

Result<std::string> RecordService::call_once(std::string_view tool, const Json& params, OpId op) {
  if (tool == "db_read") return read([&] { return read_once(params); });
  if (!is_write(tool)) return unknown_tool();
  // A dry run does nothing that its op could keep from happening twice.
  const OpId used = is_dry_run(params) ? OpId::random(random_) : op;
  return place_.is_shared() ? write_shared(tool, params, used) : write_apart(tool, params, used);
}

Result<std::string> RecordService::user_call(std::string_view tool, const Json& params, OpId op) {
  origin_ = RefOrigin::user;
  Result<std::string> done = call(tool, params, op);
  origin_ = RefOrigin::system;
  return done;
}

Result<std::string> RecordService::call_to_fail(std::string_view tool, const Json& params,
                                                OpId op) {
  is_only_to_fail_ = true;
  Result<std::string> done = call(tool, params, op);
  is_only_to_fail_ = false;
  return done;
}

Result<std::string> RecordService::read_once(const Json& params) {
  std::string answer;
  const auto closure = [&](Tx& tx) -> Result<void> {
    Result<Done> done = read_in(tx, params);
    if (!done) return Unexpected(done.error());
    answer = std::move(done->answer);
    return {};
  };
  if (Result<void> done = place_.rows->read(place_.caller, closure); !done)
    return Unexpected(done.error());
  return answer;
}

// Reads, and keeps what the read registered. When another process came first with refs of its own,
// ours are taken back and the rows are read again.
Result<std::string> RecordService::read(const std::function<Result<std::string>()>& once) {
  if (Result<void> fresh = refresh(); !fresh) return Unexpected(fresh.error());
  std::optional<Result<FileLock>> lock;
  for (;;) {
    workspace_.begin();
    Result<std::string> answer = once();
    if (!answer) {
      workspace_.rollback();
      return answer;
    }
    const Changes changes = refs_changed();
    if (changes.empty()) return answer;
    // On a user's own database a row that a call has left open must not get a ref before that call
    // is settled, or it would not be known as the call's own.
    if (!place_.is_shared() && !lock) {
      workspace_.rollback();
      lock.emplace(lock_file(place_.lock_path, kLockTimeoutMs));
      if (!*lock) return Unexpected(lock->error());
      if (Result<void> settled = settle_open_calls(); !settled) return Unexpected(settled.error());
      continue;
    }
    bool is_behind = false;
    const auto keep = [&](Tx& tx) -> Result<std::string> {
      const Result<bool> behind = workspace_.is_behind(tx);
      if (!behind) return Unexpected(behind.error());
      is_behind = *behind;
      if (!is_behind)
        if (Result<void> kept = workspace_.append(tx, changes, clock_); !kept)
          return Unexpected(kept.error());
      return std::string();
    };
    Result<std::string> kept = place_.state().write({std::nullopt, "", {}}, keep);
    if (kept && !is_behind) {
      workspace_.settle();
      return answer;
    }
    workspace_.rollback();
    if (!kept) return kept;
    if (Result<void> done = catch_up(); !done) return Unexpected(done.error());
  }
}

// The workspace's transaction is begun.
Result<RecordService::Done> RecordService::run(Tx& tx, const RowsCall& call) {
  const bool is_undo = call.tool == "db_undo";
  Result<Done> done = is_undo ? undo(tx, call) : run_tool(tx, call);
  if (!done) return done;
  // Of a call that a crash left open, reminders are made from the rows in its ledger.
  const CreatedRows created = tx.holds_state() ? CreatedRows::by_mark : CreatedRows::whole;
  if (!is_undo) done->ledger = ledger_of(done->effects, created);
  if (tx.holds_state())
    if (Result<void> kept = remind(tx, *done); !kept) return Unexpected(kept.error());
  return done;
}

Result<void> RecordService::remind(Tx& tx, const Done& done) const {
  const ReminderWorld world{*place_.pack, place_.workspace.name, place_.caller.user.value_or(""),
                            clock_, random_};
  return keep_reminders(tx, world, done.effects);
}

Result<RecordService::Done> RecordService::run_tool(Tx& tx, const RowsCall& call) {
  RecordContext now = context(call.random, call.clock);
  if (const JsonString* batch = batch_of(call.params)) {
    BatchManifest* manifest = workspace_.find_batch(*batch);
    if (manifest == nullptr) return unknown_batch();
    Result<BatchOutcome> outcome = write_batch(tx, now, *manifest, call.tool, call.params);
    if (!outcome) return Unexpected(outcome.error());
    Changes changes = refs_changed();
    if (!outcome->changes.empty())
      changes.emplace_back(
          ItemsMoved{std::string(manifest->id().view()), std::move(outcome->changes)});
    return Done{std::move(outcome->outcome.answer), std::move(changes),
                std::move(outcome->outcome.effects)};
  }
  const auto write = call.tool == "db_create"   ? create_rows
                     : call.tool == "db_update" ? update_rows
                                                : delete_rows;
  Result<RecordOutcome> outcome = write(tx, now, call.params);
  if (!outcome) return Unexpected(outcome.error());
  return Done{std::move(outcome->answer), refs_changed(), std::move(outcome->effects)};
}

Result<std::string> RecordService::write_shared(std::string_view tool, const Json& params,
                                                OpId op) {
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    if (Result<void> started = workspace_.start_write(tx); !started)
      return Unexpected(started.error());
    Result<Done> done = run(tx, {tool, params, random_, clock_, op});
    if (!done) return Unexpected(done.error());
    note_saved(done->changes);
    if (Result<void> kept = workspace_.append(tx, done->changes, clock_); !kept)
      return Unexpected(kept.error());
    if (Result<void> kept = keep_ledger(tx, ledger_turn(op), done->ledger); !kept)
      return Unexpected(kept.error());
    return std::move(done->answer);
  };
  Result<std::string> answer =
      place_.rows->write({op, request_text(tool, params), place_.caller}, closure);
  if (answer)
    workspace_.settle();
  else
    workspace_.rollback();
  return answer;
}

Result<std::string> RecordService::write_state(const std::string& request, OpId op,
                                               const std::function<Result<Done>()>& closure) {
  std::optional<Result<FileLock>> lock;
  if (!place_.is_shared()) lock.emplace(lock_file(place_.lock_path, kLockTimeoutMs));
  if (lock && !*lock) return Unexpected(lock->error());
  if (lock)
    if (Result<void> settled = settle_open_calls(); !settled) return Unexpected(settled.error());
  const auto write = [&](Tx& tx) -> Result<std::string> {
    if (Result<void> started = workspace_.start_write(tx); !started)
      return Unexpected(started.error());
    Result<Done> done = closure();
    if (!done) return Unexpected(done.error());
    if (Result<void> kept = workspace_.append(tx, done->changes, clock_); !kept)
      return Unexpected(kept.error());
    return std::move(done->answer);
  };
  Result<std::string> answer = place_.state().write({op, request, place_.caller}, write);
  if (answer)
    workspace_.settle();
  else
    workspace_.rollback();
  return answer;
}

Result<std::string> RecordService::query(const Json& params) {
  const auto once = [&]() -> Result<std::string> {
    RecordContext now = context(random_, clock_);
    Result<RecordOutcome> outcome = query_rows(*place_.rows, now, params);
    if (!outcome) return Unexpected(outcome.error());
    return std::move(outcome->answer);
  };
  return again_if_renewed([&] { return read(once); });
}

}  // namespace alfred
