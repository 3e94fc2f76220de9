#include "engine/session/audit.h"

#include <limits>
#include <map>

#include "context/prompt_guard.h"
#include "contracts/wake_up.h"
#include "engine/journal/journal.h"
#include "engine/journal/workspace.h"
#include "refs/hiding/literal_mask.h"
#include "turn/prompt/show.h"

namespace alfred {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
constexpr const char* kMissing = "The journal names it, and it is not there.";
constexpr const char* kUnnamed = "The journal does not name it.";
constexpr const char* kSecret = "It holds a secret of this installation.";

// Goes through the journal once more, so that every text is held against the keys that were known
// when it was made: a word that only later turned out to be a piece of a key was no leak.
class Auditor {
 public:
  explicit Auditor(Session& session)
      : session_(session),
        own_words_(session.world().schema, &session.world().texts),
        guard_(state_.registry, session.world().secrets, &own_words_) {}

  Result<AuditReport> run() {
    const auto read = [&](Tx& tx) { return sweep(tx); };
    if (Result<void> swept = session_.records().read_state(read); !swept)
      return Unexpected(std::move(swept).error());
    return std::move(report_);
  }

 private:
  Result<void> sweep(Tx& tx) {
    const WorkspaceId& workspace = session_.records().workspace().id();
    const Result<JournalHead> head = verify_journal(tx, workspace);
    if (!head) return Unexpected(head.error());
    report_.entries = head->place;
    if (Result<void> read = read_texts(tx); !read) return read;
    Result<std::optional<StoredSnapshot>> stored = stored_snapshot(tx, workspace);
    if (!stored) return Unexpected(std::move(stored).error());
    snapshot_ = std::move(*stored);
    const Result<std::vector<JournalEntry>> entries = read_journal(tx, workspace, 0);
    if (!entries) return Unexpected(entries.error());
    for (const JournalEntry& entry : *entries)
      if (Result<void> looked = look_at(entry); !looked) return looked;
    check_rest();
    return {};
  }

  // What the journal does not name was put there by somebody else. The turn that is running has
  // no reply yet.
  void check_rest() {
    const std::optional<RunningTurn>& running = state_.facts.running;
    if (running) check_turn(running->turn, TurnStatus::running, "");
    while (!prompts_.empty()) {
      const auto& [id, prompt] = *prompts_.begin();
      find(prompt.turn, id, kUnnamed);
      check_prompt(AskMade{.prompt = id});
    }
    while (!turns_.empty()) {
      const auto& [number, turn] = *turns_.begin();
      find(number, std::string(turn.id.view()), kUnnamed);
      check_turn(number, turn.status, turn.reply);
    }
  }

  Result<void> read_texts(Tx& tx) {
    Result<std::vector<TurnRecord>> turns = read_turns(tx, session_.record().id, 0, kAll);
    if (!turns) return Unexpected(turns.error());
    for (TurnRecord& turn : *turns) {
      Result<std::vector<PromptRecord>> prompts = read_prompts(tx, turn.id);
      if (!prompts) return Unexpected(prompts.error());
      for (PromptRecord& prompt : *prompts) {
        std::string id(prompt.id.view());
        prompts_.emplace(std::move(id), Prompt{turn.number, std::move(prompt)});
      }
      turns_.emplace(turn.number, std::move(turn));
    }
    return {};
  }

  Result<void> look_at(const JournalEntry& entry) {
    const Result<Changes> changes = read_changes(entry.changes);
    if (!changes) return Unexpected(changes.error());
    for (const Change& change : *changes)
      if (Result<void> applied = apply_change(state_, change); !applied) return applied;
    if (holds_secret(entry.changes))
      find(state_.facts.turn, "entry " + std::to_string(entry.place), kSecret);
    for (const Change& change : *changes) {
      if (const auto* started = std::get_if<TurnStarted>(&change)) check_message(*started);
      if (const auto* made = std::get_if<AskMade>(&change)) check_prompt(*made);
      if (const auto* done = std::get_if<CallDone>(&change)) check_result(done->result);
      if (std::holds_alternative<TurnFailed>(change)) has_failed_ = true;
      if (const auto* ended = std::get_if<TurnEnded>(&change)) check_end(*ended);
    }
    return check_snapshot(entry);
  }

