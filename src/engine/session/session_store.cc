#include "engine/session/session_store.h"

#include <array>
#include <charconv>

#include "base/ids/mint.h"
#include "base/utf8.h"

namespace alfred {
namespace {

constexpr std::array<Statement, 7> kNewest{
    Statement("CREATE TABLE alfred_sessions ("
              "id text PRIMARY KEY, workspace text NOT NULL, owner text NOT NULL, "
              "pack text NOT NULL, pack_fingerprint text NOT NULL, created_ms integer NOT NULL, "
              "updated_ms integer NOT NULL, title text NOT NULL)"),
    Statement("CREATE INDEX alfred_sessions_by_owner "
              "ON alfred_sessions (owner, updated_ms, id)"),
    Statement("CREATE TABLE alfred_turns ("
              "id text PRIMARY KEY, session text NOT NULL REFERENCES alfred_sessions (id), "
              "number integer NOT NULL, idempotency_key text, message text NOT NULL, "
              "status text NOT NULL, reply text NOT NULL, started_ms integer NOT NULL, "
              "ended_ms integer NOT NULL, "
              "UNIQUE (session, number), UNIQUE (session, idempotency_key))"),
    Statement("CREATE INDEX alfred_turns_running "
              "ON alfred_turns (started_ms, id) WHERE status = 'running'"),
    Statement("CREATE TABLE alfred_texts (digest text PRIMARY KEY, body text NOT NULL)"),
    Statement("CREATE TABLE alfred_prompts ("
              "id text PRIMARY KEY, session text NOT NULL REFERENCES alfred_sessions (id), "
              "turn text NOT NULL REFERENCES alfred_turns (id), ask integer NOT NULL, "
              "attempt integer NOT NULL, node text NOT NULL, step integer, "
              "system_digest text NOT NULL REFERENCES alfred_texts (digest), "
              "user_text text NOT NULL, "
              "schema_digest text NOT NULL REFERENCES alfred_texts (digest), "
              "facts text NOT NULL)"),
    Statement("CREATE INDEX alfred_prompts_by_turn ON alfred_prompts (turn, ask, attempt)"),
};
constexpr std::array<Statement, 1> kPromptsBySession{
    Statement("CREATE INDEX alfred_prompts_by_session ON alfred_prompts (session)"),
};
constexpr auto kFirst = joined(kNewest, kPromptsBySession);
// Nobody looks for prompts but by their turn, and every commit of a turn wrote a page of it.
constexpr std::array<Statement, 1> kFewerIndexes{
    Statement("DROP INDEX alfred_prompts_by_session"),
};
constexpr std::array<Migration, 2> kMigrations{Migration{1, kFirst}, Migration{2, kFewerIndexes}};

constexpr Statement kMake(
    "INSERT INTO alfred_sessions "
    "(id, workspace, owner, pack, pack_fingerprint, created_ms, updated_ms, title) "
    "VALUES (:id, :workspace, :owner, :pack, :fingerprint, :at, :at, '') "
    "ON CONFLICT (id) DO NOTHING RETURNING id");
constexpr Statement kFind(
    "SELECT id, workspace, owner, pack, pack_fingerprint, created_ms, updated_ms, title "
    "FROM alfred_sessions WHERE id = :id AND owner = :owner");
constexpr Statement kFirstPage(
    "SELECT id, workspace, owner, pack, pack_fingerprint, created_ms, updated_ms, title, "
    "(SELECT t.status FROM alfred_turns t WHERE t.session = alfred_sessions.id "
    "ORDER BY t.number DESC LIMIT 1) "
    "FROM alfred_sessions WHERE owner = :owner "
    "ORDER BY updated_ms DESC, id DESC LIMIT :most");
constexpr Statement kNextPage(
    "SELECT id, workspace, owner, pack, pack_fingerprint, created_ms, updated_ms, title, "
    "(SELECT t.status FROM alfred_turns t WHERE t.session = alfred_sessions.id "
    "ORDER BY t.number DESC LIMIT 1) "
    "FROM alfred_sessions WHERE owner = :owner AND (updated_ms, id) < (:at, :id) "
    "ORDER BY updated_ms DESC, id DESC LIMIT :most");

Value text(std::string_view value) { return Value(std::string(value)); }

Unexpected unreadable() {
  return fail(ErrorCode::corrupt, "A session's record cannot be read. The file was left as it is.");
}

Result<SessionRecord> read_record(const Row& row) {
  const Result<SessionId> id = SessionId::parse(std::get<std::string>(row[0]));
  if (!id) return unreadable();
  return SessionRecord{*id,
                       std::get<std::string>(row[1]),
                       std::get<std::string>(row[2]),
                       std::get<std::string>(row[3]),
                       std::get<std::string>(row[4]),
                       std::get<std::int64_t>(row[5]),
                       std::get<std::int64_t>(row[6]),
                       std::get<std::string>(row[7]),
                       row.size() > 8 && !is_null(row[8]) ? std::get<std::string>(row[8]) : ""};
}

// "1767578400000.ses_…": the last of the page before.
struct Cursor {
  std::int64_t at_ms = 0;
  SessionId id;
};
std::string cursor_text(const SessionRecord& last) {
  return std::to_string(last.updated_ms) + "." + std::string(last.id.view());
}
Result<Cursor> read_cursor(std::string_view given) {
  const std::size_t dot = std::min(given.find('.'), given.size());
  std::int64_t at_ms = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + dot, at_ms);
  const Result<SessionId> id = SessionId::parse(given.substr(std::min(dot + 1, given.size())));
  if (error != std::errc() || end != given.data() + dot || !id)
    return fail(ErrorCode::value, "Not a cursor. Use the one that the page before gave.", "cursor");
  return Cursor{at_ms, *id};
}

}  // namespace

