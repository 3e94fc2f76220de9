// The pump: events of a stream to the inboxes of those who subscribed, in offset order.
//
// R1 items, entries, threads, intents and the offset of a batch are one transaction.
// R2 consumers that follow their stream share its offset: an event that nobody wants costs each of them its
//    filter and nothing else. One that is behind reads on by itself until it follows.
// R3 filters are compiled once; a change of subscriptions, by any process, is seen by a counter.
// R4 a filter that fails on an event makes a dead letter; the stream goes on.
// R5 a batch is bounded in events, and ends early when many items came of it.
#pragma once

#include <map>
#include <mutex>

#include "inbox/filter/filter.h"
#include "inbox/flow/materialise.h"
#include "inbox/store/sql.h"

namespace alfred::inbox {

struct Pumped {
  std::int64_t events = 0, matched = 0, items = 0;
  bool has_more = false;
};

struct Reader {
  std::string subscription, consumer, inbox, agent;
  std::int64_t place = 0;  // events up to it are read already
  Filter filter;
};

// The followers of each stream, with their compiled filters.
class ReaderBook {
 public:
  std::shared_ptr<const std::vector<Reader>> followers(Sql& sql, const std::string& stream);

 private:
  struct Page {
    std::int64_t generation = -1;
    std::shared_ptr<const std::vector<Reader>> readers;
  };
  std::mutex mutex_;
  std::map<std::string, Page> pages_;
};

// One batch of a stream for its followers.
Pumped pump_stream(Sql& sql, ReaderBook& book, const std::string& stream);
// One batch of a consumer that is behind; `has_more` until it follows.
Pumped catch_up(Sql& sql, const std::string& subscription);
// Streams and subscriptions that have something to do, at most so many of each.
std::vector<std::string> streams_behind(Sql& sql, std::int64_t most);
std::vector<std::string> subscriptions_behind(Sql& sql, std::int64_t most);

Json dead_letters(Sql& sql, std::int64_t most);

}  // namespace alfred::inbox
