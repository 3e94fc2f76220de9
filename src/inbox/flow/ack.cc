#include "inbox/flow/ack.h"

#include <set>

#include "inbox/fields.h"
#include "inbox/flow/intents.h"
#include "inbox/flow/materialise.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kMostEntries = 10'000;

constexpr Statement kEntry(
    "SELECT item, thread, through_place FROM alfred_inbox_entries "
    "WHERE id = :id AND inbox = :inbox");
constexpr Statement kSequence(
    "SELECT sequence FROM alfred_inbox_entries WHERE id = :id AND inbox = :inbox");
constexpr Statement kPastSequence(
    "SELECT sequence FROM alfred_inbox_past_entries WHERE id = :id AND inbox = :inbox");
constexpr Statement kLast(
    "SELECT max(sequence) FROM alfred_inbox_entries WHERE inbox = :inbox AND acked_ms IS NULL");
constexpr Statement kAckItem(
    "UPDATE alfred_inbox_items SET acked_ms = :now WHERE id = :id AND acked_ms IS NULL");
constexpr Statement kAckEntry(
    "UPDATE alfred_inbox_entries SET acked_ms = :now WHERE id = :id AND acked_ms IS NULL");
constexpr Statement kAckItemsThrough(
    "UPDATE alfred_inbox_items SET acked_ms = :now WHERE acked_ms IS NULL AND id IN "
    "(SELECT item FROM alfred_inbox_entries WHERE inbox = :inbox AND sequence <= :sequence "
    "AND acked_ms IS NULL AND kind = 'item')");
constexpr Statement kAckEntriesThrough(
    "UPDATE alfred_inbox_entries SET acked_ms = :now WHERE inbox = :inbox "
    "AND sequence <= :sequence AND acked_ms IS NULL AND kind = 'item'");
constexpr Statement kThreadsThrough(
    "SELECT thread, max(through_place) FROM alfred_inbox_entries WHERE inbox = :inbox "
    "AND sequence <= :sequence AND acked_ms IS NULL AND thread IS NOT NULL GROUP BY thread "
    "ORDER BY thread");
constexpr Statement kAckThread(
    "UPDATE alfred_inbox_items SET acked_ms = :now, acked_revision = "
    "(SELECT revision FROM alfred_inbox_threads t WHERE t.id = :thread) "
    "WHERE thread = :thread AND thread_place <= :through AND acked_ms IS NULL");
constexpr Statement kFirstUnacked(
    "SELECT min(thread_place) FROM alfred_inbox_items "
    "WHERE thread = :thread AND acked_ms IS NULL");
constexpr Statement kAckSnapshots(
    "UPDATE alfred_inbox_entries SET acked_ms = :now WHERE thread = :thread "
    "AND acked_ms IS NULL AND through_place < :first RETURNING id, is_superseded");
// Written, so that a flush at the same time is one before or after this ack.
constexpr Statement kThread(
    "UPDATE alfred_inbox_threads SET revision = revision WHERE id = :thread "
    "RETURNING last_place, flushed_place");
constexpr Statement kCloseThread(
    "UPDATE alfred_inbox_threads SET is_open = 0, flush_ms = NULL WHERE id = :thread");

struct Acked {
  std::int64_t entries = 0;
  bool made_entry = false;
  std::string named{};  // counts even when it is superseded
};

// Acks a thread's items up to a place and brings its snapshots in line (R1, R3, R5).
void ack_thread(Sql& sql, const std::string& thread, std::int64_t through, Acked& acked) {
  const std::int64_t items =
      sql.change(kAckThread, {{"now", sql.now_ms()}, {"thread", thread}, {"through", through}});
  const std::optional<Row> row = sql.first(kThread, {{"thread", thread}});
  if (items == 0 || !row) return;
  const std::int64_t last = number_at(*row, 0);
  const std::int64_t flushed = number_at(*row, 1);
  const std::optional<Row> left = sql.first(kFirstUnacked, {{"thread", thread}});
  const std::int64_t first = left && !is_null_at(*left, 0) ? number_at(*left, 0) : last + 1;
  for (const Row& one :
       sql.all(kAckSnapshots, {{"now", sql.now_ms()}, {"thread", thread}, {"first", first}}))
    if (number_at(one, 1) == 0 || text_at(one, 0) == acked.named) ++acked.entries;
  if (first > last) {
    sql.all(kCloseThread, {{"thread", thread}});
  } else if (first <= flushed) {
    write_snapshot(sql, thread, flushed);
    acked.made_entry = true;
  }
}

