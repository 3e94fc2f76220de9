#include "engine/reminders/reminders.h"

#include <array>

#include "base/digest.h"
#include "base/time/iso_time.h"
#include "base/utf8.h"
#include "engine/session/session_store.h"
#include "inbox/timer/session_timers.h"
#include "records/record_keys.h"

namespace alfred {
namespace {

constexpr std::size_t kMessageBytes = 1'000;

constexpr std::array<Statement, 3> kTables{
    Statement("CREATE TABLE alfred_reminders (subject text PRIMARY KEY, timer text NOT NULL)"),
    // Turns that nobody typed: what they were about, and whether somebody saw what came of it.
    Statement("CREATE TABLE alfred_wake_ups ("
              "activation text PRIMARY KEY, session text NOT NULL, owner text NOT NULL, "
              "message text NOT NULL, entries text NOT NULL, reply text, "
              "made_ms integer NOT NULL, shown_ms integer)"),
    Statement("CREATE INDEX alfred_wake_ups_unshown ON alfred_wake_ups (owner, made_ms) "
              "WHERE shown_ms IS NULL"),
};
constexpr std::array<Migration, 1> kMigrations{Migration{1, kTables}};

constexpr Statement kFind("SELECT timer FROM alfred_reminders WHERE subject = :subject");
constexpr Statement kForget("DELETE FROM alfred_reminders WHERE subject = :subject");
constexpr Statement kKeep(
    "INSERT INTO alfred_reminders (subject, timer) VALUES (:subject, :timer)");

// What a row's timer is kept under. It tells nothing of the key.
std::string subject_of(const RowEffect& effect) {
  JsonArray key{effect.table->name};
  for (const Value& value : RecordKeys::values(*effect.table, effect.key)) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      key.emplace_back(*integer);
    else if (const auto* text = std::get_if<std::string>(&value))
      key.emplace_back(*text);
  }
  return content_digest(write_json(key));
}

const Value* cell(const RowEffect& effect, const std::optional<Row>& row, std::string_view field) {
  if (!row || field.empty()) return nullptr;
  for (std::size_t i = 0; i < effect.table->fields.size() && i < row->size(); ++i)
    if (effect.table->fields[i].name == field) return &(*row)[i];
  return nullptr;
}

std::string text_in(const Value* value) {
  const auto* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? "" : *text;
}

bool is_true(const Value* value) {
  if (value == nullptr) return false;
  if (const auto* flag = std::get_if<bool>(value)) return *flag;
  const auto* const number = std::get_if<std::int64_t>(value);
  return number != nullptr && *number != 0;
}

// What a row says of its reminder.
struct Wanted {
  std::optional<std::int64_t> at_ms{};
  std::string text{};
  friend bool operator==(const Wanted&, const Wanted&) = default;
};
Wanted wanted_of(const RowEffect& effect, const std::optional<Row>& row, const PackEntity& entity) {
  Wanted out;
  if (!row || is_true(cell(effect, row, entity.timer_unless))) return out;
  out.at_ms = iso_instant_ms(text_in(cell(effect, row, entity.timer)));
  if (!out.at_ms) return out;
  out.text = std::string(cut_utf8(text_in(cell(effect, row, effect.table->label)), kMessageBytes));
  if (out.text.find_first_not_of(" \t\r\n") == std::string::npos) out.text = effect.table->ref;
  return out;
}

class Keeper {
 public:
  Keeper(Tx& tx, const ReminderWorld& world)
      : tx_(tx), world_(world), sql_(tx, world.random, world.clock.wall_ms()) {}

  Result<void> keep(const RowEffect& effect) {
    const PackEntity* const entity =
        effect.table == nullptr ? nullptr : world_.pack.find(effect.table->name);
    if (entity == nullptr || entity->timer.empty()) return {};
    const Wanted before = wanted_of(effect, effect.before, *entity);
    const Wanted after = wanted_of(effect, effect.after, *entity);
    if (before == after) return {};
    const std::string subject = subject_of(effect);
    if (Result<void> dropped = drop(subject); !dropped) return dropped;
    if (!after.at_ms || *after.at_ms < sql_.now_ms() - kReminderGraceMs) return {};
    return make(subject, after);
  }

