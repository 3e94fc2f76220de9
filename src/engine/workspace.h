// Workspace: a registry of refs and the batches declared in it, durable under a name. A session has
// one of its own; `alfred db` and `alfred mcp` open a named one.
//
// R1 its state is the last snapshot and the changes after it, folded in order; nothing else.
// R2 changes are appended in the transaction of what caused them.
// R3 several processes may have it open: before it acts, each catches up with what the others appended,
//    inside its own write transaction, so no two give the same ref to different rows.
// R4 one workspace is one name on one database for one user; others' names are unknown names.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "batch/manifest.h"
#include "refs/ref_registry.h"
#include "storage/store.h"

namespace alfred {

using WorkspaceId = ShortId<IdKind::workspace>;

// What a workspace is called, and for whom.
struct WorkspaceName {
  std::string name;
  std::string database;  // DatabaseUrl::identity; in a database of ours, the pack's
  std::string user;      // empty: the database has no owners
};

// What one operation changed.
struct WorkspaceChanges {
  RefChanges refs{};
  std::optional<BatchManifest> declared{};  // a batch that is new
  std::optional<BatchId> batch{};           // whose items moved
  BatchChanges moved{};

  bool empty() const { return refs.empty() && !declared && moved.empty(); }
};
std::string write_workspace_changes(const WorkspaceChanges& changes);
Result<WorkspaceChanges> read_workspace_changes(std::string_view text);

// The tables below (StoreOptions::tables).
StateTables workspace_tables();

class Workspace {
 public:
  // Opens it, or makes it when the name is new.
  static Result<Workspace> open(StateStore& store, const WorkspaceName& name, const Clock& clock);

  const WorkspaceId& id() const { return id_; }
  RefRegistry& registry() { return registry_; }
  const RefRegistry& registry() const { return registry_; }
  const std::map<std::string, BatchManifest, std::less<>>& batches() const { return batches_; }
  // To be changed; null when there is none of this id here.
  BatchManifest* find_batch(std::string_view id);

  // Whether others appended something that is not folded in yet.
  Result<bool> is_behind(Tx& tx) const;
  // Folds in what others appended; true when there was something. What is folded in stays, also
  // when the registry's transaction is rolled back.
  Result<bool> catch_up(Tx& tx);
  // Around one operation: begin() marks a state, rollback() goes back to it, settle() says that
  // what was appended since is committed. catch_up() begins anew, since what it folds in is so
  // already.
  void begin();
  void rollback();
  void settle();
  // Appends changes that the registry and the batches already show.
  Result<void> append(Tx& tx, const WorkspaceChanges& changes, const Clock& clock);
  Result<void> declare(BatchManifest manifest);  // batch_dup when the id is taken

 private:
  Workspace(WorkspaceId id, RefRegistry registry) : id_(id), registry_(std::move(registry)) {}
  Result<void> load(Tx& tx);
  Result<void> fold(std::string_view text);
  Result<void> write_snapshot(Tx& tx, std::int64_t place);

  WorkspaceId id_;
  RefRegistry registry_;
  using Batches = std::map<std::string, BatchManifest, std::less<>>;
  Batches batches_;
  // What those that changed since begin() were; nothing: not there.
  std::map<std::string, std::optional<BatchManifest>, std::less<>> batches_before_;
  std::int64_t place_ = 0;     // of the last change folded in
  std::int64_t appended_ = 0;  // by the transaction that is running
  std::int64_t snapshot_ = 0;  // the place of the last snapshot
};

}  // namespace alfred
