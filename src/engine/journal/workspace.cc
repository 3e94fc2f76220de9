#include "engine/journal/workspace.h"

#include <algorithm>
#include <array>

#include "engine/journal/make_workspace.h"

namespace alfred {
namespace {

constexpr std::array<Statement, 3> kTables{
    Statement("CREATE TABLE alfred_workspaces ("
              "id text PRIMARY KEY, name text NOT NULL, database text NOT NULL, "
              "owner text NOT NULL, created_ms integer NOT NULL, "
              "place integer NOT NULL, hash text NOT NULL, "
              "UNIQUE (name, database, owner))"),
    Statement("CREATE TABLE alfred_workspace_changes ("
              "workspace text NOT NULL REFERENCES alfred_workspaces (id), place integer NOT NULL, "
              "at_ms integer NOT NULL, changes text NOT NULL, hash text NOT NULL, "
              "PRIMARY KEY (workspace, place))"),
    Statement("CREATE TABLE alfred_workspace_snapshots ("
              "workspace text PRIMARY KEY REFERENCES alfred_workspaces (id), "
              "place integer NOT NULL, hash text NOT NULL, state text NOT NULL)"),
};
constexpr std::array<Migration, 1> kMigrations{Migration{1, kTables}};

constexpr Statement kFind(
    "SELECT id FROM alfred_workspaces "
    "WHERE name = :name AND database = :database AND owner = :owner");
constexpr Statement kMake(
    "INSERT INTO alfred_workspaces (id, name, database, owner, created_ms, place, hash) "
    "VALUES (:id, :name, :database, :owner, :at, 0, :id) "
    "ON CONFLICT (name, database, owner) DO UPDATE SET name = excluded.name RETURNING id");
constexpr Statement kSnapshot(
    "SELECT place, hash, state FROM alfred_workspace_snapshots WHERE workspace = :id");
constexpr Statement kSaveSnapshot(
    "INSERT INTO alfred_workspace_snapshots (workspace, place, hash, state) "
    "VALUES (:id, :place, :hash, :state) ON CONFLICT (workspace) DO UPDATE "
    "SET place = excluded.place, hash = excluded.hash, state = excluded.state");

// Opening folds at most so many operations and bytes (R6), and more only in proportion to what a
// snapshot would have: it is not written again for a little. Rows that are new do not count: a
// snapshot would tell of them in as many bytes as the journal.
constexpr std::int64_t kEntriesPerSnapshot = 128;
constexpr std::size_t kBytesPerSnapshot = 65'536;
constexpr std::size_t kSnapshotBytesPerEntry = 512;

Value text(std::string_view value) { return Value(std::string(value)); }

Unexpected unreadable(std::string detail) {
  return Unexpected(Error{ErrorCode::corrupt,
                          "What a workspace knows cannot be read. The file was left as it is.",
                          {},
                          {},
                          std::move(detail)});
}

// Of an entry that tells of so many new refs.
std::size_t lasting_bytes(std::size_t new_refs, const JournalEntry& entry) {
  constexpr std::size_t kBytesOfRef = 90;
  return std::min(new_refs * kBytesOfRef, entry.changes.size());
}

std::size_t count_new_refs(const Changes& changes) {
  std::size_t count = 0;
  for (const Change& change : changes)
    if (const auto* const refs = std::get_if<RefsChanged>(&change))
      count += static_cast<std::size_t>(std::count_if(
          refs->changes.begin(), refs->changes.end(),
          [](const RefChange& one) { return std::holds_alternative<EntityRegistered>(one); }));
  return count;
}

// The id of the workspace of this name, made if it is new.
Result<std::string> find_or_make(Tx& tx, const WorkspaceName& name, WorkspaceId fresh,
                                 std::int64_t at_ms) {
  const std::array<Param, 5> params{Param{"id", text(fresh.view())}, Param{"name", text(name.name)},
                                    Param{"database", text(name.database)},
                                    Param{"owner", text(name.user)}, Param{"at", at_ms}};
  const Result<std::vector<Row>> rows = tx.run(kMake, params);
  if (!rows) return Unexpected(rows.error());
  return std::get<std::string>(rows->at(0).at(0));
}

}  // namespace

Result<void> make_workspace(Tx& tx, const WorkspaceName& name, const Clock& clock) {
  const Result<std::string> made = find_or_make(tx, name, WorkspaceId::random(), clock.wall_ms());
  if (!made) return Unexpected(made.error());
  return {};
}

StateTables workspace_tables() { return {"workspace", kMigrations}; }

Result<Workspace> Workspace::open(StateStore& store, const WorkspaceName& name,
                                  const Clock& clock) {
  const std::array<Param, 3> who{Param{"name", text(name.name)},
                                 Param{"database", text(name.database)},
                                 Param{"owner", text(name.user)}};
  std::optional<Workspace> workspace;
  const auto find = [&](Tx& tx) -> Result<void> {
    const Result<std::vector<Row>> rows = tx.run(kFind, who);
    if (!rows) return Unexpected(rows.error());
    if (rows->empty()) return {};
    const Result<WorkspaceId> id = WorkspaceId::parse(std::get<std::string>(rows->at(0).at(0)));
    if (!id) return unreadable("a workspace's id");
    workspace = Workspace(*id);
    return workspace->load(tx);
  };
  if (Result<void> found = store.read({}, find); !found) return Unexpected(found.error());
  if (workspace) return std::move(*workspace);
  const WorkspaceId fresh = WorkspaceId::random();
  const Result<std::string> made = store.write({std::nullopt, "make a workspace", {}}, [&](Tx& tx) {
    return find_or_make(tx, name, fresh, clock.wall_ms());
  });
  if (!made) return Unexpected(made.error());
  if (*made == fresh.view()) return Workspace(fresh);
  if (Result<void> found = store.read({}, find); !found) return Unexpected(found.error());
  if (!workspace) return unreadable("a workspace that was made by another");
  return std::move(*workspace);
}

BatchManifest* Workspace::find_batch(std::string_view id) {
  const auto found = state_.batches.find(id);
  if (found == state_.batches.end()) return nullptr;
  batches_before_.try_emplace(found->first, found->second);
  return &found->second;
}

Result<void> Workspace::declare(BatchManifest manifest) {
  const std::string id(manifest.id().view());
  if (state_.batches.emplace(id, std::move(manifest)).second) {
    batches_before_.try_emplace(id);
    return {};
  }
  return fail(ErrorCode::batch_dup, "A batch of this id is declared already.", "batch");
}

SessionState& Workspace::spoil() {
  is_spoilt_ = true;
  return state_;
}

Result<void> Workspace::load(Tx& tx) {
  state_ = SessionState();
  head_ = Position{journal_start(id_)};
  is_spoilt_ = true;
  const Result<std::optional<StoredSnapshot>> stored = stored_snapshot(tx, id_);
  if (!stored) return Unexpected(stored.error());
  if (*stored)
    if (Result<void> read = read_snapshot(**stored); !read) return read;
  is_spoilt_ = false;
  if (const Result<bool> caught_up = catch_up(tx); !caught_up) {
    is_spoilt_ = true;
    return Unexpected(caught_up.error());
  }
  begin();
  const Result<JournalHead> end = read_head(tx, id_);
  if (!end) return Unexpected(end.error());
  return verify_end(head_, *end);
}

Result<std::optional<StoredSnapshot>> stored_snapshot(Tx& tx, const WorkspaceId& workspace) {
  const std::array<Param, 1> params{Param{"id", text(workspace.view())}};
  const Result<std::vector<Row>> rows = tx.run(kSnapshot, params);
  if (!rows) return Unexpected(rows.error());
  if (rows->empty()) return std::optional<StoredSnapshot>();
  const Row& row = rows->front();
  const auto* const place = std::get_if<std::int64_t>(&row[0]);
  const auto* const hash = std::get_if<std::string>(&row[1]);
  const auto* const written = std::get_if<std::string>(&row[2]);
  if (place == nullptr || hash == nullptr || written == nullptr) return unreadable("a snapshot");
  return std::optional(StoredSnapshot{{*place, *hash}, *written});
}

Result<void> Workspace::read_snapshot(const StoredSnapshot& stored) {
  Result<SessionState> state = read_session(stored.state);
  if (!state) return unreadable("a snapshot: " + state.error().message);
  state_ = std::move(*state);
  head_ = Position{stored.at, stored.at.place, stored.state.size(), 0};
  return {};
}

Result<bool> Workspace::is_behind(Tx& tx) const {
  const Result<JournalHead> end = read_head(tx, id_);
  if (!end) return Unexpected(end.error());
  if (end->place > head_.place) return true;
  if (Result<void> ended = verify_end(head_, *end); !ended) return Unexpected(ended.error());
  return false;
}

Result<bool> Workspace::catch_up(Tx& tx) {
  if (is_spoilt_) {
    if (Result<void> loaded = load(tx); !loaded) return Unexpected(loaded.error());
    return true;
  }
  const Result<std::vector<JournalEntry>> entries = read_journal(tx, id_, head_.place);
  if (!entries) return Unexpected(entries.error());
  if (entries->empty()) return false;
  if (const Result<JournalHead> chained = verify(head_, *entries); !chained)
    return Unexpected(chained.error());
  for (const JournalEntry& entry : *entries) {
    const EntityNo refs_before = state_.registry.size();
    if (Result<void> folded = fold(entry); !folded) {
      is_spoilt_ = true;
      return Unexpected(folded.error());
    }
    head_.place = entry.place;
    head_.hash = entry.hash;
    const std::size_t lasting = lasting_bytes(state_.registry.size() - refs_before, entry);
    head_.snapshot_bytes += lasting;
    head_.bytes_since += entry.changes.size() - lasting;
  }
  begin();
  return true;
}

Result<void> Workspace::fold(const JournalEntry& entry) {
  const std::string at = "at place " + std::to_string(entry.place) + ": ";
  const Result<Changes> changes = read_changes(entry.changes);
  if (!changes) return unreadable(at + changes.error().message);
  for (const Change& change : *changes)
    if (const Result<void> folded = apply_change(state_, change); !folded)
      return unreadable(at + folded.error().message);
  return {};
}

Result<void> Workspace::start_write(Tx& tx) {
  rollback();
  const Result<bool> caught_up = catch_up(tx);
  if (!caught_up) return Unexpected(caught_up.error());
  has_folded_in_write_ = *caught_up;
  return {};
}

void Workspace::begin() {
  state_.registry.begin();
  batches_before_.clear();
  next_ = head_;
  has_folded_in_write_ = false;
}

// What others wrote in a transaction that is not committed goes with it; it is not among what can
// be undone here.
void Workspace::rollback() {
  if (has_folded_in_write_) is_spoilt_ = true;
  if (!is_spoilt_) {
    state_.registry.rollback();
    for (auto& [id, before] : batches_before_) {
      if (before)
        state_.batches.insert_or_assign(id, std::move(*before));
      else
        state_.batches.erase(id);
    }
  }
  begin();
}

void Workspace::settle() {
  head_ = next_;
  is_spoilt_ = false;
  begin();
}

bool Workspace::Position::is_snapshot_due() const {
  const auto entries = static_cast<std::int64_t>(snapshot_bytes / kSnapshotBytesPerEntry);
  return place - snapshot_place >= std::max(kEntriesPerSnapshot, entries) ||
         bytes_since >= std::max(kBytesPerSnapshot, snapshot_bytes);
}

Result<void> Workspace::append(Tx& tx, const Changes& changes, const Clock& clock) {
  if (changes.empty()) return {};
  const JournalEntry entry = next_entry(next_, clock.wall_ms(), write_changes(changes));
  if (Result<void> appended = append_entry(tx, id_, next_, entry); !appended) return appended;
  next_.place = entry.place;
  next_.hash = entry.hash;
  const std::size_t lasting = lasting_bytes(count_new_refs(changes), entry);
  next_.snapshot_bytes += lasting;
  next_.bytes_since += entry.changes.size() - lasting;
  return next_.is_snapshot_due() ? write_snapshot(tx) : Result<void>();
}

Result<bool> Workspace::has_appended(Tx& tx) const {
  if (next_.place == head_.place) return true;  // there was nothing to append
  const Result<std::vector<JournalEntry>> last = read_journal(tx, id_, next_.place - 1, 1);
  if (!last) return Unexpected(last.error());
  return !last->empty() && last->front().hash == next_.hash;
}

Result<void> Workspace::write_snapshot(Tx& tx) {
  const std::string written = write_session(state_);
  const std::array<Param, 4> params{Param{"id", text(id_.view())}, Param{"place", next_.place},
                                    Param{"hash", next_.hash}, Param{"state", written}};
  if (const auto rows = tx.run(kSaveSnapshot, params); !rows) return Unexpected(rows.error());
  next_.snapshot_place = next_.place;
  next_.snapshot_bytes = written.size();
  next_.bytes_since = 0;
  return {};
}

}  // namespace alfred