  // R5.
  Result<void> adopt(const RowEffect& effect, const PackEntity& entity) {
    const Wanted wanted = wanted_of(effect, effect.after, entity);
    if (!wanted.at_ms || *wanted.at_ms <= sql_.now_ms()) return {};
    const std::string subject = subject_of(effect);
    const std::optional<Row> known = sql_.first(kFind, {{"subject", subject}});
    if (Result<void> good = sql_.result(); !good || known) return good;
    return make(subject, wanted);
  }

 private:
  Result<void> make(const std::string& subject, const Wanted& after) {
    const Result<std::string> session = session_to_wake();
    if (!session) return Unexpected(session.error());
    const auto timer = inbox::add_session_timer(sql_, {*session, after.text, *after.at_ms});
    if (!timer) return Unexpected(timer.error());
    sql_.all(kKeep, {{"subject", subject}, {"timer", *timer}});
    return sql_.result();
  }

  Result<void> drop(const std::string& subject) {
    const std::optional<Row> known = sql_.first(kFind, {{"subject", subject}});
    if (!known) return sql_.result();
    sql_.all(kForget, {{"subject", subject}});
    return inbox::drop_session_timer(sql_, inbox::text_at(*known, 0));
  }

  // R2.
  Result<std::string> session_to_wake() {
    if (const Result<SessionId> own = SessionId::parse(world_.workspace)) return world_.workspace;
    const Result<SessionPage> last = list_sessions(tx_, world_.user, 1);
    if (!last) return Unexpected(last.error());
    if (!last->sessions.empty()) return std::string(last->sessions.front().id.view());
    const NewSession made{"", world_.user, world_.pack.name, world_.pack.fingerprint};
    const Result<SessionRecord> session =
        make_session(tx_, made, world_.clock.wall_ms(), world_.random);
    if (!session) return Unexpected(session.error());
    return std::string(session->id.view());
  }

  Tx& tx_;
  const ReminderWorld& world_;
  inbox::Sql sql_;
};

}  // namespace

namespace {

// The table's rows whose timer is still to come.
Result<std::vector<Row>> coming_rows(Tx& tx, const Table& table, const Field& timer,
                                     std::int64_t now_ms) {
  SelectRows plan{.table = &table, .limit = kMostAdopted};
  for (const Field& field : table.fields) plan.fields.push_back(&field);
  plan.where = {.kind = Condition::Kind::compare,
                .field = &timer,
                .op = CompareOp::gt,
                .values = {Value(rfc3339_utc(now_ms))}};
  plan.order = {{&timer, false}};
  return tx.select(plan);
}

}  // namespace

StateTables reminder_tables() { return {"reminders", kMigrations}; }

Result<void> keep_reminders(Tx& tx, const ReminderWorld& world,
                            std::span<const RowEffect> effects) {
  Keeper keeper(tx, world);
  for (const RowEffect& effect : effects)
    if (Result<void> kept = keeper.keep(effect); !kept) return kept;
  return {};
}

Result<void> adopt_reminders(Tx& tx, const ReminderWorld& world, const Schema& schema) {
  Keeper keeper(tx, world);
  for (const PackEntity& entity : world.pack.entities) {
    const Table* const table = entity.timer.empty() ? nullptr : schema.find(entity.table);
    const Field* const timer = table == nullptr ? nullptr : table->find(entity.timer);
    if (timer == nullptr) continue;
    const Result<std::vector<Row>> rows = coming_rows(tx, *table, *timer, world.clock.wall_ms());
    if (!rows) return Unexpected(rows.error());
    std::vector<const Field*> fields;
    fields.reserve(table->fields.size());
    for (const Field& field : table->fields) fields.push_back(&field);
    for (const Row& row : *rows) {
      Result<RecordKey> key = RecordKeys::of_row(*table, fields, row);
      if (!key) return Unexpected(std::move(key).error());
      const RowEffect effect{
          .table = table, .key = std::move(*key), .item = {}, .before = {}, .after = row};
      if (Result<void> kept = keeper.adopt(effect, entity); !kept) return kept;
    }
  }
  return {};
}

}  // namespace alfred
