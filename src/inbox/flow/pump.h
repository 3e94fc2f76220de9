// The pump: events of a stream to the inboxes of those who subscribed, in offset order.
//
// R1 items, entries, threads, intents and the offset of a batch are one transaction.
// R2 consumers that follow their stream share its offset: an event that nobody wants costs each of them its
//    filter and nothing else. One that is behind reads on by itself until it follows.
// R3 filters are compiled once; a change of subscriptions, of a source's state or of an inbox's policy, by any
//    process, is seen by a number that each such change renews (Sql::renew).
// R4 a filter that fails on an event makes a dead letter; the stream goes on. So does one that was kept and compiles no
//    more, after an upgrade, say: nothing matches it until the subscription is made anew.
// R5 a batch is bounded in events, and ends early when many items came of it.
#pragma once

#include <map>
#include <mutex>
#include <span>

#include "inbox/filter/filter.h"
#include "inbox/flow/agent_book.h"
#include "inbox/flow/append.h"
#include "inbox/flow/materialise.h"
#include "inbox/store/page.h"

namespace alfred::inbox {

struct Pumped {
  std::int64_t events = 0, matched = 0, items = 0;
  bool has_more = false;
};

struct Reader {
  std::string subscription, consumer;
  Inboxed inbox;
  std::int64_t place = 0;  // events up to it are read already
  Result<Filter> filter;   // the error: why it compiles no more (R4)
};

// A source with the followers of its stream.
struct Followed {
  SourceRow source;  // how far its stream is may be long past
  std::vector<Reader> readers;
};

// A filter as it was kept in a cell. Error: it compiles no more (R4).
Result<Filter> kept_filter(const Row& row, std::size_t at);

// Sources with their followers and the compiled filters of these (R3).
class ReaderBook {
 public:
  using Page = std::shared_ptr<const Followed>;
  // What the counter says now (R3): one look at it serves many sources of one transaction.
  static std::int64_t generation(Sql& sql);
  Result<Page> source(Sql& sql, std::string_view source, std::int64_t generation);
  Result<Page> source(Sql& sql, std::string_view source_id) {
    return source(sql, source_id, generation(sql));
  }

 private:
  struct Kept {
    std::int64_t generation = -1;
    Page page;
  };
  std::mutex mutex_;
  std::map<std::string, Kept, std::less<>> pages_;
};

// Agents as they are in this transaction.
struct KnownAgents {
  AgentBook& book;
  std::int64_t generation;
};

// One batch of a stream for its followers.
Pumped pump_stream(Sql& sql, ReaderBook& book, const std::string& stream);
// Events that were appended in this transaction, in their order, to a stream that was not behind.
struct FreshEvent {
  const NewEvent* event = nullptr;
  std::int64_t place = 0;
  std::string id{};
};
Pumped pump_new(Sql& sql, const KnownAgents& agents, const Followed& followed,
                std::span<const FreshEvent> events);
// One batch of a consumer that is behind; `has_more` until it follows.
Pumped catch_up(Sql& sql, const std::string& subscription);
// Streams and subscriptions that have something to do, in the order of their ids, those behind
// `after`, at most so many.
std::vector<std::string> streams_behind(Sql& sql, const std::string& after, std::int64_t most);
std::vector<std::string> subscriptions_behind(Sql& sql, const std::string& after,
                                              std::int64_t most);

// The newest first.
Result<Json> dead_letters(Sql& sql, const ListPage& page);

}  // namespace alfred::inbox
