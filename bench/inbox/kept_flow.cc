#include "kept_flow.h"

#include <sqlite3.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "alfred/ids.h"
#include "inbox/open_inbox.h"

namespace alfred::bench {
namespace {

void must(sqlite3* database, int code) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    throw std::runtime_error(sqlite3_errmsg(database));
}
Json must(Result<Json> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}
std::string text(const Json& json, std::string_view name) {
  return std::string(json.at(name).as_string());
}
// Its texts, in their order, and then a number if there is one.
void give(sqlite3_stmt* statement, std::initializer_list<std::string_view> texts,
          std::optional<std::int64_t> number = std::nullopt) {
  int index = 0;
  for (const std::string_view one : texts)
    sqlite3_bind_text(statement, ++index, one.data(), static_cast<int>(one.size()), SQLITE_STATIC);
  if (number) sqlite3_bind_int64(statement, ++index, *number);
}

// Ids as they are made for rows that come together.
struct Ids {
  Ids() : near(source) {}
  template <IdKind K>
  std::string next() {
    return std::string(new_short_id<K>(near).view());
  }
  OsRandom source;
  inbox::NearRandom near;
};
Ids& ids() {
  static Ids all;
  return all;
}

}  // namespace

KeptFlow::KeptFlow(const std::string& file, std::size_t sources) {
  {
    const SystemClock clock;
    OsRandom random;
    Result<OpenInbox> opened = OpenInbox::open("sqlite:" + file, clock, random);
    if (!opened) throw std::runtime_error(opened.error().message);
    Inbox& inbox = opened->inbox();
    const Json host =
        must(inbox.add_host(JsonObject{{"hostType", "local_event"}, {"hostKey", "b"}}));
    for (std::size_t i = 0; i < sources; ++i) {
      const Json source = must(inbox.add_source(JsonObject{{"hostId", host.at("hostId")},
                                                           {"streamKind", "events"},
                                                           {"streamKey", fmt::format("s{}", i)}}));
      const Json agent = must(inbox.register_agent(
          JsonObject{{"webhook", JsonObject{{"url", "http://127.0.0.1:9/"}}}}));
      const Json subscription = must(inbox.subscribe(JsonObject{
          {"agentId", agent.at("agent").at("agentId")}, {"sourceId", source.at("sourceId")}}));
      Follower& one = followers_.emplace_back();
      one.subscription = text(subscription, "subscriptionId");
      const Json consumer = must(inbox.lag(one.subscription)).at("consumer");
      one.stream = text(consumer, "streamId");
      one.consumer = text(consumer, "consumerId");
      one.inbox = text(agent.at("inbox"), "inboxId");
      one.target = text(agent.at("target"), "targetId");
    }
  }
  must(nullptr, sqlite3_open(file.c_str(), &database_));
  // The log is moved when it is as long as the store lets it be.
  must(database_, sqlite3_exec(database_,
                               "PRAGMA synchronous=FULL; PRAGMA foreign_keys=1; "
                               "PRAGMA wal_autocheckpoint=8192",
                               nullptr, nullptr, nullptr));
  begin_ = prepare("BEGIN IMMEDIATE");
  commit_ = prepare("COMMIT");
  count_ = prepare("UPDATE alfred_inbox_counters SET value = ?1 WHERE name = 'sequence'");
  known_ = prepare(
      "SELECT s.last_place, e.place FROM alfred_inbox_streams s LEFT JOIN alfred_inbox_events e "
      "ON e.stream = s.id AND e.native_id = ?2 AND e.variant = 'v' WHERE s.id = ?1");
  places_ = prepare("UPDATE alfred_inbox_streams SET last_place = ?2, pumped = ?2 WHERE id = ?1");
  event_ = prepare(
      "INSERT INTO alfred_inbox_events (id, stream, place, native_id, variant, occurred_ms, "
      "appended_ms, body) VALUES (?1, ?2, ?5, ?3, 'v', 1780000000000, 1780000000000, ?4)");
  item_ = prepare(
      "INSERT INTO alfred_inbox_items (id, inbox, event, subscription, created_ms) "
      "VALUES (?1, ?2, ?3, ?4, 1780000000000)");
  entry_ = prepare(
      "INSERT INTO alfred_inbox_entries (id, inbox, sequence, kind, item, created_ms, "
      "is_superseded) VALUES (?1, ?2, ?4, 'item', ?3, 1780000000000, 0)");
  raise_again_ = prepare(
      "UPDATE alfred_inbox_dispatch SET pending = pending + 1, set_ms = 1780000000000 "
      "WHERE target = ?1 AND due_ms IS NOT NULL");
  raise_ = prepare(
      "UPDATE alfred_inbox_dispatch SET pending = pending + 1, set_ms = 1780000000000, "
      "due_ms = 1780000003000 WHERE target = ?1");
  note_ = prepare(
      "INSERT INTO alfred_inbox_commits (id, consumer, kind, place, committed_ms) "
      "VALUES (?1, ?2, 'commit', ?3, 1780000000000)");
  read_ = prepare(
      "SELECT e.id, e.item, v.body FROM alfred_inbox_entries e JOIN alfred_inbox_items i "
      "ON i.id = e.item JOIN alfred_inbox_events v ON v.id = i.event WHERE e.inbox = ?1 "
      "AND e.acked_ms IS NULL ORDER BY e.sequence LIMIT 1");
  ack_item_ = prepare("UPDATE alfred_inbox_items SET acked_ms = 1780000000001 WHERE id = ?1");
  ack_entry_ = prepare("UPDATE alfred_inbox_entries SET acked_ms = 1780000000001 WHERE id = ?1");
  quiet_ = prepare(
      "UPDATE alfred_inbox_dispatch SET pending = 0, due_ms = NULL, lease_until_ms = NULL "
      "WHERE target = ?1");
  body_ = fmt::format(R"({{"metadata":{{"n":1}},"rawPayload":{{"text":"{}"}}}})",
                      std::string(200, 'x'));
}

