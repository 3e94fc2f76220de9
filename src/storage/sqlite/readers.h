// SqliteReaders: connections for reading, lent one at a time, at most as many as the store may
// have. They read beside the writer: each sees the database as it was when its read began.
//
// R1 a thread that answers requests keeps the moment of its last read for those that had come before it began
//    (base/kept_moment.h), as long as this process writes nothing: of requests that queue each
//    would else begin and end a moment of its own, which costs more than its rows.
// R2 only of files of ours: in a user's own a read that lasts may stand in the way of others' writes.
// R3 nothing is kept while a log is long and waits to be moved into its file, which takes that nobody reads from before it.
// R4 a moment that is kept takes no place among those that are lent, and may outlive the store by as long as it is kept.
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
  SqliteReaders(const SqliteReaders&) = delete;
  SqliteReaders& operator=(const SqliteReaders&) = delete;
  ~SqliteReaders();

  // What `part` reads is the database as it was at one moment.
  using Part = std::function<Result<void>(SqliteConnection&)>;
  Result<void> read(const Part& part);

 private:
  // Connections that nobody reads from.
  struct Idle {
    std::mutex mutex{};
    std::vector<std::unique_ptr<SqliteConnection>> connections{};
    bool is_over = false;  // the store is gone

    void put(std::unique_ptr<SqliteConnection> connection);  // after its moment
  };
  class View;
  class Lent;

  View* kept_view();
  static Result<void> read_kept(View& view, const Part& part);
  Result<std::unique_ptr<SqliteConnection>> take();

  const SqliteFile& file_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::size_t lent_ = 0;
  std::shared_ptr<Idle> idle_ = std::make_shared<Idle>();
};

}  // namespace alfred
