#include "engine/reminders/wake_ups.h"

#include <array>

#include "base/json/json.h"

namespace alfred {
namespace {

constexpr Statement kPut(
    "INSERT INTO alfred_wake_ups (activation, session, owner, message, entries, made_ms) "
    "VALUES (:activation, :session, :owner, :message, :entries, :now) "
    "ON CONFLICT (activation) DO NOTHING");
constexpr Statement kFind(
    "SELECT activation, session, owner, message, entries, reply FROM alfred_wake_ups "
    "WHERE activation = :activation");
constexpr Statement kEnd(
    "UPDATE alfred_wake_ups SET reply = :reply WHERE activation = :activation AND reply IS NULL");
constexpr Statement kUnshown(
    "SELECT activation, session, owner, message, entries, reply FROM alfred_wake_ups "
    "WHERE owner = :owner AND shown_ms IS NULL AND reply IS NOT NULL "
    "ORDER BY made_ms, activation LIMIT 100");
constexpr Statement kShown(
    "UPDATE alfred_wake_ups SET shown_ms = :now WHERE activation = :activation");
constexpr Statement kOwner("SELECT owner FROM alfred_sessions WHERE id = :id");

std::string text_at(const Row& row, std::size_t at) {
  const auto* const text = std::get_if<std::string>(&row.at(at));
  return text == nullptr ? "" : *text;
}

WakeUp read_wake_up_row(const Row& row) {
  WakeUp out{.activation = text_at(row, 0),
             .session = text_at(row, 1),
             .user = text_at(row, 2),
             .message = text_at(row, 3)};
  const Result<Json> entries = parse_json(text_at(row, 4), JsonLimits::none());
  if (entries && entries->is_array())
    for (const Json& one : entries->get_array())
      if (one.is_string()) out.entries.emplace_back(one.get_string());
  if (!is_null(row.at(5))) out.reply = text_at(row, 5);
  return out;
}

Result<std::vector<Row>> read_rows_of(StateStore& state, const Statement& statement,
                                      const Param& param) {
  std::vector<Row> out;
  const Result<void> read = state.read({}, [&](Tx& tx) -> Result<void> {
    Result<std::vector<Row>> rows = tx.run(statement, std::span(&param, 1));
    if (!rows) return Unexpected(rows.error());
    out = std::move(*rows);
    return {};
  });
  if (!read) return Unexpected(read.error());
  return out;
}

Result<void> write_once(StateStore& state, const Statement& statement, Params params) {
  const Result<std::string> done =
      state.write({std::nullopt, "", {}}, [&](Tx& tx) -> Result<std::string> {
        if (const auto rows = tx.run(statement, params); !rows) return Unexpected(rows.error());
        return std::string();
      });
  if (!done) return Unexpected(done.error());
  return {};
}

}  // namespace

Result<WakeUp> put_wake_up(StateStore& state, const WakeUp& wake_up, std::int64_t now_ms) {
  JsonArray entries;
  for (const std::string& one : wake_up.entries) entries.emplace_back(one);
  const std::array<Param, 6> params{Param{"activation", wake_up.activation},
                                    Param{"session", wake_up.session},
                                    Param{"owner", wake_up.user},
                                    Param{"message", wake_up.message},
                                    Param{"entries", write_json(entries)},
                                    Param{"now", now_ms}};
  if (Result<void> put = write_once(state, kPut, params); !put) return Unexpected(put.error());
  Result<std::optional<WakeUp>> kept = find_wake_up(state, wake_up.activation);
  if (!kept) return Unexpected(kept.error());
  if (!*kept) return fail(ErrorCode::bug, "A wake-up that was written down is not there.");
  return std::move(**kept);
}

Result<std::optional<WakeUp>> find_wake_up(StateStore& state, const std::string& activation) {
  const auto rows = read_rows_of(state, kFind, {"activation", activation});
  if (!rows) return Unexpected(rows.error());
  if (rows->empty()) return std::optional<WakeUp>();
  return std::optional(read_wake_up_row(rows->front()));
}

Result<void> end_wake_up(StateStore& state, const std::string& activation,
                         const std::string& reply) {
  const std::array<Param, 2> params{Param{"reply", reply}, Param{"activation", activation}};
  return write_once(state, kEnd, params);
}

Result<std::vector<WakeUp>> unshown_wake_ups(StateStore& state, const std::string& user) {
  const auto rows = read_rows_of(state, kUnshown, {"owner", user});
  if (!rows) return Unexpected(rows.error());
  std::vector<WakeUp> out;
  for (const Row& row : *rows) out.push_back(read_wake_up_row(row));
  return out;
}

Result<void> mark_shown(StateStore& state, const std::string& activation, std::int64_t now_ms) {
  const std::array<Param, 2> params{Param{"now", now_ms}, Param{"activation", activation}};
  return write_once(state, kShown, params);
}

Result<std::optional<std::string>> user_of_session(StateStore& state, const std::string& session) {
  const auto rows = read_rows_of(state, kOwner, {"id", session});
  if (!rows) return Unexpected(rows.error());
  if (rows->empty()) return std::optional<std::string>();
  return std::optional(text_at(rows->front(), 0));
}

}  // namespace alfred