StateTables session_tables() { return {"sessions", kMigrations, kNewest}; }

Result<SessionRecord> make_session(Tx& tx, const NewSession& session, std::int64_t at_ms,
                                   Random& random) {
  const auto try_insert = [&](const SessionId& id) -> Result<bool> {
    const std::string_view workspace = session.workspace.empty() ? id.view() : session.workspace;
    const std::array<Param, 6> params{Param{"id", text(id.view())},
                                      Param{"workspace", text(workspace)},
                                      Param{"owner", session.user},
                                      Param{"pack", session.pack},
                                      Param{"fingerprint", session.pack_fingerprint},
                                      Param{"at", at_ms}};
    const Result<std::vector<Row>> rows = tx.run(kMake, params);
    if (!rows) return Unexpected(rows.error());
    return !rows->empty();
  };
  const Result<SessionId> id = mint<IdKind::session>(random, try_insert);
  if (!id) return Unexpected(id.error());
  return find_session(tx, *id, session.user);
}

Result<SessionRecord> find_session(Tx& tx, const SessionId& id, std::string_view user) {
  const std::array<Param, 2> params{Param{"id", text(id.view())}, Param{"owner", text(user)}};
  const Result<std::vector<Row>> rows = tx.run(kFind, params);
  if (!rows) return Unexpected(rows.error());
  if (rows->empty())
    return fail(ErrorCode::session,
                "There is no session " + std::string(id.view()) + ". List those there are.",
                "session");
  return read_record(rows->front());
}

Result<SessionPage> list_sessions(Tx& tx, std::string_view user, std::int64_t most,
                                  std::string_view cursor) {
  // One more than asked for tells whether there is a next page.
  std::vector<Param> params{Param{"owner", text(user)}, Param{"most", most + 1}};
  if (!cursor.empty()) {
    const Result<Cursor> after = read_cursor(cursor);
    if (!after) return Unexpected(after.error());
    params.push_back(Param{"at", after->at_ms});
    params.push_back(Param{"id", text(after->id.view())});
  }
  const Result<std::vector<Row>> rows = tx.run(cursor.empty() ? kFirstPage : kNextPage, params);
  if (!rows) return Unexpected(rows.error());
  SessionPage page;
  for (const Row& row : *rows) {
    if (std::ssize(page.sessions) == most) {
      page.cursor = cursor_text(page.sessions.back());
      break;
    }
    Result<SessionRecord> record = read_record(row);
    if (!record) return Unexpected(record.error());
    page.sessions.push_back(std::move(*record));
  }
  return page;
}

}  // namespace alfred
