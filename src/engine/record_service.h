// RecordService: an open database, the pack that describes it and a workspace of refs, and the
// calls on them. What `alfred db` and `alfred mcp` use; a turn's tool calls take the same way.
//
// R1 one call is one transaction: rows, registry, batch and journal together, where they share a database.
// R2 on a user's own database the rows commit there and the rest in a file of ours: what is about to be committed
//    is written down first (open_calls.h), and what became of a call that a crash left open is
//    found out before the next one. That writes no row.
// R3 the same op again gives the first answer and changes nothing.
// R4 an error leaves the registry as it was.
// R5 a read that meets only known rows writes nothing.
// R6 a move of a turn is carried out as move.h says.
// R7 what a call changed is kept with its answer, and db_undo takes back what the turn before changed, or the
//    call before outside of turns (undo_ledger.h).
// R8 reminders are kept with the rows they belong to (reminders.h).
// R9 its schema calls rows as the workspace's registry does (kept_ref_names.h).
// R10 a call that fails for want of a table, a column or a ref looks once whether the database has it by now, or
//     another process gave it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "alfred/random.h"
#include "base/time/clock.h"
#include "engine/journal/workspace.h"
#include "engine/live_schema.h"
#include "engine/moves/move.h"
#include "engine/open_calls.h"
#include "engine/row_marks.h"
#include "pack/pack.h"
#include "records/record_context.h"
#include "storage/store.h"

namespace alfred {

// Where calls go. rows and state are the same database, or state is a file of ours beside it. A
// copy is the same place: the sessions of a process share what was opened and loaded once.
struct RecordPlace {
  std::shared_ptr<RecordStore> rows;
  std::shared_ptr<StateStore> own_state;  // null: the state of `rows`
  std::shared_ptr<const Pack> pack = std::make_shared<const Pack>();
  std::shared_ptr<const Schema> schema = std::make_shared<const Schema>();
  // Of a user's own database, whose tables may change: where `schema` came from, and what of it is
  // shown here. Null: it does not change; no narrow: all of it.
  std::shared_ptr<LiveSchema> live{};
  std::shared_ptr<const Schema> source{};
  std::function<Result<std::shared_ptr<const Schema>>(const Schema&)> narrow{};
  bool is_pack_derived = false;  // from `schema`, and to be so again when that changes
  std::shared_ptr<const WordCategories> categories;
  WorkspaceName workspace;
  Caller caller;
  bool has_op_table = false;  // a user's own database that may hold alfred_ops
  std::string lock_path;      // of a user's own database: who writes holds it; empty when shared
  std::string data_dir;       // of our own files on this machine; empty: there are none

  StateStore& state() { return own_state ? *own_state : *rows->state(); }
  const StateStore& state() const { return own_state ? *own_state : *rows->state(); }
  bool is_shared() const { return own_state == nullptr; }
};

// The tables as they were when somebody last looked, and the pack that is derived from them: for
// what is opened on a place that has been there for a while. Not for one that is narrowed.
void follow_tables(RecordPlace& place);

class RecordService {
 public:
  static Result<std::unique_ptr<RecordService>> open(RecordPlace place, const Clock& clock,
                                                     Random& random, RecordLimits limits = {});

  const Schema& schema() const { return *place_.schema; }
  // Whether the tables have changed since the schema was read; then it is another one. Those before
  // stay as long as this.
  Result<bool> renew_schema();
  const Pack& pack() const { return *place_.pack; }
  const RecordPlace& place() const { return place_; }
  // Our own records, as they are.
  Result<void> read_state(const ReadFn& closure) {
    return place_.state().read(place_.caller, closure);
  }
  const Workspace& workspace() const { return workspace_; }
  // Whether rows and refs can be written (E2); a call that finds out updates it.
  StoreHealth health() const;

