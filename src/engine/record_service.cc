#include "engine/record_service.h"

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "records/query/query_rows.h"
#include "records/read/read_rows.h"
#include "records/write/batch_write.h"
#include "records/write/write_rows.h"

namespace alfred {
namespace {

constexpr int kLockTimeoutMs = 5000;
constexpr std::string_view kTools[] = {"db_read", "db_create", "db_update", "db_delete"};

Unexpected unknown_tool() {
  return fail(ErrorCode::usage, "There is no such tool on records.", "tool",
              {std::begin(kTools), std::end(kTools)});
}

// The batch a call belongs to; null when it names none.
const JsonString* batch_of(const Json& params) {
  const JsonObject* object = params.if_object();
  const Json* batch = object == nullptr ? nullptr : object->if_contains("batch");
  return batch == nullptr ? nullptr : batch->if_string();
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
  std::unique_ptr<RecordService> service(
      new RecordService(std::move(place), std::move(*workspace), clock, random));
  service->limits_ = limits;
  return service;
}

StoreHealth RecordService::health() const {
  const StoreHealth rows = place_.rows->health();
  return rows.is_writable ? place_.state().health() : rows;
}

std::string RecordService::request_text(std::string_view tool, const Json& params) const {
  std::string request = "{\"tool\":";
  append_json_string(request, tool);
  request += ",\"workspace\":";
  append_json_string(request, workspace_.id().view());
  return request + ",\"params\":" + write_json(params) + "}";
}

RecordContext RecordService::context(Random& random, const Clock& clock) {
  return RecordContext{.schema = place_.schema,
                       .registry = workspace_.registry(),
                       .caller = place_.caller,
                       .clock = clock,
                       .random = random,
                       .limits = limits_,
                       .categories = place_.categories.get(),
                       .artifact = artifact_};
}

Result<std::string> RecordService::call(std::string_view tool, const Json& params, OpId op) {
  if (tool == "db_read") return read([&] { return read_once(params); });
  if (std::find(std::begin(kTools), std::end(kTools), tool) == std::end(kTools))
    return unknown_tool();
  return place_.is_shared() ? write_shared(tool, params, op) : write_apart(tool, params, op);
}

Result<std::string> RecordService::read_once(const Json& params) {
  std::string answer;
  const auto closure = [&](Tx& tx) -> Result<void> {
    RecordContext now = context(random_, clock_);
    Result<RecordOutcome> outcome = read_rows(tx, now, params);
    if (!outcome) return Unexpected(outcome.error());
    answer = std::move(outcome->answer);
    return {};
  };
  if (Result<void> done = place_.rows->read(place_.caller, closure); !done)
    return Unexpected(done.error());
  return answer;
}

// Reads, and keeps what the read registered. When another process came first with refs of its own,
// ours are taken back and the rows are read again.
Result<std::string> RecordService::read(const std::function<Result<std::string>()>& once) {
  std::optional<Result<FileLock>> lock;
  for (;;) {
    workspace_.begin();
    Result<std::string> answer = once();
    if (!answer) {
      workspace_.rollback();
      return answer;
    }
    const WorkspaceChanges changes{.refs = workspace_.registry().changes()};
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
    const auto catch_up = [&](Tx& tx) -> Result<void> {
      const Result<bool> caught_up = workspace_.catch_up(tx);
      if (!caught_up) return Unexpected(caught_up.error());
      return {};
    };
    if (Result<void> done = place_.state().read({}, catch_up); !done)
      return Unexpected(done.error());
  }
}

// The workspace's transaction is begun.
Result<RecordService::Done> RecordService::run(Tx& tx, const Change& change) {
  RecordContext now = context(change.random, change.clock);
  now.is_recovering = change.is_recovering;
  if (const JsonString* batch = batch_of(change.params)) {
    BatchManifest* manifest = workspace_.find_batch(*batch);
    if (manifest == nullptr) return unknown_batch();
    Result<BatchOutcome> outcome = write_batch(tx, now, *manifest, change.tool, change.params);
    if (!outcome) return Unexpected(outcome.error());
    WorkspaceChanges changes{.refs = workspace_.registry().changes()};
    changes.batch = manifest->id();
    changes.moved = std::move(outcome->changes);
    return Done{std::move(outcome->outcome.answer), std::move(changes)};
  }
  const auto write = change.tool == "db_create"   ? create_rows
                     : change.tool == "db_update" ? update_rows
                                                  : delete_rows;
  Result<RecordOutcome> outcome = write(tx, now, change.params);
  if (!outcome) return Unexpected(outcome.error());
  return Done{std::move(outcome->answer), {.refs = workspace_.registry().changes()}};
}

Result<std::string> RecordService::write_shared(std::string_view tool, const Json& params,
                                                OpId op) {
  workspace_.begin();
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    workspace_.rollback();  // of a run before this one
    if (const Result<bool> caught_up = workspace_.catch_up(tx); !caught_up)
      return Unexpected(caught_up.error());
    Result<Done> done = run(tx, {tool, params, random_, clock_});
    if (!done) return Unexpected(done.error());
    if (Result<void> kept = workspace_.append(tx, done->changes, clock_); !kept)
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
  workspace_.begin();
  const auto write = [&](Tx& tx) -> Result<std::string> {
    workspace_.rollback();
    if (const Result<bool> caught_up = workspace_.catch_up(tx); !caught_up)
      return Unexpected(caught_up.error());
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
  return read([&]() -> Result<std::string> {
    RecordContext now = context(random_, clock_);
    Result<RecordOutcome> outcome = query_rows(*place_.rows, now, params);
    if (!outcome) return Unexpected(outcome.error());
    return std::move(outcome->answer);
  });
}

}  // namespace alfred
