// The records of turns and of prompts (session_store.h).
#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/ids/mint.h"
#include "base/utf8.h"
#include "engine/session/session_store.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 4> kStatusNames{"running", "finished", "interrupted",
                                                       "failed"};
constexpr std::size_t kTitleBytes = 80;

constexpr Statement kPutTurn(
    "INSERT INTO alfred_turns (id, session, number, idempotency_key, message, status, reply, "
    "started_ms, ended_ms) VALUES (:id, :session, :number, :key, :message, 'running', '', :at, 0) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kUse(
    "UPDATE alfred_sessions SET updated_ms = :at, "
    "title = CASE WHEN title = '' THEN :title ELSE title END WHERE id = :id");
constexpr Statement kEndTurn(
    "UPDATE alfred_turns SET status = :status, reply = :reply, ended_ms = :at "
    "WHERE id = :id AND status = 'running' RETURNING session");
constexpr Statement kTurnOfKey(
    "SELECT id, session, number, idempotency_key, message, status, reply, started_ms, ended_ms "
    "FROM alfred_turns WHERE session = :session AND idempotency_key = :key");
constexpr Statement kTurns(
    "SELECT id, session, number, idempotency_key, message, status, reply, started_ms, ended_ms "
    "FROM alfred_turns WHERE session = :session AND number > :after ORDER BY number LIMIT :most");
constexpr Statement kRunning(
    "SELECT t.id, t.session, t.number, t.idempotency_key, t.message, t.status, t.reply, "
    "t.started_ms, t.ended_ms, s.owner FROM alfred_turns t JOIN alfred_sessions s "
    "ON s.id = t.session WHERE t.status = 'running' ORDER BY t.started_ms, t.id LIMIT :most");
constexpr Statement kPutText(
    "INSERT INTO alfred_texts (digest, body) VALUES (:digest, :body) "
    "ON CONFLICT (digest) DO NOTHING");
constexpr Statement kPutPrompt(
    "INSERT INTO alfred_prompts (id, session, turn, ask, attempt, node, step, system_digest, "
    "user_text, schema_digest, facts) VALUES (:id, :session, :turn, :ask, :attempt, :node, :step, "
    ":system, :user, :schema, :facts) ON CONFLICT (id) DO NOTHING");
constexpr Statement kPrompts(
    "SELECT p.id, p.session, p.turn, p.ask, p.attempt, p.node, p.step, s.body, p.user_text, "
    "c.body, p.facts FROM alfred_prompts p JOIN alfred_texts s ON s.digest = p.system_digest "
    "JOIN alfred_texts c ON c.digest = p.schema_digest "
    "WHERE p.turn = :turn ORDER BY p.ask, p.attempt, p.id");

Value text(std::string_view value) { return Value(std::string(value)); }

Unexpected unreadable() {
  return fail(ErrorCode::corrupt, "A turn's record cannot be read. The file was left as it is.");
}

std::optional<std::string> optional_text(const Value& value) {
  return is_null(value) ? std::nullopt : std::optional(std::get<std::string>(value));
}

Result<TurnRecord> read_turn(const Row& row) {
  const Result<TurnId> id = TurnId::parse(std::get<std::string>(row[0]));
  const Result<SessionId> session = SessionId::parse(std::get<std::string>(row[1]));
  if (!id || !session) return unreadable();
  TurnRecord turn{*id,
                  *session,
                  std::get<std::int64_t>(row[2]),
                  optional_text(row[3]),
                  std::get<std::string>(row[4]),
                  TurnStatus::running,
                  std::get<std::string>(row[6]),
                  std::get<std::int64_t>(row[7]),
                  std::get<std::int64_t>(row[8])};
  for (std::size_t i = 0; i < kStatusNames.size(); ++i) {
    if (kStatusNames[i] != std::get<std::string>(row[5])) continue;
    turn.status = static_cast<TurnStatus>(i);
    return turn;
  }
  return unreadable();
}

Result<std::vector<TurnRecord>> read_turn_rows(const Result<std::vector<Row>>& rows) {
  if (!rows) return Unexpected(rows.error());
  std::vector<TurnRecord> turns;
  for (const Row& row : *rows) {
    Result<TurnRecord> turn = read_turn(row);
    if (!turn) return Unexpected(turn.error());
    turns.push_back(std::move(*turn));
  }
  return turns;
}

