// The flow of an inbox by hand: prepared statements on the bare driver, in transactions of a number
// of events, with the store's own way of being durable. No ids, filters, wake-ups or deduplication.
#pragma once

#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace alfred::bench {

class RawFlow {
 public:
  explicit RawFlow(const std::string& file);
  RawFlow(const RawFlow&) = delete;
  RawFlow& operator=(const RawFlow&) = delete;
  ~RawFlow();

  void append(int events);  // one transaction: their rows
  void whole(int events);   // their rows and entries, then, in another, reading and acking them

 private:
  void run(const char* sql);
  void step(sqlite3_stmt* statement);

  sqlite3* database_ = nullptr;
  sqlite3_stmt* event_ = nullptr;
  sqlite3_stmt* entry_ = nullptr;
  sqlite3_stmt* read_ = nullptr;
  sqlite3_stmt* ack_ = nullptr;
};

}  // namespace alfred::bench
