#include "kept_flow.h"

#include <sqlite3.h>

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

KeptFlow::KeptFlow(const std::string& file) {
  {
    const SystemClock clock;
    OsRandom random;
    Result<OpenInbox> opened = OpenInbox::open("sqlite:" + file, clock, random);
    if (!opened) throw std::runtime_error(opened.error().message);
    Inbox& inbox = opened->inbox();
    const Json host =
        must(inbox.add_host(JsonObject{{"hostType", "local_event"}, {"hostKey", "b"}}));
    const Json source = must(inbox.add_source(
        JsonObject{{"hostId", host.at("hostId")}, {"streamKind", "events"}, {"streamKey", "s"}}));
    const Json agent = must(
        inbox.register_agent(JsonObject{{"webhook", JsonObject{{"url", "http://127.0.0.1:9/"}}}}));
    const Json subscription = must(inbox.subscribe(JsonObject{
        {"agentId", agent.at("agent").at("agentId")}, {"sourceId", source.at("sourceId")}}));
    subscription_ = text(subscription, "subscriptionId");
    stream_ = text(must(inbox.lag(subscription_)).at("consumer"), "streamId");
    inbox_ = text(agent.at("inbox"), "inboxId");
  }
  must(nullptr, sqlite3_open(file.c_str(), &database_));
  must(database_, sqlite3_exec(database_, "PRAGMA synchronous=FULL; PRAGMA foreign_keys=1", nullptr,
                               nullptr, nullptr));
  begin_ = prepare("BEGIN IMMEDIATE");
  commit_ = prepare("COMMIT");
  known_ = prepare(
      "SELECT s.last_place, e.place FROM alfred_inbox_streams s LEFT JOIN alfred_inbox_events e "
      "ON e.stream = s.id AND e.native_id = ?2 AND e.variant = 'v' WHERE s.id = ?1");
  event_ = prepare(
      "INSERT INTO alfred_inbox_events (id, stream, place, native_id, variant, occurred_ms, "
      "appended_ms, body) VALUES (?1, ?2, ?5, ?3, 'v', 1780000000000, 1780000000000, ?4)");
  item_ = prepare(
      "INSERT INTO alfred_inbox_items (id, inbox, event, subscription, created_ms) "
      "VALUES (?1, ?2, ?3, ?4, 1780000000000)");
  entry_ = prepare(
      "INSERT INTO alfred_inbox_entries (id, inbox, sequence, kind, item, created_ms, "
      "is_superseded) VALUES (?1, ?2, ?4, 'item', ?3, 1780000000000, 0)");
  read_ = prepare(
      "SELECT e.id, e.item, v.body FROM alfred_inbox_entries e JOIN alfred_inbox_items i "
      "ON i.id = e.item JOIN alfred_inbox_events v ON v.id = i.event WHERE e.inbox = ?1 "
      "AND e.acked_ms IS NULL ORDER BY e.sequence LIMIT 1");
  ack_item_ = prepare("UPDATE alfred_inbox_items SET acked_ms = 1780000000001 WHERE id = ?1");
  ack_entry_ = prepare("UPDATE alfred_inbox_entries SET acked_ms = 1780000000001 WHERE id = ?1");
  body_ = fmt::format(R"({{"metadata":{{"n":1}},"rawPayload":{{"text":"{}"}}}})",
                      std::string(200, 'x'));
}

KeptFlow::~KeptFlow() {
  for (sqlite3_stmt* one :
       {begin_, commit_, known_, event_, item_, entry_, read_, ack_item_, ack_entry_})
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

void KeptFlow::append(int events) {
  step(begin_);
  for (int i = 0; i < events; ++i) {
    const std::string native = fmt::format("e{}", ++events_);
    const std::string event = ids().next<IdKind::stream_event>();
    const std::string item = ids().next<IdKind::inbox_item>();
    const std::string entry = ids().next<IdKind::inbox_entry>();
    give(known_, {stream_, native});
    step(known_);
    give(event_, {event, stream_, native, body_}, events_);
    step(event_);
    give(item_, {item, inbox_, event, subscription_});
    step(item_);
    give(entry_, {entry, inbox_, item}, events_);
    step(entry_);
  }
  step(commit_);
}

void KeptFlow::whole(int events) {
  append(events);
  step(begin_);
  for (int i = 0; i < events; ++i) {
    give(read_, {inbox_});
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
  }
  step(commit_);
}

}  // namespace alfred::bench
