#include "storage/sqlite/writer.h"

#include <sqlite3.h>

#include <exception>
#include <utility>

namespace alfred {
namespace {

// It runs on our thread, where nobody would catch what it throws.
Result<std::string> call_closure(SqliteTx& tx, const WriteFn& closure) {
  try {
    return closure(tx);
  } catch (const std::exception& thrown) {
    return Unexpected(Error{ErrorCode::bug, "A write broke off.", {}, {}, thrown.what()});
  }
}

Error unknown_outcome(const std::string& detail) {
  constexpr std::string_view kMessage =
      "The disk failed while this was written, and whether it was is not known. Ask again with the "
      "same operation id, or read before trying again.";
  return Error{ErrorCode::storage, std::string(kMessage), {}, {}, detail};
}

}  // namespace

SqliteWriter::~SqliteWriter() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  wakes_writer_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (connection_ == nullptr || !file_.is_ours()) return;
  // The last connection moves the log into the file when it closes: only under the lock.
  const Result<KeptLock::Held> lock = between_processes_.hold(100);
  if (!lock || !file_.check()) connection_->leave_wal_on_close();
  connection_.reset();
}

Result<std::string> SqliteWriter::write(const WriteCall& call, const WriteFn& closure) {
  Job job{.call = call, .closure = closure, .stop = stop_flag(), .answer = std::nullopt};
  std::unique_lock lock(mutex_);
  if (writing_ == std::this_thread::get_id())
    return fail(ErrorCode::bug, "A write was started inside a write of the same database.");
  if (may_write_itself()) {
    write_itself(lock, job);
    return std::move(*job.answer);
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  waiting_.push_back(&job);
  wakes_writer_.notify_one();
  lock.unlock();
  job.is_answered.wait();
  return std::move(*job.answer);
}

void SqliteWriter::write_itself(std::unique_lock<std::mutex>& lock, Job& job) {
  writing_ = std::this_thread::get_id();
  lock.unlock();
  Job* const alone = &job;
  try {
    write_group(Jobs(&alone, 1));
  } catch (...) {  // memory ran out: the next one finds nothing half done, and its turn
    roll_back();
    end_writing();
    throw;
  }
  end_writing();
}

std::optional<Result<void>> SqliteWriter::try_read(
    const std::function<Result<void>(SqliteConnection&)>& part) {
  {
    const std::lock_guard lock(mutex_);
    if (!may_write_itself() || connection_ == nullptr || !file_.is_ours()) return std::nullopt;
    writing_ = std::this_thread::get_id();
  }
  struct Reading {
    explicit Reading(SqliteWriter& one) : writer(one) {}
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { writer.end_writing(); }
    SqliteWriter& writer;
  };
  const Reading reading(*this);
  if (!file_.check()) return std::nullopt;  // who writes next finds out, and a reader says it
  Result<void> done = read_view(part);
  if (connection_ == nullptr) return std::nullopt;  // it could not be trusted: a reader's may be
  return done;
}

Result<void> SqliteWriter::read_view(const std::function<Result<void>(SqliteConnection&)>& part) {
  struct View {
    explicit View(std::unique_ptr<SqliteConnection>& one) : connection(one) {}
    View(const View&) = delete;
    View& operator=(const View&) = delete;
    ~View() {
      connection->end_view();
      if (!connection->is_untrusted()) return;
      connection->leave_wal_on_close();  // without the lock between processes nothing is moved
      connection.reset();
    }
    std::unique_ptr<SqliteConnection>& connection;
  };
  const View view(connection_);
  if (Result<void> begun = connection_->begin_view(); !begun) return begun;
  return part(*connection_);
}

void SqliteWriter::end_writing() {
  const std::lock_guard lock(mutex_);
  writing_.reset();
  if (!waiting_.empty() || is_closing_) wakes_writer_.notify_one();
}

std::vector<SqliteWriter::Job*> SqliteWriter::next_group() {
  std::unique_lock lock(mutex_);
  wakes_writer_.wait(lock, [&] { return !writing_ && (is_closing_ || !waiting_.empty()); });
  std::vector<Job*> jobs;
  while (!waiting_.empty() && jobs.size() < kMaxGroup) {
    jobs.push_back(waiting_.front());
    waiting_.pop_front();
  }
  if (!jobs.empty()) writing_ = std::this_thread::get_id();
  return jobs;
}

void SqliteWriter::work() {
  for (;;) {
    const std::vector<Job*> jobs = next_group();
    if (jobs.empty()) return;
    write_group(jobs);
    end_writing();
  }
}

void SqliteWriter::answer(Jobs jobs) {
  // A caller that has its answer takes its job away.
  for (Job* const job : jobs) job->is_answered.give(true);
}

void SqliteWriter::answer_all(Jobs jobs, const Error& error) {
  health_.note_error(error);
  for (Job* const job : jobs) job->answer = Unexpected(error);
  answer(jobs);
}

void SqliteWriter::write_group(Jobs jobs) {
  const std::optional<Failure> failure = transaction(jobs);
  if (!failure) return;
  if (failure->is_before_jobs || jobs.size() == 1) {
    answer_all(jobs, failure->error);
    return;
  }
  // One of them may have spoilt it for all.
  for (Job* const& job : jobs) {
    const Jobs alone(&job, 1);
    if (const std::optional<Failure> again = transaction(alone)) answer_all(alone, again->error);
  }
}

std::optional<SqliteWriter::Failure> SqliteWriter::transaction(Jobs jobs) {
  std::optional<Result<KeptLock::Held>> lock;
  if (file_.is_ours()) {
    lock.emplace(between_processes_.hold(file_.busy_timeout_ms()));
    if (!*lock) return Failure(lock->error(), true);
  }
  if (Result<void> begun = begin(); !begun) {
    if (connection_ != nullptr && connection_->is_untrusted()) connection_.reset();
    return Failure(std::move(begun).error(), true);
  }
  if (std::optional<Failure> failure = run_jobs(jobs)) return failure;
  const bool has_begun = connection_ != nullptr && connection_->is_in_transaction();
  if (!has_begun) {  // the only one failed, and was taken back
    answer(jobs);
    return std::nullopt;
  }
  if (std::optional<Failure> failure = commit(jobs)) return failure;
  answer(jobs);
  if (file_.is_ours() && connection_ != nullptr) checkpoint();
  return std::nullopt;
}

Result<void> SqliteWriter::begin() {
  is_failing_ = false;
  if (Result<void> same = file_.check(); !same) {
    if (connection_ != nullptr) connection_->leave_wal_on_close();
    connection_.reset();
    return same;
  }
  if (connection_ == nullptr) {
    Result<std::unique_ptr<SqliteConnection>> opened = file_.open_writer();
    if (!opened) return Unexpected(std::move(opened).error());
    const Result<std::int64_t> page_bytes = (*opened)->number("PRAGMA page_size");
    if (!page_bytes) return Unexpected(page_bytes.error());
    connection_ = std::move(*opened);
    page_bytes_ = *page_bytes;
    has_op_table_ = false;
    const auto count_pages = [](void* self, sqlite3* /*database*/, const char* /*schema*/,
                                int pages) {
      static_cast<SqliteWriter*>(self)->log_pages_ = pages;
      return SQLITE_OK;
    };
    if (file_.is_ours()) sqlite3_wal_hook(connection_->handle(), count_pages, this);
  }
  connection_->kept().begin();
  if (Result<void> begun = connection_->execute_kept("BEGIN IMMEDIATE"); !begun) return begun;
  if (!keeps_.ops || file_.is_ours() || has_op_table_) return {};
  // Allowed by the user: the one table of ours in a database of theirs.
  Result<void> made = connection_->execute(kOpsTable);
  if (!made) {
    roll_back();
    return made;
  }
  has_op_table_ = true;
  return {};
}

void SqliteWriter::roll_back() {
  has_op_table_ = false;
  if (connection_ != nullptr) connection_->kept().undone();
  if (connection_ == nullptr || !connection_->is_in_transaction()) return;
  const Result<void> undone = connection_->execute("ROLLBACK");
  // A connection that cannot even go back is not used again.
  if (!undone || connection_->is_in_transaction()) connection_.reset();
}

std::optional<SqliteWriter::Failure> SqliteWriter::run_jobs(Jobs jobs) {
  for (Job* const job : jobs) {
    std::optional<Error> lost = run_job(*job, jobs.size() == 1);
    if (!lost) continue;
    roll_back();
    if (connection_ != nullptr && connection_->is_untrusted()) connection_.reset();
    return Failure(std::move(*lost), false);
  }
  return std::nullopt;
}

// Sets the job's answer. An error here is one of the whole transaction.
std::optional<Error> SqliteWriter::run_job(Job& job, bool is_alone) {
  SqliteTx tx(*connection_, job.call.caller,
              TxRights{.is_read = false, .holds_rows = keeps_.rows, .holds_state = keeps_.state});
  std::string text;
  const auto part = [&]() -> Result<void> {
    Result<std::string> answered = run_closure(tx, job);
    if (!answered) return Unexpected(std::move(answered).error());
    text = std::move(*answered);
    return {};
  };
  Result<void> done = is_alone ? tx.whole(part) : tx.savepoint(part);
  if (tx.lost()) return tx.lost();
  const bool is_lost = !connection_->is_in_transaction() || connection_->is_untrusted();
  if (is_lost && done) done = fail(ErrorCode::storage, "The transaction was taken back.");
  if (is_lost) return std::move(done).error();
  if (done) {
    job.answer.emplace(std::move(text));
    return std::nullopt;
  }
  // The disk's own error: SQLite may have undone the statement and not the transaction.
  if (done.error().detail.starts_with("sqlite ") && health_.note_error(done.error()))
    is_failing_ = true;
  job.answer.emplace(Unexpected(std::move(done).error()));
  if (is_alone) roll_back();
  return std::nullopt;
}

Result<std::string> SqliteWriter::run_closure(SqliteTx& tx, const Job& job) {
  const StopScope scope(job.stop);
  if (!keeps_.ops || !job.call.op) return call_closure(tx, job.closure);
  Result<std::optional<KeptAnswer>> kept = kept_answer(*connection_, *job.call.op);
  if (!kept) return Unexpected(std::move(kept).error());
  if (*kept) {
    if ((*kept)->request == kept_request(job.call)) return std::move((*kept)->answer);
    return fail(ErrorCode::op_reused,
                "This operation id was used for another request. Use a new one.");
  }
  Result<std::string> answer = call_closure(tx, job.closure);
  if (!answer || tx.lost()) return answer;
  if (Result<void> may = tx.may_write(); !may) return Unexpected(std::move(may).error());
  if (Result<void> kept_now = keep_answer(job.call, *answer); !kept_now)
    return Unexpected(std::move(kept_now).error());
  return answer;
}

std::optional<SqliteWriter::Failure> SqliteWriter::commit(Jobs jobs) {
  Result<void> committed = connection_->execute_kept("COMMIT");
  if (committed) {
    if (!is_failing_) health_.note_success();
    return std::nullopt;
  }
  if (connection_->is_untrusted()) return settle(jobs, committed.error());
  roll_back();
  return Failure(std::move(committed).error(), false);
}

// Asked of a connection that was opened after the commit.
Result<bool> SqliteWriter::has_happened(const Job& job) {
  if (!job.call.op) {
    SqliteTx tx(*connection_, job.call.caller,
                TxRights{.is_read = true, .holds_rows = keeps_.rows, .holds_state = keeps_.state});
    return job.call.has_happened(tx);
  }
  const Result<std::optional<KeptAnswer>> kept = kept_answer(*connection_, *job.call.op);
  if (!kept) return Unexpected(kept.error());
  return kept->has_value();
}

// The outcome of a COMMIT that met an I/O error is what a new connection finds in the file.
std::optional<SqliteWriter::Failure> SqliteWriter::settle(Jobs jobs, const Error& error) {
  connection_.reset();
  health_.note_error(error);
  const Error open = unknown_outcome(error.detail);
  if (!keeps_.ops) return Failure(open, true);
  // A checkpoint puts on the disk what is found in the log before anything is said about it.
  Result<void> begun = begin();
  if (!begun) return Failure(open, true);
  for (Job* const job : jobs) {
    if (!*job->answer) continue;
    if (!job->call.op && !job->call.has_happened) {
      job->answer = Unexpected(open);
      continue;
    }
    const Result<bool> happened = has_happened(*job);
    if (!happened) return Failure(open, true);
    if (!*happened) job->answer = Unexpected(error);
  }
  // Writing something takes the place of frames that the failed COMMIT may have left.
  const bool is_ours = file_.is_ours();
  Result<void> sealed =
      connection_->execute(is_ours ? "UPDATE alfred_meta SET version = version; COMMIT" : "COMMIT");
  if (!sealed || (is_ours && !is_log_moved())) {
    connection_.reset();
    return Failure(open, true);
  }
  return std::nullopt;
}

// Moves all of it. Who stands in the way is told by a row, not by an error.
bool SqliteWriter::is_log_moved() {
  const Result<std::int64_t> busy = connection_->number("PRAGMA wal_checkpoint(TRUNCATE)");
  return busy && *busy == 0;
}

void SqliteWriter::checkpoint() {
  if (log_pages_ * page_bytes_ < kCheckpointBytes) return long_log_.reset();
  if (!long_log_) long_log_.emplace();
  int pages = 0;
  int moved = 0;
  // As a whole, so that nobody of another program writes meanwhile (gathered_pages.h R1), but it
  // waits for nobody; what is left is moved next time.
  sqlite3* const database = connection_->handle();
  sqlite3_busy_timeout(database, 0);
  const int code =
      sqlite3_wal_checkpoint_v2(database, nullptr, SQLITE_CHECKPOINT_FULL, &pages, &moved);
  sqlite3_busy_timeout(database, file_.busy_timeout_ms());
  if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED) {
    connection_->leave_wal_on_close();  // what it believes of the file may be wrong
    connection_.reset();
  }
  if (code != SQLITE_OK) return;
  if (moved != pages) return;
  log_pages_ = 0;
  long_log_.reset();
}

}  // namespace alfred