// The first line, as far as it goes.
std::string title_of(std::string_view message) {
  const std::size_t start = std::min(message.find_first_not_of(" \t\r\n"), message.size());
  message.remove_prefix(start);
  message = message.substr(0, std::min(message.find_first_of("\r\n"), message.size()));
  return std::string(cut_utf8(message, kTitleBytes));
}

Result<void> use_session(Tx& tx, std::string_view session, std::string_view title,
                         std::int64_t at_ms) {
  const std::array<Param, 3> params{Param{"id", text(session)}, Param{"title", text(title)},
                                    Param{"at", at_ms}};
  if (const auto used = tx.execute(kUse, params); !used) return Unexpected(used.error());
  return {};
}

// System prompts and schemas come again and again, and comparing them is cheaper than a digest. The
// first are those that came last: what comes again stays, whatever comes once.
const std::string& digest_of_text(const std::string& body) {
  struct Known {
    std::string body{};
    std::string digest{};
  };
  thread_local std::array<Known, 24> last{};
  const auto found = std::find_if(last.begin(), last.end(), [&](const Known& one) {
    return one.body == body && !one.digest.empty();
  });
  if (found == last.end()) last.back() = {body, content_digest(body)};
  const auto end = found == last.end() ? last.end() : found + 1;
  std::rotate(last.begin(), end - 1, end);
  return last.front().digest;
}

Result<std::string> put_text(Tx& tx, KeptTexts* kept, const std::string& body) {
  std::string digest = digest_of_text(body);
  if (kept != nullptr && kept->has(digest)) return digest;
  const std::array<Param, 2> params{Param{"digest", digest}, Param{"body", body}};
  if (const auto rows = tx.run(kPutText, params); !rows) return Unexpected(rows.error());
  if (kept != nullptr) kept->note(digest);
  return digest;
}

Result<PromptRecord> read_prompt(const Row& row) {
  const Result<PromptId> id = PromptId::parse(std::get<std::string>(row[0]));
  const Result<SessionId> session = SessionId::parse(std::get<std::string>(row[1]));
  const Result<TurnId> turn = TurnId::parse(std::get<std::string>(row[2]));
  if (!id || !session || !turn) return unreadable();
  PromptRecord prompt{*id,
                      *session,
                      *turn,
                      static_cast<std::uint32_t>(std::get<std::int64_t>(row[3])),
                      static_cast<std::uint32_t>(std::get<std::int64_t>(row[4])),
                      std::get<std::string>(row[5]),
                      std::nullopt,
                      std::get<std::string>(row[7]),
                      std::get<std::string>(row[8]),
                      std::get<std::string>(row[9]),
                      std::get<std::string>(row[10])};
  if (!is_null(row[6])) prompt.step = static_cast<std::uint32_t>(std::get<std::int64_t>(row[6]));
  return prompt;
}

}  // namespace

std::string storable_text(std::string_view given) {
  std::string out;
  for (const char c : given) {
    if (c == '\0')
      out += "\xEF\xBF\xBD";
    else
      out += c;
  }
  return out;
}

