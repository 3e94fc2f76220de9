#include "records/write/batch_write.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "records/write/row_answer.h"
#include "records/write/write_steps.h"

namespace alfred {
namespace {

// A row of the call, with the item it is for.
struct ItemRow {
  std::string item;
  const JsonObject* row;  // with the name of its item
  std::string path;
};

// Whether the same item can be done by trying again: what stood in the way may be gone by then.
bool is_retriable(const Error& error) {
  const ErrorKind kind = error_kind(error.code);
  return kind == ErrorKind::unavailable || kind == ErrorKind::conflict;
}

// Errors after which the transaction cannot be trusted with the other items.
bool ends_call(const Error& error) {
  return error.code == ErrorCode::storage || error.code == ErrorCode::corrupt ||
         error_kind(error.code) == ErrorKind::bug;
}

// One call on a manifest.
class BatchCall {
 public:
  BatchCall(Tx& tx, RecordContext& context, const BatchManifest& manifest, WriteTool tool)
      : tx_(tx), context_(context), manifest_(manifest), tool_(tool) {}

  Result<void> read(const Json& params);
  Result<void> run();
  BatchOutcome outcome();
  BatchManifest take_manifest() { return std::move(manifest_); }

 private:
  Result<ItemRow> read_row(const Json& json, const std::string& path);
  std::vector<std::string> open_items() const;
  void parents_first();
  std::vector<std::string> parents_of(const ItemRow& row) const;
  bool run_together();
  Result<void> run_partial();
  Result<void> run_atomic();
  Result<void> run_item(const ItemRow& row);
  Result<void> write_item(const ItemRow& row, RowWriter& writer);
  Result<void> check_distinct() const;
  Result<void> create_item(const ItemRow& row, RowWriter& writer);
  Result<void> update_item(const ItemRow& row, RowWriter& writer);
  Result<void> delete_item(const ItemRow& row, RowWriter& writer);
  Result<FoundRow> lock_item(const RecordKey& key);
  JsonObject named(const ItemRow& row) const;
  std::string result_ref(const ItemRow& row, std::span<const WrittenRow> written) const;
  void note(const Result<ItemMoved>& moved);
  void note_failed(const ItemRow& row, std::string_view error, bool is_retriable);