void ack_one(Sql& sql, const std::string& inbox, const std::string& entry, Acked& acked) {
  const std::optional<Row> row = sql.first(kEntry, {{"id", entry}, {"inbox", inbox}});
  if (!row) return;
  if (is_null_at(*row, 0)) {
    acked.named = entry;
    ack_thread(sql, text_at(*row, 1), number_at(*row, 2), acked);
    return;
  }
  sql.change(kAckItem, {{"now", sql.now_ms()}, {"id", text_at(*row, 0)}});
  acked.entries += sql.change(kAckEntry, {{"now", sql.now_ms()}, {"id", entry}});
}

void ack_through(Sql& sql, const std::string& inbox, std::int64_t sequence, Acked& acked) {
  const Sql::Binds upto{{"inbox", inbox}, {"sequence", sequence}, {"now", sql.now_ms()}};
  const std::vector<Row> threads =
      sql.all(kThreadsThrough, {{"inbox", inbox}, {"sequence", sequence}});
  sql.change(kAckItemsThrough, upto);
  acked.entries += sql.change(kAckEntriesThrough, upto);
  for (const Row& row : threads) ack_thread(sql, text_at(row, 0), number_at(row, 1), acked);
}

Result<std::vector<std::string>> read_ids(const Json& ids) {
  const JsonArray* const array = ids.if_array();
  if (array == nullptr || array->empty() || array->size() > kMostEntries)
    return fail(ErrorCode::schema, "entryIds is a list of 1 to 10000 ids.", "entryIds");
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const Json& one : *array) {
    if (!one.is_string()) return fail(ErrorCode::schema, "entryIds are texts.", "entryIds");
    const Result<std::string> id = id_text<IdKind::inbox_entry>(one.as_string());
    if (!id) return Unexpected(id.error());
    if (seen.insert(*id).second) out.push_back(*id);
  }
  return out;
}

Result<void> ack_asked(Sql& sql, const std::string& inbox, const AskedAck& asked, Acked& acked) {
  for (const std::string& entry : asked.entries) ack_one(sql, inbox, entry, acked);
  if (!asked.entries.empty()) return {};
  if (asked.through.empty()) {
    ack_through(sql, inbox, sql.number(kLast, {{"inbox", inbox}}), acked);
    return {};
  }
  const Result<std::int64_t> sequence = sequence_of(sql, inbox, asked.through);
  if (!sequence) return Unexpected(sequence.error());
  acked.named = asked.through;
  ack_through(sql, inbox, *sequence, acked);
  return {};
}

}  // namespace

Result<std::int64_t> sequence_of(Sql& sql, std::string_view inbox, std::string_view entry) {
  const Result<std::string> id = id_text<IdKind::inbox_entry>(entry);
  if (!id) return Unexpected(id.error());
  const Sql::Binds binds{{"id", *id}, {"inbox", text_value(inbox)}};
  std::optional<Row> row = sql.first(kSequence, binds);
  if (!row) row = sql.first(kPastSequence, binds);
  if (!row) return no_record("entry", *id, "Read the inbox for those there are.");
  return number_at(*row, 0);
}

Result<AskedAck> read_ack(const Json& request) {
  Fields fields(request, {"entryIds", "throughEntryId", "all"});
  const bool is_all = fields.maybe_flag("all").value_or(false);
  const int ways = (fields.has("entryIds") ? 1 : 0) + (fields.has("throughEntryId") ? 1 : 0) +
                   (fields.has("all") ? 1 : 0);
  if (ways != 1 || (fields.has("all") && !is_all))
    fields.refuse(ErrorCode::schema,
                  "Give exactly one of entryIds, throughEntryId and all (which is true).",
                  "entryIds", {"entryIds", "throughEntryId", "all"});
  AskedAck out;
  if (fields.has("throughEntryId")) out.through = fields.text("throughEntryId");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  if (const Json* const ids = fields.find("entryIds")) {
    Result<std::vector<std::string>> entries = read_ids(*ids);
    if (!entries) return Unexpected(entries.error());
    out.entries = std::move(*entries);
  }
  return out;
}

Result<Json> ack_entries(Sql& sql, const AgentPage& agent, const AskedAck& asked) {
  Acked acked;
  if (Result<void> done = ack_asked(sql, agent.inbox, asked, acked); !done)
    return Unexpected(done.error());
  if (acked.made_entry) raise_intents_of(sql, agent.active, 1);
  settle_intents(sql, agent);
  return JsonObject{{"acked", acked.entries}};
}

}  // namespace alfred::inbox
