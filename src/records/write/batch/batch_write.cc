#include "records/write/batch/batch_write.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/stop_scope.h"
#include "records/write/batch/batch_item.h"
#include "records/write/row_answer.h"
#include "records/write/write_steps.h"

namespace alfred {
namespace {

// Whether the same item can be done by trying again: what stood in the way may be gone by then.
bool is_retriable(const Error& error) {
  const ErrorKind kind = error_kind(error.code);
  return kind == ErrorKind::unavailable || kind == ErrorKind::conflict;
}

// Errors after which the transaction cannot be trusted with the other items, or after which nobody
// wants them.
bool ends_call(const Error& error) {
  return is_stop_wanted() || error.code == ErrorCode::storage || error.code == ErrorCode::corrupt ||
         error_kind(error.code) == ErrorKind::bug;
}

// Lists of the answer, which tells of all items in every call: as text, not by way of a Json.
std::string& next_element(std::string& list) { return list.empty() ? list : list += ','; }

void append_completed(std::string& list, const BatchItem& item) {
  append_json_string(next_element(list) += R"({"ref":)", item.ref);
  if (!item.result_ref.empty()) append_json_string(list += R"(,"result":)", item.result_ref);
  list += '}';
}

void append_failed(std::string& list, const BatchItem& item) {
  append_json_string(next_element(list) += R"({"ref":)", item.ref);
  append_json_string(list += R"(,"error":)", item.error);
  list += item.is_retriable ? R"(,"retriable":true})" : R"(,"retriable":false})";
}

// One call on a manifest.
class BatchCall {
 public:
  BatchCall(Tx& tx, RecordContext& context, BatchManifest& manifest, WriteTool tool)
      : tx_(tx), context_(context), manifest_(manifest), tool_(tool) {}

  Result<void> run(const BatchRows& rows);
  Result<void> try_out(const BatchRows& rows);
  BatchOutcome outcome();

 private:
  bool run_together(const BatchRows& rows);
  Result<void> write_together(const BatchRows& rows, std::span<NewRow> created, RowWriter& writer);
  Result<void> run_partial(const BatchRows& rows);
  Result<void> run_atomic(const BatchRows& rows);
  Result<void> run_item(const BatchRows& rows, const ItemRow& row);
  Result<void> check_parents(const BatchRows& rows, const ItemRow& row) const;
  std::string named_ref(const BatchRows& rows, const ItemRow& row) const;
  std::string created_ref(EntityNo entity) const;
  void count_beside(const Table& table);
  void note(Result<ItemMoved> moved);
  void note_failed(const ItemRow& row, std::string_view error, bool is_retriable);
  void tell_progress(const BatchRows& rows, std::size_t done) const;