  Tx& tx_;
  RecordContext& context_;
  BatchManifest manifest_;
  WriteTool tool_;
  const Table* table_ = nullptr;
  std::vector<ItemRow> rows_;
  bool has_parents_ = false;                  // some of them link to others
  std::set<std::string, std::less<>> named_;  // the items of rows_
  std::set<std::string> failed_;
  BatchChanges changes_;
  std::vector<RowEffect> effects_;
};

// Some of those that a row may still be for.
std::vector<std::string> BatchCall::open_items() const {
  std::vector<std::string> open;
  for (const BatchItem& item : manifest_.items())
    if (item.status == ItemStatus::pending && open.size() < 10) open.push_back(item.ref);
  return open;
}

Result<ItemRow> BatchCall::read_row(const Json& json, const std::string& path) {
  if (!json.is_object()) return fail(ErrorCode::schema, "A row is a JSON object.", path);
  const std::string_view member = item_member(*table_);
  const Json* const name = json.as_object().if_contains(member);
  if (name == nullptr || !name->is_string())
    return fail(
        ErrorCode::batch_item,
        fmt::format("Each row of a batch names its item as {}; this one names none.", member), path,
        open_items());
  const std::string ref(name->as_string());
  const BatchItem* const item = manifest_.find(ref);
  if (item == nullptr || item->status != ItemStatus::pending)
    return fail(
        ErrorCode::batch_item,
        fmt::format("{} is {}. Name an item that is pending.", quoted_text(ref),
                    item == nullptr ? std::string("no item of this batch")
                                    : "already " + std::string(item_status_name(item->status))),
        path, open_items());
  if (!named_.insert(ref).second)
    return fail(ErrorCode::batch_dup,
                fmt::format("Two rows are for {}; an item is one row.", quoted_text(ref)), path);
  return ItemRow{ref, &json.as_object(), path};
}

Result<void> BatchCall::read(const Json& params) {
  if (!params.is_object())
    return fail(ErrorCode::schema, "The parameters of a call are a JSON object.");
  for (const auto& member : params.as_object())
    if (member.key() != "table" && member.key() != "data" && member.key() != "batch")
      return fail(ErrorCode::schema,
                  fmt::format("A call on a batch has no parameter {}. Leave it out.",
                              quoted_text(member.key())),
                  {}, {"table", "data"});
  JsonObject named{{"table", manifest_.table()}};
  if (const Json* table = params.as_object().if_contains("table")) named["table"] = *table;
  const Result<WriteParams> call = read_write_params(context_, WriteTool::create, named);
  if (!call) return Unexpected(call.error());
  table_ = call->table;
  if (table_->name != manifest_.table())
    return fail(ErrorCode::schema,
                fmt::format("This batch is on {}; its rows go there.", manifest_.table()), "table");
  const Json* const list = params.as_object().if_contains("data");
  if (list == nullptr || !list->is_array() || list->as_array().empty())
    return fail(ErrorCode::schema, "data is a list of rows that each name their item.", "data");
  if (list->as_array().size() > context_.limits.batch_items)
    return fail(ErrorCode::limit,
                fmt::format("One call has at most {} rows; this one has {}.",
                            context_.limits.batch_items, list->as_array().size()),
                "data");
  for (std::size_t at = 0; at < list->as_array().size(); ++at) {
    Result<ItemRow> row = read_row(list->as_array()[at], fmt::format("data[{}]", at));
    if (!row) return Unexpected(std::move(row).error());
    rows_.push_back(std::move(*row));
  }
  if (tool_ != WriteTool::create) return check_distinct();
  parents_first();
  return {};
}

// Two items may name one row by different refs (C24).
Result<void> BatchCall::check_distinct() const {
  std::set<EntityNo> seen;
  for (const ItemRow& row : rows_) {
    const JsonObject object = named(row);
    const Json& ref = object.at(row_name_member(*table_, object));
    const EntityNo entity = ref.is_string() ? context_.registry.find(ref.as_string()) : kNoEntity;
    if (entity != kNoEntity && !seen.insert(entity).second)
      return fail(ErrorCode::batch_dup,
                  fmt::format("The row of {} is named twice; say all that changes once.",
                              quoted_text(row.item)),
                  row.path);
  }
  return {};
}

// The items of this call that a row links to.
std::vector<std::string> BatchCall::parents_of(const ItemRow& row) const {
  std::vector<std::string> parents;
  for (const Field& field : table_->fields) {
    const Json* const value = field.link ? row.row->if_contains(field.name) : nullptr;
    if (value == nullptr || !value->is_string() || value->as_string() == row.item) continue;
    if (named_.contains(std::string_view(value->as_string())))
      parents.emplace_back(value->as_string());
  }
  return parents;
}

// A row that links to another item comes after it; else the order stays (B5).
void BatchCall::parents_first() {
  has_parents_ = std::any_of(rows_.begin(), rows_.end(),
                             [&](const ItemRow& row) { return !parents_of(row).empty(); });
  if (!has_parents_) return;
  std::vector<ItemRow> ordered;
  std::set<std::string> placed;
  std::vector<bool> is_placed(rows_.size(), false);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      const std::vector<std::string> parents = parents_of(rows_[at]);
      const bool is_ready = std::all_of(parents.begin(), parents.end(), [&](const auto& parent) {
        return placed.contains(parent);
      });
      if (is_placed[at] || !is_ready) continue;
      is_placed[at] = moved = true;
      placed.insert(rows_[at].item);
      ordered.push_back(rows_[at]);
    }
  }
  for (std::size_t at = 0; at < rows_.size(); ++at)  // circles: each will say what it waits for
    if (!is_placed[at]) ordered.push_back(rows_[at]);
  rows_ = std::move(ordered);
}

Result<FoundRow> BatchCall::lock_item(const RecordKey& key) {
  Result<std::vector<FoundRow>> found = lock_targets(tx_, targets_of_keys(*table_, {key}));
  if (!found) return Unexpected(std::move(found).error());
  if (found->empty())
    return fail(ErrorCode::ref_unknown, "Its row is not there any more. Read again.");
  return std::move(found->front());
}

