#include "storage/sqlite/readers.h"

#include <utility>

#include "base/kept_moment.h"
#include "storage/sqlite/write_signs.h"

namespace alfred {

void SqliteReaders::Idle::put(std::unique_ptr<SqliteConnection> connection) {
  connection->end_view();
  if (connection->is_in_transaction() && !connection->execute_kept("ROLLBACK")) return;
  if (connection->is_untrusted()) return;
  const std::lock_guard lock(mutex);
  if (!is_over) connections.push_back(std::move(connection));
}

SqliteReaders::~SqliteReaders() {
  const std::lock_guard lock(idle_->mutex);
  idle_->is_over = true;
  idle_->connections.clear();
}

// A connection on which a moment has begun.
class SqliteReaders::View final : public KeptMoment {
 public:
  View(std::shared_ptr<Idle> idle, std::unique_ptr<SqliteConnection> connection, Time from,
       std::uint64_t writes_before)
      : KeptMoment(idle.get(), from),
        idle_(std::move(idle)),
        connection_(std::move(connection)),
        writes_before_(writes_before) {}
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View() override { idle_->put(std::move(connection_)); }

  SqliteConnection& connection() { return *connection_; }
  bool is_before_a_write() const { return writes_before_ != sqlite_writes(); }

 private:
  std::shared_ptr<Idle> idle_;
  std::unique_ptr<SqliteConnection> connection_;
  std::uint64_t writes_before_;
};

// One of those that may be lent at a time.
class SqliteReaders::Lent {
 public:
  explicit Lent(SqliteReaders& readers) : readers_(readers) {
    std::unique_lock lock(readers_.mutex_);
    readers_.returned_.wait(lock, [&] { return readers_.lent_ < readers_.most_; });
    ++readers_.lent_;
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    {
      const std::lock_guard lock(readers_.mutex_);
      --readers_.lent_;
    }
    readers_.returned_.notify_one();
  }

 private:
  SqliteReaders& readers_;
};

SqliteReaders::View* SqliteReaders::kept_view() {
  View* const view = static_cast<View*>(kept_moment(idle_.get()));
  if (view == nullptr || (!view->is_before_a_write() && !LongLog::is_any())) return view;
  end_kept_moment();
  return nullptr;
}

Result<void> SqliteReaders::read_kept(View& view, const Part& part) {
  struct Reading {
    explicit Reading(View& one) : view(one) { view.is_read_from = true; }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { view.is_read_from = false; }
    View& view;
  };
  Result<void> done;
  {
    const Reading reading(view);
    done = part(view.connection());
  }
  if (!done) end_kept_moment();  // whatever is wrong is not wrong with the next one
  return done;
}

Result<std::unique_ptr<SqliteConnection>> SqliteReaders::take() {
  if (Result<void> same = file_.check(); !same) return Unexpected(std::move(same).error());
  {
    const std::lock_guard lock(idle_->mutex);
    if (!idle_->connections.empty()) {
      std::unique_ptr<SqliteConnection> connection = std::move(idle_->connections.back());
      idle_->connections.pop_back();
      return connection;
    }
  }
  return file_.open_reader();
}

Result<void> SqliteReaders::read(const Part& part) {
  if (View* const view = kept_view()) return read_kept(*view, part);
  const Lent lent(*this);
  const std::uint64_t writes_before = sqlite_writes();
  const KeptMoment::Time begun = KeptMoment::Time::clock::now();
  Result<std::unique_ptr<SqliteConnection>> taken = take();
  if (!taken) return Unexpected(std::move(taken).error());
  std::unique_ptr<SqliteConnection> connection = std::move(*taken);
  Result<void> done = connection->begin_view();
  if (done) done = part(*connection);
  if (done && file_.is_ours() && !LongLog::is_any() && may_keep_moment())
    keep_moment(std::make_unique<View>(idle_, std::move(connection), begun, writes_before));
  else
    idle_->put(std::move(connection));
  return done;
}

}  // namespace alfred
