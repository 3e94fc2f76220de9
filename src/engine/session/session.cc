#include "engine/session/session.h"

#include <limits>
#include <map>
#include <utility>

#include "base/check.h"
#include "context/prompt_guard.h"
#include "contracts/wake_up.h"
#include "engine/journal/journal.h"
#include "engine/journal/make_workspace.h"
#include "engine/reminders/reminders.h"
#include "engine/session/turn_steps.h"

namespace alfred {
namespace {

Unexpected no_session() {
  return fail(ErrorCode::session,
              "There is no session of this id. `alfred session list` shows yours.", "session");
}

// The session's record, made when it is new, with its workspace.
Result<SessionRecord> record_of(RecordPlace& place, const SessionOptions& options,
                                const Clock& clock, Random& random) {
  const std::string user = place.caller.user.value_or("");
  std::optional<SessionRecord> record;
  if (!options.id.empty()) {
    const Result<SessionId> id = SessionId::parse(options.id);
    if (!id) return no_session();
    const auto find = [&](Tx& tx) -> Result<void> {
      Result<SessionRecord> found = find_session(tx, *id, user);
      if (!found) return Unexpected(std::move(found).error());
      record = std::move(*found);
      return {};
    };
    if (Result<void> read = place.state().read(place.caller, find); !read)
      return Unexpected(std::move(read).error());
    return *std::move(record);
  }
  const NewSession made{"", user, place.pack->name, place.pack->fingerprint};
  const auto make = [&](Tx& tx) -> Result<std::string> {
    Result<SessionRecord> session = make_session(tx, made, clock.wall_ms(), random);
    if (!session) return Unexpected(std::move(session).error());
    record = std::move(*session);
    WorkspaceName name = place.workspace;
    name.name = record->workspace;
    if (Result<void> own = make_workspace(tx, name, clock); !own) return Unexpected(own.error());
    const ReminderWorld reminding{*place.pack, std::string(record->id.view()), user, clock, random};
    if (place.is_shared())
      if (Result<void> adopted = adopt_reminders(tx, reminding, *place.schema); !adopted)
        return Unexpected(std::move(adopted).error());
    return std::string(record->id.view());
  };
  const WriteCall call{OpId::random(random), "make a session", place.caller};
  if (const auto written = place.state().write(call, make); !written)
    return Unexpected(written.error());
  return *std::move(record);
}

}  // namespace

Session::Session(SessionRecord record, std::unique_ptr<RecordService> service,
                 SessionOptions options, Ports ports)
    : record_(std::move(record)),
      id_(record_.id.view()),
      service_(std::move(service)),
      texts_(std::move(options.tuning.texts), service_->pack()),
      world_{service_->pack(), service_->schema(), texts_, compiler(*service_),
             std::move(options.secrets)},
      ports_(ports),
      zone_(std::move(options.zone)),
      whole_facts_(options.whole_facts),
      caller_answers_(options.caller_answers),
      settings_(std::move(options.tuning.settings)) {}

Result<std::unique_ptr<Session>> Session::open(RecordPlace place, SessionOptions options,
                                               const Clock& clock, Random& random) {
  Result<SessionRecord> record = record_of(place, options, clock, random);
  if (!record) return Unexpected(std::move(record).error());
  place.workspace.name = record->workspace;
  Result<std::unique_ptr<RecordService>> service =
      RecordService::open(std::move(place), clock, random);
  if (!service) return Unexpected(std::move(service).error());
  return std::unique_ptr<Session>(new Session(std::move(*record), std::move(*service),
                                              std::move(options), Ports{clock, random}));
}

Result<TurnProgress> Session::move(SessionSteps& steps) {
  Result<TurnMove> moved = service_->move(steps);
  if (!moved) {
    kept_texts_.forget();
    return Unexpected(std::move(moved).error());
  }
  kept_texts_.commit();
  TurnProgress out{.asks = std::move(moved->asks), .is_finished = moved->is_finished};
  if (const std::optional<RunningTurn>& running = state().facts.running) {
    out.turn = running->id;
    return out;
  }
  if (const SessionSteps::Ended* const ended = steps.ended()) {
    out.turn = ended->turn;
    out.reply = ended->reply;
    return out;
  }
  const Result<std::optional<TurnRecord>> last = last_turn();
  if (!last) return Unexpected(last.error());
  ALFRED_CHECK(last->has_value(), "a move belongs to a turn");
  out.turn = std::string((*last)->id.view());
  out.reply = (*last)->reply;
  return out;
}

StepWorld Session::step_world() {
  return {record_.id, world_, ports_.clock, ports_.random, kept_texts_};
}

Result<std::optional<TurnRecord>> Session::last_turn() {
  std::optional<TurnRecord> out;
  const auto read = [&](Tx& tx) -> Result<void> {
    const std::int64_t number = state().facts.turn;
    Result<std::vector<TurnRecord>> turns = read_turns(tx, record_.id, number - 1, 1);
    if (!turns) return Unexpected(std::move(turns).error());
    if (!turns->empty()) out = std::move(turns->front());
    return {};
  };
  if (Result<void> done = service_->read_state(read); !done)
    return Unexpected(std::move(done).error());
  return out;
}

Result<TurnProgress> Session::start(const std::string& typed, const std::string& key) {
  // R7: what begins like a wake-up and was typed begins with a space.
  return begin((is_wake_up(typed) ? " " : "") + typed, key);
}

Result<TurnProgress> Session::wake(const std::string& message, const std::string& key) {
  return begin(message, key);
}

Result<TurnProgress> Session::begin(const std::string& given, const std::string& key) {
  const std::string message = without_secrets(given, world_.secrets);  // R6
  if (!key.empty()) {
    std::optional<TurnRecord> known;
    const auto find = [&](Tx& tx) -> Result<void> {
      Result<std::optional<TurnRecord>> found = find_turn(tx, record_.id, key, message);
      if (!found) return Unexpected(std::move(found).error());
      known = std::move(*found);
      return {};
    };
    if (Result<void> read = service_->read_state(find); !read)
      return Unexpected(std::move(read).error());
    if (known && known->status == TurnStatus::running) return resume();
    if (known)
      return TurnProgress{
          .turn = std::string(known->id.view()), .is_finished = true, .reply = known->reply};
  }
  StartSteps steps(step_world(), message, key, new_settings());
  return move(steps);
}

std::optional<SessionSettings> Session::new_settings() const {
  SessionSettings wanted = state().facts.settings;
  wanted.edition = kEdition;
  for (const auto& [setting, value] : settings_) wanted.*setting = value;
  if (!zone_.empty()) wanted.zone = zone_;
  if (whole_facts_) wanted.whole_facts = *whole_facts_;
  wanted.caller_answers = caller_answers_ ? std::optional(true) : std::nullopt;
  return wanted;
}

Result<TurnProgress> Session::answer(const Answer& answer) {
  Answer kept = answer;
  kept.text = without_secrets(answer.text, world_.secrets);  // R6
  AnswerSteps steps(step_world(), std::move(kept));
  return move(steps);
}

bool Session::waits_for_caller() const {
  return state().facts.running && state().facts.settings.caller_answers.value_or(false);
}

bool Session::has_facts_for_running_turn() const {
  const bool is_running = state().facts.running.has_value();
  return !is_running || !whole_facts_.value_or(false) || state().facts.settings.whole_facts;
}

Result<TurnProgress> Session::resume() {
  if (!has_facts_for_running_turn())
    return fail(
        ErrorCode::turn_moved,
        "This turn was begun for a model, and its asks hold no rows for an interpreter that "
        "answers from these. Go on with the interpreter it began with (\"caller\" takes "
        "answers), or cancel it and say it again.",
        "interpreter");
  ResumeSteps steps(step_world());
  return move(steps);
}

Result<TurnProgress> Session::cancel() {
  CancelSteps steps(step_world());
  return move(steps);
}

Result<Recording> Session::recording() {
  Recording out;
  std::map<std::string, std::string, std::less<>> messages;
  std::map<std::string, SentPrompt, std::less<>> prompts;
  const auto read = [&](Tx& tx) -> Result<void> {
    const Result<std::vector<JournalEntry>> entries =
        read_journal(tx, service_->workspace().id(), 0);
    if (!entries) return Unexpected(entries.error());
    for (const JournalEntry& entry : *entries) {
      Result<Changes> changes = read_changes(entry.changes);
      if (!changes) return Unexpected(std::move(changes).error());
      out.entries.push_back(std::move(*changes));
    }
    const Result<std::vector<TurnRecord>> turns =
        read_turns(tx, record_.id, 0, std::numeric_limits<std::int64_t>::max());
    if (!turns) return Unexpected(turns.error());
    for (const TurnRecord& turn : *turns) {
      messages.emplace(turn.id.view(), turn.message);
      Result<std::vector<PromptRecord>> sent = read_prompts(tx, turn.id);
      if (!sent) return Unexpected(std::move(sent).error());
      for (PromptRecord& one : *sent)
        prompts.emplace(one.id.view(), SentPrompt{std::move(one.system), std::move(one.user),
                                                  std::move(one.schema), std::move(one.facts)});
    }
    return {};
  };
  if (Result<void> done = service_->read_state(read); !done)
    return Unexpected(std::move(done).error());
  out.message = [messages =
                     std::move(messages)](std::string_view turn) -> std::optional<std::string> {
    const auto found = messages.find(turn);
    return found == messages.end() ? std::nullopt : std::optional(found->second);
  };
  out.prompt = [prompts =
                    std::move(prompts)](std::string_view prompt) -> std::optional<SentPrompt> {
    const auto found = prompts.find(prompt);
    return found == prompts.end() ? std::nullopt : std::optional(found->second);
  };
  return out;
}

}  // namespace alfred