  // db_read, db_create, db_update, db_delete, db_undo. Answers are canonical JSON in refs.
  Result<std::string> call(std::string_view tool, const Json& params, OpId op);
  // Whether the op was this very call, and is done: then call() tells its answer again. Error:
  // op_reused, it was another.
  Result<bool> was_done(std::string_view tool, const Json& params, OpId op);
  // As call(), done by the user with their own hands: what it changes is tagged so.
  Result<std::string> user_call(std::string_view tool, const Json& params, OpId op);
  // As call(), on a batch whose items are to fail (record_context.h): nothing is done if one would
  // not.
  Result<std::string> call_to_fail(std::string_view tool, const Json& params, OpId op);
  // One SELECT, {"sql":…,"limit":…}; rows in refs.
  Result<std::string> query(const Json& params);

  // Batches: {"table":…,"items":[refs]} → {"id":"bat_…",…}; its status; failed items pending
  // again: those named, else those that may succeed as they were. No item is called by a key.
  // Finishing one leaves what failed as it is, and is refused while items are open (batch_pending).
  Result<std::string> declare_batch(const Json& params, OpId op);
  Result<std::string> batch_status(std::string_view batch);
  Result<std::string> retry_batch(std::string_view batch, OpId op,
                                  std::span<const std::string> items = {});
  Result<std::string> finish_batch(std::string_view batch, OpId op);

  // Names for content that is not saved yet: {"table":…,"labels":[…]} →
  // {"generated":[{"ref":"gen_…","label":…}]}. The content stays with whoever made it, who says
  // here how to find it; reads of its refs are served from there.
  Result<std::string> generate(const Json& params, OpId op);
  using ArtifactFn = std::function<const JsonObject*(std::string_view gen_ref)>;
  void set_artifacts(ArtifactFn artifact) { artifact_ = std::move(artifact); }
  // Who is told how far a batch's call is (record_context.h), on any thread; null: nobody.
  using ProgressFn = std::function<void(std::size_t done, std::size_t total)>;
  void set_progress(ProgressFn progress) { progress_ = std::move(progress); }

  // Carries out a move of a turn: all asks that go out and all changes, in the journal's order. The
  // error `conflict`: other processes came first too often; nothing was done, try again.
  Result<TurnMove> move(MoveSteps& steps);
  // A call was ended by an exception: the workspace is loaded again before it is used. Throws
  // nothing.
  void distrust();
  // Folds in what other processes did, for who wants to look at workspace().state().
  Result<void> catch_up();

 private:
  static constexpr int kLockTimeoutMs = 5000;

  RecordService(RecordPlace place, Workspace workspace, const Clock& clock, Random& random)
      : place_(std::move(place)),
        workspace_(std::move(workspace)),
        clock_(clock),
        random_(random) {}