// The row with the ref that names it: its own, or its item's.
JsonObject BatchCall::named(const ItemRow& row) const {
  JsonObject object;
  for (const auto& one : *row.row)
    if (one.key() != item_member(*table_)) object.emplace(one.key(), one.value());
  if (row_name_member(*table_, object).empty())
    object[table_->find("_ref") == nullptr ? "_ref" : "id"] = row.item;
  return object;
}

Result<void> BatchCall::create_item(const ItemRow& row, RowWriter& writer) {
  for (const std::string& parent : parents_of(row))
    if (failed_.contains(parent))
      return fail(ErrorCode::ref_pending,
                  fmt::format("{}, which it links to, was not saved.", parent));
  const Result<NewRow> created = read_item_row(context_, *table_, *row.row, row.path);
  if (!created) return Unexpected(created.error());
  if (Result<void> there = writer.check_links({&*created, 1}); !there) return there;
  return writer.create(*created);
}

Result<void> BatchCall::update_item(const ItemRow& row, RowWriter& writer) {
  const Result<NamedChange> change = read_named_change(context_, *table_, named(row), row.path);
  if (!change) return Unexpected(change.error());
  if (Result<void> there = writer.check_links(change->values, row.path); !there) return there;
  const Result<FoundRow> found = lock_item(change->key);
  if (!found) return Unexpected(found.error());
  if (change->version)
    if (Result<void> fresh = check_version(context_, *table_, found->row, *change->version); !fresh)
      return fresh;
  return writer.change(*table_, change->key, found->row, change->values);
}

Result<void> BatchCall::delete_item(const ItemRow& row, RowWriter& writer) {
  const JsonObject object = named(row);
  const std::string_view member = row_name_member(*table_, object);
  if (object.size() > 1)
    return fail(ErrorCode::schema, "A row to delete has its ref and nothing else.", row.path);
  const Result<RecordKey> key = target_of_ref(context_, *table_, object.at(member), row.path);
  if (!key) return Unexpected(key.error());
  Result<FoundRow> found = lock_item(*key);
  if (!found) return Unexpected(std::move(found).error());
  return delete_with_dependents(tx_, context_, writer, *table_, {std::move(*found)});
}

Result<void> BatchCall::write_item(const ItemRow& row, RowWriter& writer) {
  if (tool_ == WriteTool::create) return create_item(row, writer);
  return tool_ == WriteTool::update ? update_item(row, writer) : delete_item(row, writer);
}

void BatchCall::note(const Result<ItemMoved>& moved) {
  if (moved) changes_.push_back(*moved);
}

void BatchCall::note_failed(const ItemRow& row, std::string_view error, bool is_retriable) {
  failed_.insert(row.item);
  note(manifest_.fail_item(row.item, error, is_retriable));
}

// The ref of the row that the item became: the new one, or the one it named.
std::string BatchCall::result_ref(const ItemRow& row, std::span<const WrittenRow> written) const {
  if (tool_ == WriteTool::create) return ref_text(context_, written.front().entity);
  const JsonObject object = named(row);
  const EntityNo entity =
      context_.registry.find(object.at(row_name_member(*table_, object)).as_string());
  return ref_text(context_, entity);
}

// Does one item and tells the registry; on an error neither rows nor registry were changed.
Result<void> BatchCall::run_item(const ItemRow& row) {
  RowWriter writer(tx_, context_, row.item);
  Result<void> done = tx_.savepoint([&] { return write_item(row, writer); });
  if (!done) return done;
  if (Result<void> noted = writer.note(); !noted) {
    // The registry keeps what it was told of this item, so nothing of this call may stay.
    Error error = noted.error();
    error.detail = fmt::format("{}: {}", error_name(error.code), error.message);
    error.code = ErrorCode::storage;
    return Unexpected(std::move(error));
  }
  note(manifest_.complete(row.item, result_ref(row, writer.rows())));
  for (RowEffect& effect : writer.take_effects()) effects_.push_back(std::move(effect));
  return {};
}

