// Sessions, their turns and the prompts that were sent for them: the records beside a workspace's
// journal that people list, look at and ask again for.
//
// R1 a user sees their own sessions only; one of somebody else looks unknown (`session`).
// R2 a turn that is started again with the key it had is the turn it was, whatever became of it; with another
//    message the key is refused (`op_reused`).
// R3 texts that come again and again (system prompts, schemas) are stored once, by their content.
// R4 lists are pages; none looks at other users' sessions or at other sessions' turns.
// R5 every statement runs in the caller's transaction: a turn's record is written with the moves it tells of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/random.h"
#include "contracts/ask.h"
#include "engine/session/kept_texts.h"
#include "storage/store.h"

namespace alfred {

using SessionId = ShortId<IdKind::session>;
using TurnId = ShortId<IdKind::turn>;
using PromptId = ShortId<IdKind::prompt>;

struct SessionRecord {
  SessionId id;
  std::string workspace;  // its name; its own is called as the session
  std::string user;       // empty: nobody in particular
  std::string pack;
  std::string pack_fingerprint;
  std::int64_t created_ms = 0;
  std::int64_t updated_ms = 0;
  std::string title;          // from the first message; empty: none yet
  std::string last_status{};  // of its last turn, in a list; empty: none, or not asked for
};
struct NewSession {
  std::string workspace{};  // empty: its own
  std::string user{};
  std::string pack{};
  std::string pack_fingerprint{};
};
struct SessionPage {
  std::vector<SessionRecord> sessions;  // the last used first
  std::string cursor;                   // of the next page; empty: this was the last
};

enum class TurnStatus : std::uint8_t { running, finished, interrupted, failed };
std::string_view turn_status_name(TurnStatus status);

struct TurnRecord {
  TurnId id;
  SessionId session;
  std::int64_t number = 0;
  std::optional<std::string> key{};  // the caller's, for asking again
  std::string message{};
  TurnStatus status = TurnStatus::running;
  std::string reply{};
  std::int64_t started_ms = 0;
  std::int64_t ended_ms = 0;  // 0: not yet
};
struct NewTurn {
  SessionId session;
  std::int64_t number = 0;
  std::optional<std::string> key{};
  std::string message{};
  std::optional<TurnId> id{};  // none: a new one. One that is taken is an error `storage`
};

// An ask as it went out. Its texts are whole here, whatever they are stored as.
struct PromptRecord {
  PromptId id;
  SessionId session;
  TurnId turn;
  std::uint32_t ask = 0;
  std::uint32_t attempt = 1;
  std::string node;
  std::optional<std::uint32_t> step;
  std::string system;
  std::string user;
  std::string schema;  // canonical JSON
  std::string facts;   // canonical JSON
};

StateTables session_tables();

Result<SessionRecord> make_session(Tx& tx, const NewSession& session, std::int64_t at_ms,
                                   Random& random);
Result<SessionRecord> find_session(Tx& tx, const SessionId& id, std::string_view user);
// most: of one page. The error for a cursor that is none is `value`.
Result<SessionPage> list_sessions(Tx& tx, std::string_view user, std::int64_t most,
                                  std::string_view cursor = {});

// Stores it as running, and the session as used; the first gives the session its title.
Result<TurnRecord> put_turn(Tx& tx, const NewTurn& turn, std::int64_t at_ms, Random& random);
// PostgreSQL holds no NUL in a text; both databases hold the same.
std::string storable_text(std::string_view given);
Result<void> end_turn(Tx& tx, const TurnId& id, TurnStatus status, std::string_view reply,
                      std::int64_t at_ms);
// What was started with this key, if anything (R2).
Result<std::optional<TurnRecord>> find_turn(Tx& tx, const SessionId& session, std::string_view key,
                                            std::string_view message);
Result<std::vector<TurnRecord>> read_turns(Tx& tx, const SessionId& session,
                                           std::int64_t after_number, std::int64_t most);
// What a stop left running in any session of anybody, oldest first: for the sweep on starting.
struct LeftTurn {
  TurnRecord turn;
  std::string user{};
};
Result<std::vector<LeftTurn>> running_turns(Tx& tx, std::int64_t most);

struct PromptPlace {
  SessionId session;
  TurnId turn;
  std::optional<PromptId> id{};  // none: minted
  KeptTexts* texts = nullptr;    // null: none is known to be there
};
Result<PromptId> put_prompt(Tx& tx, const PromptPlace& place, const Ask& ask, Random& random);
// In the order they went out.
Result<std::vector<PromptRecord>> read_prompts(Tx& tx, const TurnId& turn);

}  // namespace alfred
