// SqliteWriter: one at a time writes to a database.
//
// R1 closures that wait together share one transaction: BEGIN IMMEDIATE, each in its savepoint, COMMIT. One
//    that fails is undone alone. Answers are given after the COMMIT. One that is alone needs no
//    savepoint.
// R2 when the transaction as a whole fails, its closures run again, each in its own.
// R3 on a file of ours the lock between processes is held during the transaction and the checkpoint after
//    it, and the answer is kept under the op.
// R4 after an I/O error the connection is closed and made anew, and each op is looked up before
//    anything is said about it.
// R5 with an answer that is kept, some that are too old or too many are forgotten.
// R6 who comes while nobody writes does it on its own thread, which spares two changes of threads; what
//    came meanwhile is the writer thread's. Who writes holds `writing_`, so there is only ever one.
// R7 between two writes somebody may read on their connection, whose pages are in memory where a reader's are read anew after
//    each write. That takes no lock between processes, and is a view as any other's; who writes
//    waits for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/awaited.h"
#include "base/files/kept_lock.h"
#include "base/stop_scope.h"
#include "storage/sqlite/database_file.h"
#include "storage/sqlite/tx.h"
#include "storage/sqlite/write_signs.h"
#include "storage/store.h"
#include "storage/write_health.h"

namespace alfred {

inline constexpr std::size_t kMaxGroup = 64;
// Of the log, before it is moved into the file: a page that many commits changed is moved once, and
// two syncs serve them all. As large as the log stays (journal_size_limit).
inline constexpr std::int64_t kCheckpointBytes = 16'000'000;

class SqliteWriter {
 public:
  struct Keeps {
    bool rows = true;
    bool state = false;
    bool ops = false;
    KeptOps kept;
  };
  SqliteWriter(const SqliteFile& file, Keeps keeps)
      : file_(file), keeps_(keeps), between_processes_(file.path()) {}
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;
  ~SqliteWriter();

  Result<std::string> write(const WriteCall& call, const WriteFn& closure);
  // Reads on the connection that writes, if nobody does (R7). Nothing: it is not to be had.
  std::optional<Result<void>> try_read(const std::function<Result<void>(SqliteConnection&)>& part);
  StoreHealth health() const { return health_.get(); }

 private:
  struct Job {
    const WriteCall& call;
    const WriteFn& closure;
    const StopFlag* stop;  // of the thread that waits for it
    std::optional<Result<std::string>> answer;
    Awaited<bool> is_answered{};  // for who waits: nobody is woken for another's answer
  };
  using Jobs = std::span<Job* const>;
  // Why a transaction did not happen, and whether another try without the others makes sense.
  struct Failure {
    Failure(Error why, bool is_before) : error(std::move(why)), is_before_jobs(is_before) {}
    Error error;
    bool is_before_jobs;
  };

  void work();
  std::vector<Job*> next_group();
  bool may_write_itself() const { return !writing_ && waiting_.empty() && !is_closing_; }
  void write_itself(std::unique_lock<std::mutex>& lock, Job& job);
  void end_writing();
  Result<void> read_view(const std::function<Result<void>(SqliteConnection&)>& part);
  void write_group(Jobs jobs);
  std::optional<Failure> transaction(Jobs jobs);
  std::optional<Failure> run_jobs(Jobs jobs);
  std::optional<Error> run_job(Job& job, bool is_alone);
  Result<std::string> run_closure(SqliteTx& tx, const Job& job);
  Result<void> keep_answer(const WriteCall& call, const std::string& answer);
  Result<void> forget_ops(const OpId& op, std::int64_t now_ms);
  Result<void> begin();
  std::optional<Failure> commit(Jobs jobs);
  std::optional<Failure> settle(Jobs jobs, const Error& error);
  Result<bool> has_happened(const Job& job);
  void roll_back();
  bool is_log_moved();
  void checkpoint();
  void answer(Jobs jobs);
  void answer_all(Jobs jobs, const Error& error);

  const SqliteFile& file_;
  Keeps keeps_;
  KeptLock between_processes_;
  std::unique_ptr<SqliteConnection> connection_;
  int log_pages_ = 0;
  std::optional<LongLog> long_log_;  // while it waits to be moved
  std::int64_t page_bytes_ = 0;
  bool has_op_table_ = false;
  WriteHealth health_;
  bool is_failing_ = false;  // the disk, in a part of this transaction that was undone alone

  std::mutex mutex_;
  std::condition_variable wakes_writer_;
  std::deque<Job*> waiting_;
  bool is_closing_ = false;
  std::optional<std::thread::id> writing_;  // who writes now
  std::thread thread_;                      // from the first write on
};

// The table of kept answers, also in a user's own database where that is allowed.
inline constexpr const char* kOpsTable =
    "CREATE TABLE IF NOT EXISTS alfred_ops (op text PRIMARY KEY NOT NULL, request text NOT NULL, "
    "answer text NOT NULL, at_ms integer NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS alfred_ops_by_time ON alfred_ops (at_ms)";

// What `op` answered on this connection, if it happened; the request it had.
struct KeptAnswer {
  std::string request;
  std::string answer;
};
Result<std::optional<KeptAnswer>> kept_answer(SqliteConnection& connection, const OpId& op);

}  // namespace alfred
