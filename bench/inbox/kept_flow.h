// The flow of an inbox by hand, with the very rows that ours leaves: in its tables with their ids,
// indexes and links, by prepared statements on the bare driver, in transactions of a number of
// events. What it leaves out is all that is not SQL. So it is what SQLite itself takes for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace alfred::bench {

class KeptFlow {
 public:
  // So many sources, each with an agent that follows it and has a webhook.
  KeptFlow(const std::string& file, std::size_t sources);
  KeptFlow(const KeptFlow&) = delete;
  KeptFlow& operator=(const KeptFlow&) = delete;
  ~KeptFlow();

  void append_to_one(int events);  // one transaction, of the first source
  void append(int events);         // one transaction, an event of each source in turn
  void whole(int events);          // the same, then, in another, reading and acking them

 private:
  struct Follower {
    std::string stream{}, inbox{}, subscription{}, consumer{}, target{};
    std::int64_t place = 0;
  };
  Follower& turn(int event) { return followers_[static_cast<std::size_t>(event) % used_]; }
  void append_in_turn(int events);
  void add_event(Follower& to);
  void note_shared(int events);
  void step(sqlite3_stmt* statement);
  sqlite3_stmt* prepare(const char* sql);

  sqlite3* database_ = nullptr;
  sqlite3_stmt *begin_, *commit_, *count_, *known_, *places_, *event_, *item_, *entry_,
      *raise_again_, *raise_, *note_, *read_, *ack_item_, *ack_entry_, *quiet_;
  std::vector<Follower> followers_;
  std::size_t used_ = 1;  // of these, in turn
  std::string body_;
  std::int64_t events_ = 0;
};

}  // namespace alfred::bench
