#include "many_sessions.h"

#include <array>
#include <optional>
#include <stdexcept>

#include "engine/journal/journal.h"
#include "engine/session/session_store.h"

namespace alfred::bench {
namespace {

constexpr std::size_t kPerTransaction = 1000;

constexpr Statement kWorkspace(
    "INSERT INTO alfred_workspaces (id, name, database, owner, created_ms, place, hash) "
    "VALUES (:id, :name, :database, :owner, 0, 0, :id)");
constexpr Statement kFindWorkspace(
    "SELECT id FROM alfred_workspaces WHERE name = :name AND owner = :owner");
constexpr Statement kSnapshot(
    "SELECT place, state FROM alfred_workspace_snapshots WHERE workspace = :id");
constexpr Statement kPutSnapshot(
    "INSERT INTO alfred_workspace_snapshots (workspace, place, hash, state) "
    "VALUES (:id, :place, :hash, :state)");

Value text(std::string_view value) { return Value(std::string(value)); }

// What a session's workspace holds on disk.
struct Kept {
  std::vector<std::string> entries;
  std::int64_t snapshot_place = 0;  // 0: there is none
  std::string snapshot;
};

Result<Kept> kept_of(Tx& tx, const std::string& session, const std::string& user) {
  const std::array<Param, 2> params{Param{"name", text(session)}, Param{"owner", text(user)}};
  const Result<std::vector<Row>> rows = tx.run(kFindWorkspace, params);
  if (!rows) return Unexpected(rows.error());
  const Result<WorkspaceId> id = WorkspaceId::parse(std::get<std::string>(rows->at(0).at(0)));
  if (!id) return Unexpected(id.error());
  const Result<std::vector<JournalEntry>> entries = read_journal(tx, *id, 0);
  if (!entries) return Unexpected(entries.error());
  Kept kept;
  for (const JournalEntry& entry : *entries) kept.entries.push_back(entry.changes);
  const std::array<Param, 1> of{Param{"id", text(id->view())}};
  const Result<std::vector<Row>> snapshot = tx.run(kSnapshot, of);
  if (!snapshot) return Unexpected(snapshot.error());
  if (snapshot->empty()) return kept;
  kept.snapshot_place = std::get<std::int64_t>(snapshot->at(0)[0]);
  kept.snapshot = std::get<std::string>(snapshot->at(0)[1]);
  return kept;
}

Result<void> put_workspace(Tx& tx, const RecordPlace& place, std::string_view session,
                           const Kept& kept) {
  const WorkspaceId id = WorkspaceId::random();
  const std::array<Param, 4> params{Param{"id", text(id.view())}, Param{"name", text(session)},
                                    Param{"database", text(place.workspace.database)},
                                    Param{"owner", text(place.workspace.user)}};
  if (const auto made = tx.run(kWorkspace, params); !made) return Unexpected(made.error());
  JournalHead head = journal_start(id);
  for (const std::string& changes : kept.entries) {
    const JournalEntry entry = next_entry(head, 0, changes);
    if (Result<void> put = append_entry(tx, id, head, entry); !put) return put;
    head = {entry.place, entry.hash};
    if (head.place != kept.snapshot_place) continue;
    const std::array<Param, 4> snapshot{Param{"id", text(id.view())}, Param{"place", head.place},
                                        Param{"hash", head.hash}, Param{"state", kept.snapshot}};
    if (const auto put = tx.run(kPutSnapshot, snapshot); !put) return Unexpected(put.error());
  }
  return {};
}

}  // namespace

std::vector<std::string> make_sessions(PlayedKitchen& kitchen, const ManySessions& wanted) {
  RecordPlace place = kitchen.place();
  const std::string user = place.caller.user.value_or("");
  std::vector<std::string> talked;
  std::optional<Kept> whole;
  Kept little;
  std::size_t made = 0;
  const auto make = [&](Tx& tx) -> Result<std::string> {
    if (!whole) {
      Result<Kept> kept = kept_of(tx, wanted.original, user);
      if (!kept) return Unexpected(kept.error());
      whole = std::move(*kept);
      little.entries = {R"([{"change":"settings_changed","settings":)" +
                        write_json(to_json(SessionSettings{})) + "}]"};
    }
    const std::size_t upto = std::min(made + kPerTransaction, wanted.count);
    for (std::size_t i = made; i < upto; ++i) {
      const NewSession given{"", user, place.pack->name, place.pack->fingerprint};
      const Result<SessionRecord> session =
          make_session(tx, given, static_cast<std::int64_t>(i), kitchen.random());
      if (!session) return Unexpected(session.error());
      // Spread over all of the file.
      const bool has_talked = i % (wanted.count / wanted.talked) == 0;
      if (Result<void> put =
              put_workspace(tx, place, session->id.view(), has_talked ? *whole : little);
          !put)
        return Unexpected(put.error());
      if (has_talked) talked.emplace_back(session->id.view());
    }
    return std::string();
  };
  for (; made < wanted.count; made += kPerTransaction) {
    const auto written = place.state().write({std::nullopt, "", place.caller}, make);
    if (!written) throw std::runtime_error(written.error().message + written.error().detail);
  }
  return talked;
}

}  // namespace alfred::bench
