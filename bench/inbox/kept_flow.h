// The flow of an inbox by hand, with the very rows that ours keeps: its tables, ids, indexes and
// links, by prepared statements on the bare driver, in transactions of a number of events. What it
// leaves out is what stands once in a transaction (counters, wake-ups, commits of consumers) and
// all that is not SQL. So it is what SQLite itself takes for them.
#pragma once

#include <cstdint>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace alfred::bench {

class KeptFlow {
 public:
  explicit KeptFlow(const std::string& file);
  KeptFlow(const KeptFlow&) = delete;
  KeptFlow& operator=(const KeptFlow&) = delete;
  ~KeptFlow();

  void append(int events);  // one transaction: each event, its item and its entry
  void whole(int events);   // the same, then, in another, reading and acking them

 private:
  void step(sqlite3_stmt* statement);
  sqlite3_stmt* prepare(const char* sql);

  sqlite3* database_ = nullptr;
  sqlite3_stmt *begin_, *commit_, *known_, *event_, *item_, *entry_, *read_, *ack_item_,
      *ack_entry_;
  std::string stream_, inbox_, subscription_, body_;
  std::int64_t events_ = 0;
};

}  // namespace alfred::bench