std::string_view turn_status_name(TurnStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

Result<TurnRecord> put_turn(Tx& tx, const NewTurn& turn, std::int64_t at_ms, Random& random) {
  const std::string message = storable_text(turn.message);
  const auto try_insert = [&](const TurnId& id) -> Result<bool> {
    const std::array<Param, 6> params{
        Param{"id", text(id.view())}, Param{"session", text(turn.session.view())},
        Param{"number", turn.number}, Param{"key", turn.key ? Value(*turn.key) : Value()},
        Param{"message", message},    Param{"at", at_ms}};
    const Result<std::uint64_t> put = tx.execute(kPutTurn, params);
    if (!put) return Unexpected(put.error());
    return *put > 0;
  };
  Result<TurnId> id = turn.id ? Result<TurnId>(*turn.id) : mint<IdKind::turn>(random, try_insert);
  if (turn.id) {
    const Result<bool> inserted = try_insert(*turn.id);
    if (!inserted) return Unexpected(inserted.error());
    if (!*inserted) id = no_free_id(IdKind::turn, 1);
  }
  if (!id) return Unexpected(id.error());
  const std::string title = title_of(message);
  if (Result<void> used = use_session(tx, turn.session.view(), title, at_ms); !used)
    return Unexpected(used.error());
  TurnRecord made{.id = *id, .session = turn.session, .number = turn.number, .key = turn.key};
  made.message = message;
  made.started_ms = at_ms;
  return made;
}

Result<void> end_turn(Tx& tx, const TurnId& id, TurnStatus status, std::string_view reply,
                      std::int64_t at_ms) {
  const std::array<Param, 4> params{Param{"id", text(id.view())},
                                    Param{"status", text(turn_status_name(status))},
                                    Param{"reply", storable_text(reply)}, Param{"at", at_ms}};
  const Result<std::vector<Row>> rows = tx.run(kEndTurn, params);
  if (!rows) return Unexpected(rows.error());
  if (rows->empty()) return fail(ErrorCode::bug, "A turn was ended that was not running.");
  return use_session(tx, std::get<std::string>(rows->front().front()), "", at_ms);
}

Result<std::optional<TurnRecord>> find_turn(Tx& tx, const SessionId& session, std::string_view key,
                                            std::string_view message) {
  const std::array<Param, 2> params{Param{"session", text(session.view())},
                                    Param{"key", text(key)}};
  Result<std::vector<TurnRecord>> turns = read_turn_rows(tx.run(kTurnOfKey, params));
  if (!turns) return Unexpected(turns.error());
  if (turns->empty()) return std::optional<TurnRecord>();
  if (turns->front().message != storable_text(message))
    return fail(ErrorCode::op_reused, "This key was used for another message. Use a new one.",
                "idempotency_key");
  return std::optional(std::move(turns->front()));
}

Result<std::vector<TurnRecord>> read_turns(Tx& tx, const SessionId& session,
                                           std::int64_t after_number, std::int64_t most) {
  const std::array<Param, 3> params{Param{"session", text(session.view())},
                                    Param{"after", after_number}, Param{"most", most}};
  return read_turn_rows(tx.run(kTurns, params));
}

Result<std::vector<LeftTurn>> running_turns(Tx& tx, std::int64_t most) {
  const std::array<Param, 1> params{Param{"most", most}};
  const Result<std::vector<Row>> rows = tx.run(kRunning, params);
  if (!rows) return Unexpected(rows.error());
  std::vector<LeftTurn> left;
  for (const Row& row : *rows) {
    Result<TurnRecord> turn = read_turn(row);
    if (!turn) return Unexpected(std::move(turn).error());
    left.push_back({std::move(*turn), std::get<std::string>(row[9])});
  }
  return left;
}

Result<PromptId> put_prompt(Tx& tx, const PromptPlace& place, const Ask& ask, Random& random) {
  const Result<std::string> system = put_text(tx, place.texts, ask.system);
  if (!system) return Unexpected(system.error());
  const Result<std::string> schema =
      put_text(tx, place.texts, ask.schema_json.empty() ? "null" : ask.schema_json);
  if (!schema) return Unexpected(schema.error());
  std::array<Param, 11> params{Param{"id", {}},
                               Param{"session", text(place.session.view())},
                               Param{"turn", text(place.turn.view())},
                               Param{"ask", std::int64_t{ask.id}},
                               Param{"attempt", std::int64_t{ask.attempt}},
                               Param{"node", text(name_of(ask.node))},
                               Param{"step", ask.step ? Value(std::int64_t{*ask.step}) : Value()},
                               Param{"system", *system},
                               Param{"user", ask.user},
                               Param{"schema", *schema},
                               Param{"facts", ask.facts_json}};
  const auto try_insert = [&](const PromptId& id) -> Result<bool> {
    params[0].value = text(id.view());
    const Result<std::uint64_t> put = tx.execute(kPutPrompt, params);
    if (!put) return Unexpected(put.error());
    return *put > 0;
  };
  if (!place.id) return mint<IdKind::prompt>(random, try_insert);
  const Result<bool> inserted = try_insert(*place.id);
  if (!inserted) return Unexpected(inserted.error());
  if (!*inserted) return no_free_id(IdKind::prompt, 1);
  return *place.id;
}

Result<std::vector<PromptRecord>> read_prompts(Tx& tx, const TurnId& turn) {
  const std::array<Param, 1> params{Param{"turn", text(turn.view())}};
  const Result<std::vector<Row>> rows = tx.run(kPrompts, params);
  if (!rows) return Unexpected(rows.error());
  std::vector<PromptRecord> prompts;
  for (const Row& row : *rows) {
    Result<PromptRecord> prompt = read_prompt(row);
    if (!prompt) return Unexpected(prompt.error());
    prompts.push_back(std::move(*prompt));
  }
  return prompts;
}

}  // namespace alfred
