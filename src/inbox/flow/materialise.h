// From an event to what an agent reads: items, entries, digest threads, and the intent to wake it,
// all in the transaction that moves the offset.
//
// R1 an event is at most one item of an inbox, however many subscriptions of its agent match it.
// R2 an item has an entry of its own, unless its event says what it is about (metadata.resourceRef) and the
//    inbox groups: then it joins the open thread `<source>::<resource>::<family>`.
// R3 a thread flushes after its window (from its last item), with its max_items-th item, or at once
//    (metadata.flush = "immediate"): revision + 1 holds all its unacked items and supersedes the
//    one before.
// R4 a snapshot's items are those of its thread up to its through_place that were not acked before its
//    revision, so that a revision costs one row, however many items it holds.
// R5 a thread that is older than its age, or has had kMostOfThread items, takes no more; the next item opens another.
// R6 sequences come from one persisted counter.
#pragma once

#include "inbox/store/sql.h"

namespace alfred::inbox {

inline constexpr std::int64_t kMostOfThread = 200;

struct Inboxed {
  std::string id, agent;
  bool is_grouping = true;
  std::int64_t window_ms = 0, max_items = 0, max_age_ms = 0;
};

struct NewItem {
  std::string_view event;
  std::string_view subscription;  // empty: a direct message
  const Json& body;
  std::string_view source;
  std::string_view variant{};
  bool is_first = false;  // no inbox can have it yet
};

struct Materialised {
  std::string item;          // empty: the inbox had it
  std::int64_t entries = 0;  // that appeared
};

// From a row's cells: id, agent, digest_on, window_ms, max_items, max_age_ms.
Inboxed inbox_at(const Row& row, std::size_t at);
Inboxed read_inbox(Sql& sql, std::string_view inbox);
Materialised materialise_item(Sql& sql, const Inboxed& inbox, const NewItem& item);
// The same for one item, whose id it gives.
inline std::string materialise(Sql& sql, const Inboxed& inbox, const NewItem& item) {
  return materialise_item(sql, inbox, item).item;
}

// Flushes a thread: the new entry's id.
std::string flush_thread(Sql& sql, std::string_view thread);
// The next revision with what is left of the snapshot up to this place.
std::string write_snapshot(Sql& sql, std::string_view thread, std::int64_t through);
// Flushes at most so many threads whose window is over: how many.
std::int64_t flush_due(Sql& sql, std::int64_t most);

}  // namespace alfred::inbox