  struct RowsCall {  // one that changes rows
    std::string_view tool;
    const Json& params;
    Random& random;
    const Clock& clock;
    OpId op;
  };
  struct Done {  // what one run of a call brought
    std::string answer;
    Changes changes;
    std::vector<RowEffect> effects{};
    std::string ledger{};  // what an undo needs of it; empty: nothing
  };
  using AlsoFn = std::function<Result<void>(Tx&)>;
  RecordContext context(Random& random, const Clock& clock);
  // Loads the workspace again when a failed write spoilt it.
  Result<void> refresh();
  Changes only_glanced(CallPurpose purpose);
  Changes refs_changed() const;
  // Artifacts that were saved by the changes of a call are marked, in the state and among them.
  void note_saved(Changes& changes);
  Changes artifacts_saved(const Changes& changes) const;
  const JsonObject* find_artifact(std::string_view gen_ref) const;
  std::string request_text(std::string_view tool, const Json& params) const;
  // R10.
  Result<std::string> again_if_renewed(const std::function<Result<std::string>()>& once);
  Result<std::string> call_once(std::string_view tool, const Json& params, OpId op);
  Result<std::string> read(const std::function<Result<std::string>()>& once);
  Result<std::string> read_once(const Json& params);
  static bool is_write(std::string_view tool);
  static Unexpected unknown_tool();
  Result<Done> read_in(Tx& tx, const Json& params);
  Result<Done> run(Tx& tx, const RowsCall& call);
  Result<Done> run_tool(Tx& tx, const RowsCall& call);
  // Reminders of the rows that changed, in a transaction on our own tables (reminders.h).
  Result<void> remind(Tx& tx, const Done& done) const;
  // Taking back (undo_calls.cc).
  std::string ledger_turn(OpId op) const;
  Result<void> keep_ledger(Tx& tx, const std::string& turn, const std::string& entry) const;
  Result<Done> undo(Tx& tx, const RowsCall& call);
  Result<std::string> write_shared(std::string_view tool, const Json& params, OpId op);
  // On a user's own database (own_database.cc).
  Result<std::string> write_apart(std::string_view tool, const Json& params, OpId op);
  static constexpr const char* kUnknownCall =
      "It cannot be told whether this was done: it was interrupted, and its rows are now neither as "
      "before it nor as after it. Look at the table, then repeat what is missing with a new op.";
  static Unexpected unknown_call();
  bool is_unknown(OpId op) const;
  OpenCall new_call(std::string_view tool, const Json& params, OpId op) const;
  Result<Done> run_open(const OpenCall& call, const Json& params);
  Result<void> write_down(Tx& rows, const OpenCall& call, const Done& done);
  Result<void> change_calls(const AlsoFn& change);
  Result<std::string> keep(const OpenCall& call, const Done& done);
  Result<void> forget(OpId op);
  // What a crash left (settle_calls.cc).
  Result<CallFate> fate_of_call(const OpenCall& call);
  Result<void> settle_call(const OpenCall& call);
  Result<void> give_up(const OpenCall& call, const Changes& changes);
  Result<void> settle_open_calls();
  Result<void> look_at_calls();
  // Moves (moves.cc).
  struct MoveSoFar {
    TurnMove whole{};  // its calls apart
    std::deque<RecordCall> calls{};
    void add(TurnMove&& next);
    void add(Changes changes);
  };
  static Json params_of(const RecordCall& call);
  // What the steps are told; the error is one that ends the move.
  static Result<CallOutcome> outcome_of(const RecordCall& call, const Result<Done>& done);
  Result<Done> run_part(Tx& tx, const RecordCall& call);
  Result<TurnMove> move_in(Tx& tx, MoveSteps& steps);
  Result<TurnMove> move_shared(MoveSteps& steps);
  // Moves on a user's own database (apart_moves.cc).
  struct ApartMove {
    MoveSteps& steps;
    MoveSoFar so_far;
    Changes unsaved;               // not journalled yet
    std::vector<TurnMove> unkept;  // whose keep() is to come
    void add(TurnMove&& next);
    void add(const Changes& changes);
  };
  OpId op_of(const RecordCall& call);
  Result<void> commit_apart(ApartMove& move, const WriteCall& call, const std::string& answer,
                            const AlsoFn& also);
  Result<void> commit_unsaved(ApartMove& move);
  Result<void> step_on(ApartMove& move, const RecordCall& call, const Result<Done>& done);
  Result<Done> read_apart(const RecordCall& call);
  Result<void> call_apart(ApartMove& move, const RecordCall& call);
  Result<TurnMove> move_apart(MoveSteps& steps);
  // Changes of the workspace alone.
  Result<std::string> write_state(const std::string& request, OpId op,
                                  const std::function<Result<Done>()>& closure);

  RecordPlace place_;
  std::vector<std::shared_ptr<const Schema>> schemas_before_;
  Workspace workspace_;
  const Clock& clock_;
  Random& random_;
  RecordLimits limits_;
  ArtifactFn artifact_;
  ProgressFn progress_;
  bool is_only_to_fail_ = false;  // the call that is running
  std::vector<OpId> unknown_;     // calls of which nothing can be told, as of the last settling
  RefOrigin origin_ = RefOrigin::system;  // of the call that is running
};

}  // namespace alfred
