// Workspace: what a session knows (refs, batches, facts), durable under a name. A session has one
// of its own; `alfred db` and `alfred mcp` open a named one, which is a session without turns.
//
// R1 its state is the last snapshot and the journal after it, folded in order by the one writer; nothing else.
// R2 changes are appended in the transaction of what caused them.
// R3 several processes may have it open: before it acts, each catches up with what the others appended,
//    inside its own write transaction, so no two give the same ref to different rows.
// R4 one workspace is one name on one database for one user; others' names are unknown names.
// R5 what is folded in was followed along the journal's chain; a snapshot keeps the hash of its place.
// R6 opening folds a bounded part of the journal, in operations and in bytes; new rows do not count, since
//    they take as many bytes in a snapshot.
// R7 refs and batches can be rolled back; facts cannot, so a state whose facts were changed by a write that
//    failed is spoilt and is loaded again before it is used.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/time/clock.h"
#include "engine/journal/journal.h"
#include "storage/store.h"

namespace alfred {

// What a workspace is called, and for whom.
struct WorkspaceName {
  std::string name;
  std::string database;  // DatabaseUrl::identity; in a database of ours, the pack's
  std::string user;      // empty: the database has no owners
};

// The tables below and the journal's (StoreOptions::tables).
StateTables workspace_tables();

// The last snapshot of a workspace, as it is stored; none when there is none.
struct StoredSnapshot {
  JournalHead at{};
  std::string state{};
};
Result<std::optional<StoredSnapshot>> stored_snapshot(Tx& tx, const WorkspaceId& workspace);

class Workspace {
 public:
  // Opens it, or makes it when the name is new.
  static Result<Workspace> open(StateStore& store, const WorkspaceName& name, const Clock& clock);

  const WorkspaceId& id() const { return id_; }
  const SessionState& state() const { return state_; }
  const RefRegistry& registry() const { return state_.registry; }
  RefRegistry& registry() { return state_.registry; }
  std::int64_t place() const { return head_.place; }  // of the last entry that is folded in

  // To be changed until rollback() or settle(); null when there is none of this id here.
  BatchManifest* find_batch(std::string_view id);
  Result<void> declare(BatchManifest manifest);  // batch_dup when the id is taken
  // To be changed in any way by who appends what it did. The state is spoilt until settle() (R7).
  SessionState& spoil();
  bool is_spoilt() const { return is_spoilt_; }

  // Whether others appended something that is not folded in yet.
  Result<bool> is_behind(Tx& tx) const;
  // Folds in what others appended, or loads a spoilt state again; true when there was something.
  // What is folded in stays, also when the registry's transaction is rolled back.
  Result<bool> catch_up(Tx& tx);
  // The beginning of each run of a write's closure: nothing of the run before, all of the others'.
  Result<void> start_write(Tx& tx);
  // Around one operation: begin() marks a state, rollback() goes back to it, settle() says that
  // what was appended since is committed. catch_up() begins anew, since what it folds in is so
  // already.
  void begin();
  void rollback();
  void settle();
  // Appends changes that the state already shows, as one entry of the journal.
  Result<void> append(Tx& tx, const Changes& changes, const Clock& clock);
  // Whether the journal holds what was appended since begin(): for who lost the answer of a commit.
  Result<bool> has_appended(Tx& tx) const;

 private:
  explicit Workspace(WorkspaceId id) : id_(id), head_{journal_start(id), 0, 0, 0}, next_(head_) {}
  Result<void> load(Tx& tx);
  Result<void> read_snapshot(const StoredSnapshot& stored);
  Result<void> fold(const JournalEntry& entry);
  Result<void> write_snapshot(Tx& tx);

  // Where it stands in the journal, and since which snapshot.
  struct Position : JournalHead {
    std::int64_t snapshot_place = 0;
    std::size_t snapshot_bytes = 0;  // of it, and of what it would have of the rows after it
    std::size_t bytes_since = 0;     // of the entries after it, without those
    bool is_snapshot_due() const;
  };

  WorkspaceId id_;
  SessionState state_;
  // What the batches that changed since begin() were; nothing: not there.
  std::map<std::string, std::optional<BatchManifest>, std::less<>> batches_before_;
  Position head_;                     // committed
  Position next_;                     // after what the transaction that is running appended
  bool is_spoilt_ = false;            // R7
  bool has_folded_in_write_ = false;  // what may not be committed yet
};

}  // namespace alfred