  // What the snapshot says is what the journal comes to at its place.
  Result<void> check_snapshot(const JournalEntry& entry) {
    if (!snapshot_ || snapshot_->at.place != entry.place) return {};
    const Result<SessionState> stored = read_session(snapshot_->state);
    if (!stored) return Unexpected(stored.error());
    if (snapshot_->at.hash != entry.hash || write_session(*stored) != write_session(state_))
      find(state_.facts.turn, "the snapshot", "It is not what the journal comes to.");
    return {};
  }

  void check_message(const TurnStarted& started) {
    has_failed_ = false;
    const auto found = turns_.find(started.turn);
    if (found == turns_.end() || found->second.id.view() != started.id)
      return find(started.turn, started.id, kMissing);
    const Result<std::string> said = LiteralMask::restore(state_.registry, started.message);
    if (!said || *said != found->second.message)
      find(started.turn, started.id, "Its message is not the one that the journal has.");
    if (holds_secret(found->second.message)) find(started.turn, started.id, kSecret);
  }

  void check_end(const TurnEnded& ended) {
    const std::vector<ConversationTurn>& recent = state_.facts.conversation.recent;
    check_turn(state_.facts.turn,
               ended.is_interrupted ? TurnStatus::interrupted
               : has_failed_        ? TurnStatus::failed
                                    : TurnStatus::finished,
               recent.empty() ? "" : recent.back().reply);
  }

  void check_result(const ToolResult& result) {
    ++report_.results;
    const std::string name = "call " + std::to_string(result.call);
    if (result.answer) check(state_.facts.turn, name, write_json(*result.answer));
    if (result.error) check(state_.facts.turn, name, result.error->message);
  }

  void check_prompt(const AskMade& made) {
    const auto found = prompts_.extract(made.prompt);
    if (found.empty()) return find(state_.facts.turn, made.prompt, kMissing);
    ++report_.prompts;
    const auto& [turn, prompt] = found.mapped();
    if (made.digest &&
        *made.digest != prompt_digest({prompt.system, prompt.user, prompt.schema, prompt.facts}))
      find(turn, found.key(), "It is not what was sent: the journal vouches for another text.");
    for (const std::string* text : {&prompt.system, &prompt.user, &prompt.schema, &prompt.facts})
      check(turn, found.key(), *text);
  }

  void check_turn(std::int64_t number, TurnStatus status, std::string_view reply) {
    const auto found = turns_.extract(number);
    if (found.empty()) return;  // said when it began
    ++report_.replies;
    const TurnRecord& turn = found.mapped();
    const std::string id(turn.id.view());
    if (turn.status != status)
      find(number, id,
           "It is recorded as " + std::string(turn_status_name(turn.status)) +
               ", and by the journal it is " + std::string(turn_status_name(status)) + ".");
    if (turn.reply != reply) find(number, id, "Its reply is not the one that the journal has.");
    check(number, id, turn.reply);
  }

  void find(std::int64_t turn, std::string record, std::string what) {
    report_.findings.push_back({turn, std::move(record), std::move(what)});
  }
  bool holds_secret(std::string_view text) const {
    return without_secrets(text, session_.world().secrets) != text;
  }

  void check(std::int64_t turn, const std::string& record, std::string_view text) {
    const Result<void> passed = guard_.check(text, record);
    if (!passed) find(turn, record, passed.error().message);
  }

  struct Prompt {
    std::int64_t turn = 0;
    PromptRecord record;
  };
  Session& session_;
  SessionState state_;
  OwnWords own_words_;
  PromptGuard guard_;
  AuditReport report_;
  std::optional<StoredSnapshot> snapshot_{};
  bool has_failed_ = false;                   // the turn that is gone through
  std::map<std::string, Prompt> prompts_;     // not checked yet
  std::map<std::int64_t, TurnRecord> turns_;  // not checked yet
};

Json parsed(std::string_view text) {
  Result<Json> json = parse_json(text, JsonLimits::none());
  return json ? std::move(*json) : Json();
}

// Without what the registry holds of keys.
bool is_about_keys(const Json& change) {
  const JsonObject* object = change.if_object();
  return object != nullptr && object->contains("refs") &&
         object->at("change") == Json("refs_changed");
}

}  // namespace