// All items in one part, which is what nearly every call comes to; false: nothing was done, and
// they have to go one by one, so that each is told what is wrong with it. Not where a crash may
// have to be finished later: the keys that are made then have to be those of the first try.
bool BatchCall::run_together() {
  if (tool_ != WriteTool::create || has_parents_ || !tx_.holds_state()) return false;
  std::vector<NewRow> created;
  created.reserve(rows_.size());
  for (const ItemRow& row : rows_) {
    Result<NewRow> read = read_item_row(context_, *table_, *row.row, row.path);
    if (!read) return false;
    created.push_back(std::move(*read));
  }
  RowWriter writer(tx_, context_);
  const Result<void> done = tx_.savepoint([&]() -> Result<void> {
    if (Result<void> there = writer.check_links(created); !there) return there;
    for (std::size_t at = 0; at < created.size(); ++at) {
      writer.start_item(rows_[at].item);
      if (Result<void> planned = writer.plan(created[at]); !planned) return planned;
    }
    if (Result<void> written = writer.write_planned(); !written) return written;
    return writer.note();
  });
  if (!done) {
    context_.registry.rollback();
    context_.registry.begin();
    return false;
  }
  std::size_t at = 0;
  for (const WrittenRow& row : writer.rows()) {
    if (row.parent != kNoParent) continue;
    note(manifest_.start(rows_[at].item));
    note(manifest_.complete(rows_[at].item, ref_text(context_, row.entity)));
    ++at;
  }
  effects_ = writer.take_effects();
  return true;
}

Result<void> BatchCall::run_partial() {
  for (const ItemRow& row : rows_) {
    note(manifest_.start(row.item));
    Result<void> done = run_item(row);
    if (!done && ends_call(done.error())) return done;
    if (!done) note_failed(row, done.error().message, is_retriable(done.error()));
  }
  return {};
}

Result<void> BatchCall::run_atomic() {
  const BatchManifest before = manifest_;
  std::string culprit;
  Result<void> done = tx_.savepoint([&]() -> Result<void> {
    for (const ItemRow& row : rows_) {
      note(manifest_.start(row.item));
      culprit = row.item;
      if (Result<void> item = run_item(row); !item) return item;
    }
    return {};
  });
  if (done || ends_call(done.error())) return done;
  manifest_ = before;
  changes_.clear();
  effects_.clear();
  context_.registry.rollback();
  context_.registry.begin();
  for (const ItemRow& row : rows_) {
    note(manifest_.start(row.item));
    if (row.item == culprit)
      note_failed(row, done.error().message, is_retriable(done.error()));
    else
      note_failed(row, fmt::format("Undone, because {} failed.", culprit), true);
  }
  return {};
}

Result<void> BatchCall::run() {
  context_.registry.begin();
  if (run_together()) return {};
  Result<void> done = table_->batch_policy == BatchPolicy::atomic ? run_atomic() : run_partial();
  if (!done) context_.registry.rollback();
  return done;
}

BatchOutcome BatchCall::outcome() {
  JsonArray completed;
  JsonArray failed;
  JsonArray pending;
  for (const BatchItem& item : manifest_.items()) {
    if (item.status == ItemStatus::complete)
      completed.push_back(JsonObject{{"ref", item.ref}, {"result", item.result_ref}});
    else if (item.status == ItemStatus::failed)
      failed.push_back(
          JsonObject{{"ref", item.ref}, {"error", item.error}, {"retriable", item.is_retriable}});
    else
      pending.emplace_back(item.ref);
  }
  const JsonObject answer{{"total", manifest_.items().size()},
                          {"completed", std::move(completed)},
                          {"failed", std::move(failed)},
                          {"pending", std::move(pending)}};
  return {{write_json(answer), std::move(effects_)}, std::move(changes_)};
}

}  // namespace

Result<BatchOutcome> write_batch(Tx& tx, RecordContext& context, BatchManifest& manifest,
                                 std::string_view tool, const Json& params) {
  const std::optional<WriteTool> named = write_tool_named(tool);
  if (!named)
    return fail(ErrorCode::schema, "A batch is written by db_create, db_update or db_delete.",
                "tool", {"db_create", "db_update", "db_delete"});
  BatchCall call(tx, context, manifest, *named);
  if (const Result<void> read = call.read(params); !read) return Unexpected(read.error());
  if (const Result<void> done = call.run(); !done) return Unexpected(done.error());
  BatchOutcome outcome = call.outcome();
  manifest = call.take_manifest();
  return outcome;
}

}  // namespace alfred