  Tx& tx_;
  RecordContext& context_;
  BatchManifest& manifest_;
  WriteTool tool_;
  std::set<std::string> failed_;
  BatchChanges changes_;
  std::vector<RowEffect> effects_;
  bool is_dry_run_ = false;
  std::string beside_;  // members of a dry run's answer
};

void BatchCall::note(Result<ItemMoved> moved) {
  if (moved) changes_.push_back(std::move(*moved));
}

void BatchCall::note_failed(const ItemRow& row, std::string_view error, bool is_retriable) {
  failed_.insert(row.item);
  note(manifest_.fail_item(row.item, error, is_retriable));
}

void BatchCall::tell_progress(const BatchRows& rows, std::size_t done) const {
  if (context_.progress) context_.progress(done, rows.rows().size());
}

// The ref of the row that an item to change or delete named.
std::string BatchCall::named_ref(const BatchRows& rows, const ItemRow& row) const {
  const JsonObject object = rows.named(row);
  const std::string_view member = row_name_member(rows.table(), object);
  return ref_text(context_, context_.registry.find(object.at(member).as_string()));
}

// What a dry run registered is forgotten.
std::string BatchCall::created_ref(EntityNo entity) const {
  return is_dry_run_ ? std::string() : ref_text(context_, entity);
}

Result<void> BatchCall::check_parents(const BatchRows& rows, const ItemRow& row) const {
  if (tool_ != WriteTool::create) return {};
  for (const std::string& parent : rows.parents_of(row))
    if (failed_.contains(parent))
      return fail(ErrorCode::ref_pending,
                  fmt::format("{}, which it links to, was not saved.", parent));
  return {};
}

// Does one item and tells the registry; on an error neither rows nor registry were changed.
Result<void> BatchCall::run_item(const BatchRows& rows, const ItemRow& row) {
  if (Result<void> saved = check_parents(rows, row); !saved) return saved;
  RowWriter writer(tx_, context_, row.item);
  ItemWriter item(tx_, context_, rows, tool_);
  Result<void> done = tx_.savepoint([&] { return item.write(row, writer); });
  if (!done) return done;
  if (Result<void> noted = writer.note(); !noted) {
    // The registry keeps what it was told of this item, so nothing of this call may stay.
    Error error = noted.error();
    error.detail = fmt::format("{}: {}", error_name(error.code), error.message);
    error.code = ErrorCode::storage;
    return Unexpected(std::move(error));
  }
  note(manifest_.complete(row.item, tool_ == WriteTool::create
                                        ? created_ref(writer.rows().front().entity)
                                        : named_ref(rows, row)));
  for (RowEffect& effect : writer.take_effects()) effects_.push_back(std::move(effect));
  return {};
}

Result<void> BatchCall::write_together(const BatchRows& rows, std::span<NewRow> created,
                                       RowWriter& writer) {
  constexpr LinkCheck::Scope kScope = LinkCheck::Scope::what_database_takes;
  if (Result<void> there = writer.check_links(created, kScope); !there) return there;
  writer.reserve(created);
  for (std::size_t at = 0; at < created.size(); ++at) {
    writer.start_item(rows.rows()[at].item);
    if (Result<void> planned = writer.plan(created[at]); !planned) return planned;
  }
  if (Result<void> written = writer.write_items(); !written) return written;
  return writer.note();
}

// All items in one part, which is what nearly every call comes to; false: nothing was done, and
// they have to go one by one, so that each is told what is wrong with it. Not where a crash may
// have to be finished later: the keys that are made then have to be those of the first try.
bool BatchCall::run_together(const BatchRows& rows) {
  if (tool_ != WriteTool::create || rows.has_parents() || !tx_.holds_state()) return false;
  PayloadReader reader(context_);
  std::vector<NewRow> created;
  created.reserve(rows.rows().size());
  for (const ItemRow& row : rows.rows()) {
    Result<NewRow> read = reader.item_row(rows.table(), *row.row, row.path);
    if (!read) return false;
    created.push_back(std::move(*read));
  }
  RowWriter writer(tx_, context_);
  if (!tx_.savepoint([&] { return write_together(rows, created, writer); })) {
    context_.registry.rollback();
    context_.registry.begin();
    return false;
  }
  changes_.reserve(2 * rows.rows().size());
  auto row = rows.rows().begin();
  for (const WrittenRow& written : writer.rows()) {
    if (written.parent != kNoParent) continue;
    note(manifest_.start(row->item));
    note(manifest_.complete(row->item, created_ref(written.entity)));
    ++row;
  }
  effects_ = writer.take_effects();
  tell_progress(rows, rows.rows().size());
  return true;
}

Result<void> BatchCall::run_partial(const BatchRows& rows) {
  std::size_t count = 0;
  for (const ItemRow& row : rows.rows()) {
    note(manifest_.start(row.item));
    Result<void> done = run_item(rows, row);
    if (!done && ends_call(done.error())) return done;
    if (!done) note_failed(row, done.error().message, is_retriable(done.error()));
    tell_progress(rows, ++count);
  }
  return {};
}

Result<void> BatchCall::run_atomic(const BatchRows& rows) {
  const BatchManifest before = manifest_;
  std::string culprit;
  Result<void> done = tx_.savepoint([&]() -> Result<void> {
    std::size_t count = 0;
    for (const ItemRow& row : rows.rows()) {
      note(manifest_.start(row.item));
      culprit = row.item;
      if (Result<void> item = run_item(rows, row); !item) return item;
      tell_progress(rows, ++count);
    }
    return {};
  });
  if (done || ends_call(done.error())) return done;
  manifest_ = before;
  changes_.clear();
  effects_.clear();
  context_.registry.rollback();
  context_.registry.begin();
  for (const ItemRow& row : rows.rows()) {
    note(manifest_.start(row.item));
    if (row.item == culprit)
      note_failed(row, done.error().message, is_retriable(done.error()));
    else
      note_failed(row, fmt::format("Undone, because {} failed.", culprit), true);
  }
  return {};
}

Result<void> BatchCall::run(const BatchRows& rows) {
  context_.registry.begin();
  if (!context_.is_only_to_fail && run_together(rows)) return {};
  const bool is_atomic = rows.table().batch_policy == BatchPolicy::atomic;
  Result<void> done = is_atomic ? run_atomic(rows) : run_partial(rows);
  if (done && context_.is_only_to_fail && !effects_.empty())
    done = fail(ErrorCode::conflict,
                "Rows have changed: an item that could not be done can be done now. Nothing was "
                "done; try again.");
  if (!done) context_.registry.rollback();
  return done;
}

// What changes beside the items' own rows, by table: {"loans":{"count":2}}.
void BatchCall::count_beside(const Table& table) {
  std::map<std::string, std::size_t> deleted;
  std::map<std::string, std::size_t> updated;
  for (const RowEffect& effect : effects_) {
    if (effect.kind == RowEffect::Kind::deleted) ++deleted[effect.table->name];
    if (effect.kind == RowEffect::Kind::updated) ++updated[effect.table->name];
  }
  std::size_t own = 0;
  for (const ItemMoved& moved : changes_)
    if (moved.item.status == ItemStatus::complete) ++own;
  auto& ours = tool_ == WriteTool::remove ? deleted : updated;
  if (tool_ != WriteTool::create) ours[table.name] -= std::min(ours[table.name], own);
  const auto add = [&](std::string_view member, const auto& counts) {
    JsonObject tables;
    for (const auto& [name, count] : counts)
      if (count > 0) tables[name] = JsonObject{{"count", count}};
    if (!tables.empty()) beside_ += fmt::format(R"(,"{}":{})", member, write_json(tables));
  };
  add("also_deleted", deleted);
  add("also_updated", updated);
}

// R5: does it all, and takes it all back.
Result<void> BatchCall::try_out(const BatchRows& rows) {
  constexpr std::string_view kDryRun = "a dry run is undone";
  is_dry_run_ = true;
  bool is_done = false;
  Result<void> done = tx_.savepoint([&]() -> Result<void> {
    if (Result<void> ran = run(rows); !ran) return ran;
    is_done = true;
    return fail(ErrorCode::bug, std::string(kDryRun));
  });
  context_.registry.rollback();
  if (!done && !(is_done && done.error().message == kDryRun)) return done;
  count_beside(rows.table());
  changes_.clear();
  effects_.clear();
  return {};
}

BatchOutcome BatchCall::outcome() {
  std::string completed;
  std::string failed;
  std::string pending;
  for (const BatchItem& item : manifest_.items()) {
    if (item.status == ItemStatus::complete)
      append_completed(completed, item);
    else if (item.status == ItemStatus::failed)
      append_failed(failed, item);
    else
      append_json_string(next_element(pending), item.ref);
  }
  std::string answer =
      fmt::format(R"({{"total":{},"completed":[{}],"failed":[{}],"pending":[{}]{}{}}})",
                  manifest_.items().size(), completed, failed, pending, beside_,
                  is_dry_run_ ? R"(,"dry_run":true)" : "");
  return {{std::move(answer), std::move(effects_)}, std::move(changes_)};
}

}  // namespace

Result<BatchOutcome> write_batch(Tx& tx, RecordContext& context, BatchManifest& manifest,
                                 std::string_view tool, const Json& params) {
  const std::optional<WriteTool> named = write_tool_named(tool);
  if (!named)
    return fail(ErrorCode::schema, "A batch is written by db_create, db_update or db_delete.",
                "tool", {"db_create", "db_update", "db_delete"});
  const Result<BatchRows> rows = BatchRows::read(context, manifest, *named, params);
  if (!rows) return Unexpected(rows.error());
  BatchManifest after = manifest;
  BatchCall call(tx, context, after, *named);
  const Result<void> done = rows->is_dry_run() ? call.try_out(*rows) : call.run(*rows);
  if (!done) return Unexpected(done.error());
  BatchOutcome outcome = call.outcome();
  if (!rows->is_dry_run()) manifest = std::move(after);
  return outcome;
}

}  // namespace alfred
