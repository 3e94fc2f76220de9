#include "storage/sqlite/readers.h"

#include <utility>

namespace alfred {

Result<std::unique_ptr<SqliteConnection>> SqliteReaders::take() {
  if (Result<void> same = file_.check(); !same) return Unexpected(std::move(same).error());
  {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return lent_ < most_; });
    ++lent_;
    if (!idle_.empty()) {
      std::unique_ptr<SqliteConnection> connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  Result<std::unique_ptr<SqliteConnection>> opened = file_.open_reader();
  if (!opened) give_back(nullptr);
  return opened;
}

void SqliteReaders::give_back(std::unique_ptr<SqliteConnection> connection) {
  {
    const std::lock_guard lock(mutex_);
    --lent_;
    if (connection != nullptr) idle_.push_back(std::move(connection));
  }
  returned_.notify_one();
}

Result<void> SqliteReaders::read(const std::function<Result<void>(SqliteConnection&)>& part) {
  Result<std::unique_ptr<SqliteConnection>> taken = take();
  if (!taken) return Unexpected(std::move(taken).error());
  std::unique_ptr<SqliteConnection> connection = std::move(*taken);
  Result<void> done = connection->begin_view();
  if (done) done = part(*connection);
  connection->end_view();
  if (connection->is_in_transaction() && !connection->execute_kept("ROLLBACK")) connection.reset();
  if (connection != nullptr && connection->is_untrusted()) connection.reset();
  give_back(std::move(connection));
  return done;
}

}  // namespace alfred
