#include "engine/journal/journal.h"

#include <array>

#include "base/digest.h"
#include "state/change_text.h"

namespace alfred {
namespace {

constexpr Statement kAppend(
    "INSERT INTO alfred_workspace_changes (workspace, place, at_ms, changes, hash) "
    "VALUES (:id, :place, :at, :changes, :hash)");
constexpr Statement kHead("SELECT place, hash FROM alfred_workspaces WHERE id = :id");
constexpr Statement kMoveHead(
    "UPDATE alfred_workspaces SET place = :place, hash = :hash "
    "WHERE id = :id AND place = :before_place AND hash = :before_hash");
constexpr Statement kRead(
    "SELECT place, at_ms, changes, hash FROM alfred_workspace_changes "
    "WHERE workspace = :id AND place > :place ORDER BY place LIMIT :most");
constexpr std::int64_t kEntriesPerPage = 256;

Value text(std::string_view value) { return Value(std::string(value)); }

std::string hash_of(std::string_view before, const JournalEntry& entry) {
  std::string where(before);
  where += '\n' + std::to_string(entry.place) + '\n' + std::to_string(entry.at_ms) + '\n';
  const std::string_view pieces[] = {where, entry.changes};
  return content_digest(pieces);
}

Unexpected broken(std::int64_t place) {
  return Unexpected(
      Error{ErrorCode::corrupt,
            "The journal of a workspace was changed by somebody else. It was left as it is.",
            {},
            {},
            "the chain breaks at place " + std::to_string(place)});
}

void append_items(std::string& out, const ItemsMoved& items) {
  append_json_string(out += R"({"change":"items_moved","batch":)", items.batch);
  out += ",\"moved\":[";
  for (std::string_view mark = R"({"ref":)"; const auto& [item] : items.changes) {
    append_json_string(out += mark, item.ref);
    append_json_string(out += ",\"status\":", item_status_name(item.status));
    if (item.status == ItemStatus::complete)
      append_json_string(out += ",\"result_ref\":", item.result_ref);
    if (item.status == ItemStatus::failed) {
      append_json_string(out += ",\"error\":", item.error);
      out += item.is_retriable ? ",\"is_retriable\":true" : ",\"is_retriable\":false";
    }
    out += '}';
    mark = R"(,{"ref":)";
  }
  out += "]}";
}

Unexpected unreadable(std::string_view what) {
  return fail(ErrorCode::corrupt, "An entry of a workspace's journal cannot be read: " +
                                      std::string(what) + ". The file was left as it is.");
}

}  // namespace

JournalHead journal_start(const WorkspaceId& workspace) {
  return {0, std::string(workspace.view())};
}

JournalEntry next_entry(const JournalHead& head, std::int64_t at_ms, std::string changes) {
  JournalEntry entry{head.place + 1, at_ms, std::move(changes), {}};
  entry.hash = hash_of(head.hash, entry);
  return entry;
}

Result<JournalHead> verify(JournalHead head, std::span<const JournalEntry> entries) {
  for (const JournalEntry& entry : entries) {
    if (entry.place != head.place + 1 || entry.hash != hash_of(head.hash, entry))
      return broken(head.place + 1);
    head = {entry.place, entry.hash};
  }
  return head;
}

Result<void> append_entry(Tx& tx, const WorkspaceId& workspace, const JournalHead& head,
                          const JournalEntry& entry) {
  // First the row that all who append want (R4).
  const std::array<Param, 5> ends{Param{"id", text(workspace.view())}, Param{"place", entry.place},
                                  Param{"hash", entry.hash}, Param{"before_place", head.place},
                                  Param{"before_hash", head.hash}};
  const Result<std::uint64_t> moved = tx.execute(kMoveHead, ends);
  if (!moved) return Unexpected(moved.error());
  if (*moved == 0) return broken(entry.place);
  const std::array<Param, 5> params{Param{"id", text(workspace.view())},
                                    Param{"place", entry.place}, Param{"at", entry.at_ms},
                                    Param{"changes", entry.changes}, Param{"hash", entry.hash}};
  if (const auto added = tx.execute(kAppend, params); !added) return Unexpected(added.error());
  return {};
}

Result<JournalHead> read_head(Tx& tx, const WorkspaceId& workspace) {
  const std::array<Param, 1> params{Param{"id", text(workspace.view())}};
  const Result<std::vector<Row>> rows = tx.run(kHead, params);
  if (!rows) return Unexpected(rows.error());
  if (rows->empty()) return unreadable("its workspace is gone");
  const auto* const place = std::get_if<std::int64_t>(&rows->front()[0]);
  const auto* const hash = std::get_if<std::string>(&rows->front()[1]);
  if (place == nullptr || hash == nullptr) return unreadable("where it ends");
  return JournalHead{*place, *hash};
}

Result<void> verify_end(const JournalHead& followed, const JournalHead& end) {
  if (followed == end) return {};
  return broken(followed.place < end.place ? followed.place + 1 : end.place + 1);
}

Result<std::vector<JournalEntry>> read_journal(Tx& tx, const WorkspaceId& workspace,
                                               std::int64_t from, std::int64_t most) {
  const std::array<Param, 3> params{Param{"id", text(workspace.view())}, Param{"place", from},
                                    Param{"most", most}};
  Result<std::vector<Row>> rows = tx.run(kRead, params);
  if (!rows) return Unexpected(rows.error());
  std::vector<JournalEntry> entries;
  entries.reserve(rows->size());
  for (Row& row : *rows) {
    const auto* const place = std::get_if<std::int64_t>(&row[0]);
    const auto* const at_ms = std::get_if<std::int64_t>(&row[1]);
    auto* const changes = std::get_if<std::string>(&row[2]);
    auto* const hash = std::get_if<std::string>(&row[3]);
    if (place == nullptr || at_ms == nullptr || changes == nullptr || hash == nullptr)
      return broken(from + static_cast<std::int64_t>(entries.size()) + 1);
    entries.push_back({*place, *at_ms, std::move(*changes), std::move(*hash)});
  }
  return entries;
}

Result<JournalHead> verify_journal(Tx& tx, const WorkspaceId& workspace) {
  JournalHead head = journal_start(workspace);
  for (;;) {
    const Result<std::vector<JournalEntry>> page =
        read_journal(tx, workspace, head.place, kEntriesPerPage);
    if (!page) return Unexpected(page.error());
    if (page->empty()) break;
    Result<JournalHead> next = verify(std::move(head), *page);
    if (!next) return next;
    head = std::move(*next);
  }
  const Result<JournalHead> end = read_head(tx, workspace);
  if (!end) return Unexpected(end.error());
  if (Result<void> ended = verify_end(head, *end); !ended) return Unexpected(ended.error());
  return head;
}

// Written as text, not by way of a Json; of items there are many, and they have a way of their own.
std::string write_changes(const Changes& changes) {
  std::string out = "[";
  for (const Change& change : changes) {
    if (out.size() > 1) out += ',';
    if (const auto* items = std::get_if<ItemsMoved>(&change))
      append_items(out, *items);
    else
      append_change(out, change);
  }
  out += ']';
  return out;
}

Result<Changes> read_changes(std::string_view text) {
  const Result<Json> json = parse_json(text, JsonLimits::none());
  const JsonArray* array = json ? json->if_array() : nullptr;
  if (array == nullptr) return unreadable("it is no list of changes");
  Changes changes;
  changes.reserve(array->size());
  for (const Json& one : *array) {
    Result<Change> change = read_change(one);
    if (!change) return unreadable(change.error().message);
    changes.push_back(std::move(*change));
  }
  return changes;
}

}  // namespace alfred
