// SqliteReaders: connections for reading, lent one at a time, at most as many as the store may
// have. They read beside the writer: each sees the database as it was when its read began.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "storage/sqlite/database_file.h"
#include "storage/store.h"

namespace alfred {

class SqliteReaders {
 public:
  SqliteReaders(const SqliteFile& file, std::size_t most) : file_(file), most_(most) {}

  // What `part` reads is the database as it was at one moment.
  Result<void> read(const std::function<Result<void>(SqliteConnection&)>& part);

 private:
  Result<std::unique_ptr<SqliteConnection>> take();
  void give_back(std::unique_ptr<SqliteConnection> connection);

  const SqliteFile& file_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<SqliteConnection>> idle_;
  std::size_t lent_ = 0;
};

}  // namespace alfred