Json turn_json(const TurnRecord& turn) {
  JsonObject out{{"id", turn.id.view()},
                 {"number", turn.number},
                 {"status", turn_status_name(turn.status)},
                 {"message", turn.message},
                 {"reply", turn.reply},
                 {"started_ms", turn.started_ms},
                 {"ended_ms", turn.ended_ms}};
  if (turn.key) out["key"] = *turn.key;
  if (is_wake_up(turn.message)) out["is_wake_up"] = true;
  return out;
}

Json prompt_json(const PromptRecord& prompt) {
  JsonObject out{{"id", prompt.id.view()},
                 {"turn", prompt.turn.view()},
                 {"ask", prompt.ask},
                 {"attempt", prompt.attempt},
                 {"node", prompt.node},
                 {"system", prompt.system},
                 {"user", prompt.user},
                 {"schema", parsed(prompt.schema)},
                 {"facts", parsed(prompt.facts)}};
  if (prompt.step) out["step"] = *prompt.step;
  return out;
}

Json journal_entry_json(const JournalEntry& entry) {
  JsonArray changes;
  const Json all_changes = parsed(entry.changes);
  for (const Json& change : all_changes.as_array())
    if (!is_about_keys(change)) changes.push_back(change);
  return JsonObject{{"place", entry.place},
                    {"at_ms", entry.at_ms},
                    {"hash", entry.hash},
                    {"changes", std::move(changes)}};
}

Result<AuditReport> audit(Session& session) { return Auditor(session).run(); }

Result<Json> export_session(Session& session) {
  JsonArray turns;
  JsonArray prompts;
  JsonArray journal;
  const auto read = [&](Tx& tx) -> Result<void> {
    const Result<std::vector<TurnRecord>> all = read_turns(tx, session.record().id, 0, kAll);
    if (!all) return Unexpected(all.error());
    for (const TurnRecord& turn : *all) {
      turns.push_back(turn_json(turn));
      const Result<std::vector<PromptRecord>> sent = read_prompts(tx, turn.id);
      if (!sent) return Unexpected(sent.error());
      for (const PromptRecord& one : *sent) prompts.push_back(prompt_json(one));
    }
    const auto entries = read_journal(tx, session.records().workspace().id(), 0);
    if (!entries) return Unexpected(entries.error());
    for (const JournalEntry& entry : *entries) journal.push_back(journal_entry_json(entry));
    return {};
  };
  if (Result<void> done = session.records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  const SessionRecord& record = session.record();
  return Json(JsonObject{{"session", JsonObject{{"id", record.id.view()},
                                                {"title", record.title},
                                                {"pack", record.pack},
                                                {"created_ms", record.created_ms},
                                                {"updated_ms", record.updated_ms}}},
                         {"turns", std::move(turns)},
                         {"prompts", std::move(prompts)},
                         {"journal", std::move(journal)},
                         {"state", to_json(session.state().facts)}});
}

Result<SessionPage> sessions_of(RecordPlace& place, std::int64_t most, std::string_view cursor) {
  SessionPage page;
  const auto read = [&](Tx& tx) -> Result<void> {
    Result<SessionPage> found = list_sessions(tx, place.caller.user.value_or(""), most, cursor);
    if (!found) return Unexpected(std::move(found).error());
    page = std::move(*found);
    return {};
  };
  if (Result<void> done = place.state().read(place.caller, read); !done)
    return Unexpected(std::move(done).error());
  return page;
}

Result<std::vector<TurnRecord>> turns_of(Session& session) {
  std::vector<TurnRecord> turns;
  const auto read = [&](Tx& tx) -> Result<void> {
    Result<std::vector<TurnRecord>> all = read_turns(tx, session.record().id, 0, kAll);
    if (!all) return Unexpected(std::move(all).error());
    turns = std::move(*all);
    return {};
  };
  if (Result<void> done = session.records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  return turns;
}

}  // namespace alfred