KeptFlow::~KeptFlow() {
  for (sqlite3_stmt* one : {begin_, commit_, count_, known_, places_, event_, item_, entry_,
                            raise_again_, raise_, note_, read_, ack_item_, ack_entry_, quiet_})
    sqlite3_finalize(one);
  sqlite3_close(database_);
}

sqlite3_stmt* KeptFlow::prepare(const char* sql) {
  sqlite3_stmt* out = nullptr;
  must(database_, sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &out, nullptr));
  return out;
}

void KeptFlow::step(sqlite3_stmt* statement) {
  must(database_, sqlite3_step(statement));
  sqlite3_reset(statement);
}

// Its rows, and what stands once for each event: nothing of this is shared.
void KeptFlow::add_event(Follower& to) {
  const std::string native = fmt::format("e{}", ++events_);
  const std::string event = ids().next<IdKind::stream_event>();
  const std::string item = ids().next<IdKind::inbox_item>();
  const std::string entry = ids().next<IdKind::inbox_entry>();
  give(known_, {to.stream, native});
  step(known_);
  give(event_, {event, to.stream, native, body_}, ++to.place);
  step(event_);
  give(item_, {item, to.inbox, event, to.subscription});
  step(item_);
  give(entry_, {entry, to.inbox, item}, events_);
  step(entry_);
}

// What stands once in a transaction: the counter; of each source its place, of its consumer a
// commit, of its agent's target that there is something to be told.
void KeptFlow::note_shared(int events) {
  sqlite3_bind_int64(count_, 1, events_);
  step(count_);
  const auto touched = std::min(static_cast<std::size_t>(events), used_);
  for (std::size_t i = 0; i < touched; ++i) {
    const Follower& one = followers_[i];
    give(places_, {one.stream}, one.place);
    step(places_);
    give(raise_again_, {one.target});
    step(raise_again_);
    if (sqlite3_changes(database_) == 0) {
      give(raise_, {one.target});
      step(raise_);
    }
    const std::string commit = ids().next<IdKind::consumer_commit>();
    give(note_, {commit, one.consumer}, one.place);
    step(note_);
  }
}

void KeptFlow::append_in_turn(int events) {
  step(begin_);
  for (int i = 0; i < events; ++i) add_event(turn(i));
  note_shared(events);
  step(commit_);
}

void KeptFlow::append_to_one(int events) {
  used_ = 1;
  append_in_turn(events);
}

void KeptFlow::append(int events) {
  used_ = followers_.size();
  append_in_turn(events);
}

void KeptFlow::whole(int events) {
  append(events);
  step(begin_);
  for (int i = 0; i < events; ++i) {
    give(read_, {turn(i).inbox});
    must(database_, sqlite3_step(read_));
    const auto cell = [&](int column) {
      return std::string(reinterpret_cast<const char*>(sqlite3_column_text(read_, column)));
    };
    const std::string entry = cell(0);
    const std::string item = cell(1);
    sqlite3_reset(read_);
    give(ack_item_, {item});
    step(ack_item_);
    give(ack_entry_, {entry});
    step(ack_entry_);
    give(quiet_, {turn(i).target});
    step(quiet_);
  }
  step(commit_);
}

}  // namespace alfred::bench
