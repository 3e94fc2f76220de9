#include "engine/workspace.h"

#include <array>

#include "refs/registry_json.h"

namespace alfred {
namespace {

constexpr std::array<Statement, 3> kTables{
    Statement("CREATE TABLE alfred_workspaces ("
              "id text PRIMARY KEY, name text NOT NULL, database text NOT NULL, "
              "owner text NOT NULL, created_ms integer NOT NULL, "
              "UNIQUE (name, database, owner))"),
    Statement("CREATE TABLE alfred_workspace_changes ("
              "workspace text NOT NULL REFERENCES alfred_workspaces (id), place integer NOT NULL, "
              "at_ms integer NOT NULL, changes text NOT NULL, PRIMARY KEY (workspace, place))"),
    Statement("CREATE TABLE alfred_workspace_snapshots ("
              "workspace text PRIMARY KEY REFERENCES alfred_workspaces (id), "
              "place integer NOT NULL, registry text NOT NULL, batches text NOT NULL)"),
};
constexpr std::array<Migration, 1> kMigrations{Migration{1, kTables}};

constexpr Statement kFind(
    "SELECT id FROM alfred_workspaces "
    "WHERE name = :name AND database = :database AND owner = :owner");
constexpr Statement kMake(
    "INSERT INTO alfred_workspaces (id, name, database, owner, created_ms) "
    "VALUES (:id, :name, :database, :owner, :at) "
    "ON CONFLICT (name, database, owner) DO UPDATE SET name = excluded.name RETURNING id");
constexpr Statement kSnapshot(
    "SELECT place, registry, batches FROM alfred_workspace_snapshots WHERE workspace = :id");
constexpr Statement kChanges(
    "SELECT place, changes FROM alfred_workspace_changes "
    "WHERE workspace = :id AND place > :place ORDER BY place");
constexpr Statement kBehind(
    "SELECT 1 FROM alfred_workspace_changes WHERE workspace = :id AND place > :place LIMIT 1");
constexpr Statement kAppend(
    "INSERT INTO alfred_workspace_changes (workspace, place, at_ms, changes) "
    "VALUES (:id, :place, :at, :changes)");
constexpr Statement kSaveSnapshot(
    "INSERT INTO alfred_workspace_snapshots (workspace, place, registry, batches) "
    "VALUES (:id, :place, :registry, :batches) ON CONFLICT (workspace) DO UPDATE "
    "SET place = excluded.place, registry = excluded.registry, batches = excluded.batches");

// Opening folds at most this many operations.
constexpr std::int64_t kChangesPerSnapshot = 128;

Value text(std::string_view value) { return Value(std::string(value)); }

Unexpected unreadable() {
  return fail(ErrorCode::corrupt,
              "A workspace's snapshot cannot be read. The file was left as it is.");
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

StateTables workspace_tables() { return {"workspace", kMigrations}; }

Result<Workspace> Workspace::open(StateStore& store, const WorkspaceName& name,
                                  const Clock& clock) {
  const std::array<Param, 3> who{Param{"name", text(name.name)},
                                 Param{"database", text(name.database)},
                                 Param{"owner", text(name.user)}};
  std::string id;
  const auto find = [&](Tx& tx) -> Result<void> {
    const Result<std::vector<Row>> rows = tx.run(kFind, who);
    if (!rows) return Unexpected(rows.error());
    id = rows->empty() ? "" : std::get<std::string>(rows->at(0).at(0));
    return {};
  };
  if (Result<void> found = store.read({}, find); !found) return Unexpected(found.error());
  if (id.empty()) {
    const WorkspaceId fresh = WorkspaceId::random();
    const Result<std::string> made =
        store.write({std::nullopt, "make a workspace", {}},
                    [&](Tx& tx) { return find_or_make(tx, name, fresh, clock.wall_ms()); });
    if (!made) return Unexpected(made.error());
    id = *made;
  }
  const Result<WorkspaceId> parsed = WorkspaceId::parse(id);
  if (!parsed) return unreadable();
  Workspace workspace(*parsed, RefRegistry());
  const auto load = [&](Tx& tx) { return workspace.load(tx); };
  if (Result<void> loaded = store.read({}, load); !loaded) return Unexpected(loaded.error());
  return workspace;
}

BatchManifest* Workspace::find_batch(std::string_view id) {
  const auto found = batches_.find(id);
  if (found == batches_.end()) return nullptr;
  batches_before_.try_emplace(found->first, found->second);
  return &found->second;
}

Result<void> Workspace::load(Tx& tx) {
  const std::array<Param, 1> params{Param{"id", text(id_.view())}};
  const Result<std::vector<Row>> rows = tx.run(kSnapshot, params);
  if (!rows) return Unexpected(rows.error());
  if (!rows->empty()) {
    const Row& row = rows->front();
    Result<RefRegistry> registry = RegistryJson::read(std::get<std::string>(row[1]));
    const Result<Json> batches = parse_json(std::get<std::string>(row[2]), JsonLimits::none());
    if (!registry || !batches || !batches->is_array()) return unreadable();
    registry_ = std::move(*registry);
    for (const Json& json : batches->get_array()) {
      Result<BatchManifest> manifest = BatchManifest::from_json(json);
      if (!manifest) return unreadable();
      batches_.emplace(manifest->id().view(), std::move(*manifest));
    }
    place_ = snapshot_ = std::get<std::int64_t>(row[0]);
  }
  const Result<bool> caught_up = catch_up(tx);
  if (!caught_up) return Unexpected(caught_up.error());
  return {};
}

Result<bool> Workspace::is_behind(Tx& tx) const {
  const std::array<Param, 2> params{Param{"id", text(id_.view())}, Param{"place", place_}};
  const Result<std::vector<Row>> rows = tx.run(kBehind, params);
  if (!rows) return Unexpected(rows.error());
  return !rows->empty();
}

Result<bool> Workspace::catch_up(Tx& tx) {
  const std::array<Param, 2> params{Param{"id", text(id_.view())}, Param{"place", place_}};
  const Result<std::vector<Row>> rows = tx.run(kChanges, params);
  if (!rows) return Unexpected(rows.error());
  for (const Row& row : *rows) {
    if (Result<void> folded = fold(std::get<std::string>(row[1])); !folded)
      return Unexpected(folded.error());
    place_ = std::get<std::int64_t>(row[0]);
  }
  if (!rows->empty()) begin();
  return !rows->empty();
}

Result<void> Workspace::fold(std::string_view text) {
  Result<WorkspaceChanges> changes = read_workspace_changes(text);
  if (!changes) return Unexpected(changes.error());
  for (const RefChange& change : changes->refs)
    if (Result<void> folded = registry_.fold(change); !folded) return folded;
  if (changes->declared) {
    const std::string id(changes->declared->id().view());
    batches_.insert_or_assign(id, std::move(*changes->declared));
  }
  if (changes->moved.empty()) return {};
  BatchManifest* manifest = find_batch(changes->batch->view());
  if (manifest == nullptr) return unreadable();
  for (const ItemMoved& change : changes->moved)
    if (Result<void> folded = manifest->fold(change); !folded) return folded;
  return {};
}

Result<void> Workspace::append(Tx& tx, const WorkspaceChanges& changes, const Clock& clock) {
  if (changes.empty()) return {};
  const std::int64_t place = place_ + appended_ + 1;
  const std::array<Param, 4> params{Param{"id", text(id_.view())}, Param{"place", place},
                                    Param{"at", clock.wall_ms()},
                                    Param{"changes", text(write_workspace_changes(changes))}};
  if (const auto rows = tx.run(kAppend, params); !rows) return Unexpected(rows.error());
  ++appended_;
  if (place - snapshot_ >= kChangesPerSnapshot) return write_snapshot(tx, place);
  return {};
}

void Workspace::begin() {
  registry_.begin();
  batches_before_.clear();
  appended_ = 0;
}

void Workspace::rollback() {
  registry_.rollback();
  for (auto& [id, before] : batches_before_) {
    if (before)
      batches_.insert_or_assign(id, std::move(*before));
    else
      batches_.erase(id);
  }
  batches_before_.clear();
  appended_ = 0;
}

void Workspace::settle() {
  place_ += appended_;
  if (place_ - snapshot_ >= kChangesPerSnapshot) snapshot_ = place_;
  begin();
}

Result<void> Workspace::declare(BatchManifest manifest) {
  const std::string id(manifest.id().view());
  if (batches_.emplace(id, std::move(manifest)).second) {
    batches_before_.try_emplace(id);
    return {};
  }
  return fail(ErrorCode::batch_dup, "A batch of this id is declared already.", "batch");
}

Result<void> Workspace::write_snapshot(Tx& tx, std::int64_t place) {
  JsonArray batches;
  for (const auto& [id, manifest] : batches_) batches.push_back(manifest.to_json());
  const std::array<Param, 4> params{Param{"id", text(id_.view())}, Param{"place", place},
                                    Param{"registry", text(RegistryJson::write(registry_))},
                                    Param{"batches", text(write_json(batches))}};
  if (const auto rows = tx.run(kSaveSnapshot, params); !rows) return Unexpected(rows.error());
  return {};
}

}  // namespace alfred
