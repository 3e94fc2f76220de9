#include "surface/cli/chat/dialogue.h"

#include <fmt/format.h>

#include "base/files/file.h"
#include "contracts/wake_up.h"
#include "engine/session/audit.h"
#include "surface/cli/chat/state_pages.h"
#include "surface/cli/config/paths.h"
#include "surface/cli/terminal/signals.h"

namespace alfred::cli {
namespace {

constexpr std::int64_t kPage = 50;

}  // namespace

Result<std::string> last_session_of(const RecordPlace& place) {
  RecordPlace same = place;
  std::string cursor;
  do {
    const Result<SessionPage> page = sessions_of(same, kPage, cursor);
    if (!page) return Unexpected(page.error());
    for (const SessionRecord& one : page->sessions)
      if (one.pack == place.pack->name) return std::string(one.id.view());
    cursor = page->cursor;
  } while (!cursor.empty());
  return std::string();
}

Result<std::unique_ptr<Dialogue>> Dialogue::open(const DialogueWorld& world,
                                                 const WantedSession& wanted) {
  std::unique_ptr<Dialogue> out(new Dialogue(world));
  const Result<std::string> last = last_session_of(world.place);
  if (!last) return Unexpected(last.error());
  out->is_first_ = last->empty();
  const std::string& id = !wanted.id.empty() ? wanted.id : wanted.is_new ? "" : *last;
  if (Result<void> opened = out->open_session(id); !opened)
    return Unexpected(std::move(opened).error());
  return out;
}

Result<void> Dialogue::open_session(const std::string& id) {
  SessionOptions options;
  options.id = id;
  options.secrets = world_.secrets;
  options.tuning = world_.tuning;
  options.zone = system_zone(system_environment);
  options.whole_facts = world_.speaker.interpreter->needs_whole_facts();
  auto session =
      Session::open(world_.place, std::move(options), world_.ports.clock, world_.ports.random);
  if (!session) return Unexpected(std::move(session).error());
  session_ = std::move(*session);
  feed_ = std::make_unique<TurnFeed>(*session_);
  events_ = std::make_unique<EventWriter>(*session_);
  return {};
}

Result<void> Dialogue::begin_anew() { return open_session(""); }

// What cannot be read now is read by the next turn.
void Dialogue::catch_up() {
  (void)session_->records().catch_up();
  (void)feed_->news();
}

Interpreter& Dialogue::interpreter() {
  if (world_.record_path.empty()) return *world_.speaker.interpreter;
  if (!recording_) recording_ = std::make_unique<RecordingInterpreter>(*world_.speaker.interpreter);
  return *recording_;
}

// R5. Nothing: it was interrupted while it waited, or there is an error, which was told.
std::optional<TurnHold> Dialogue::hold_session() {
  constexpr int kLookMs = 200;  // how often a wait looks whether it is to end
  for (bool was_told = false; !is_interrupted() && !is_end_wanted();) {
    Result<TurnHold> hold = hold_turns(world_.place, session_->id(), kLookMs);
    if (hold) {
      catch_up();
      return std::move(*hold);
    }
    if (hold.error().code != ErrorCode::busy) {
      world_.screen.error(hold.error());
      return std::nullopt;
    }
    if (!was_told) world_.screen.note("Another alfred is at work in this session; waiting for it.");
    was_told = true;
  }
  return std::nullopt;
}

TurnEnd Dialogue::not_held() const {
  return is_interrupted() || is_end_wanted() ? TurnEnd::interrupted : TurnEnd::failed;
}

TurnEnd Dialogue::finish_open_turn() {
  if (!has_open_turn()) return TurnEnd::finished;
  const std::optional<TurnHold> held = hold_session();
  if (!held) return not_held();
  if (!has_open_turn()) return TurnEnd::finished;  // whoever was at it has ended it
  const RunningTurn& running = *session_->state().facts.running;
  if (is_wake_up(running.message)) return TurnEnd::finished;  // whoever is woken by it goes on
  world_.screen.note(
      fmt::format("Turn {} was cut off; going on with it: {}", running.turn, running.message));
  return drive(session_->resume());
}

TurnEnd Dialogue::say(const std::string& message) {
  const std::optional<TurnHold> held = hold_session();
  if (!held) return not_held();
  if (has_open_turn()) {
    const Result<TurnProgress> given_up = session_->cancel();
    if (!given_up) return end(given_up);
    show_news();
  }
  return drive(session_->start(message));
}

TurnEnd Dialogue::drive(Result<TurnProgress> progress) {
  told_reply_.clear();
  has_failed_ = false;
  was_interrupted_ = false;
  if (!progress) return end(progress);
  RunTurnOptions options;
  options.is_cancelled = [] { return is_interrupted(); };
  options.on_move = [&](const TurnProgress& move) { watch(move); };
  progress = run_turn(*session_, interpreter(), std::move(*progress), options);
  // An interpreter that was waked by Ctrl-C may have answered with an error.
  if (!progress && is_interrupted() && has_open_turn()) progress = session_->cancel();
  return end(progress);
}

void Dialogue::watch(const TurnProgress& progress) {
  show_news();
  if (!progress.is_finished) world_.screen.progress(progress_text(progress, session_->state()));
}

void Dialogue::show_news() {
  const Result<Changes> changes = feed_->news();
  if (!changes) return;  // the turn is what counts; its end is told in any case
  world_.screen.changes(*events_, *changes);
  for (const Change& change : *changes) {
    if (std::holds_alternative<TurnFailed>(change)) has_failed_ = true;
    if (const auto* ended = std::get_if<TurnEnded>(&change))
      was_interrupted_ = ended->is_interrupted;
  }
  for (const Change& change : *changes)
    if (const auto* replied = std::get_if<Replied>(&change)) tell(replied->text);
}

// What is said of a turn that was stopped is no reply to anybody.
void Dialogue::tell(const std::string& reply) {
  told_reply_ = reply;
  if (was_interrupted_)
    world_.screen.note(reply);
  else
    world_.screen.reply(reply);
}

TurnEnd Dialogue::end(const Result<TurnProgress>& progress) {
  show_news();
  record();
  world_.screen.settle();
  if (!progress) {
    world_.screen.error(progress.error());
    if (has_open_turn() && world_.is_attended)
      world_.screen.note("The turn is still open. Enter tries again; another message gives it up.");
    else if (has_open_turn() && session_->cancel())
      show_news();
    if (progress.error().code == ErrorCode::model)
      world_.screen.note(
          "`alfred doctor` looks at the endpoint; `alfred chat --interpreter rules` needs no model.");
    return TurnEnd::failed;
  }
  if (progress->reply != told_reply_) tell(progress->reply);
  if (was_interrupted_) return TurnEnd::interrupted;
  return has_failed_ ? TurnEnd::failed : TurnEnd::finished;
}

void Dialogue::record() {
  if (!recording_) return;
  const Result<void> written =
      write_file_atomically(world_.record_path, write_recording(recording_->answers()), 0600);
  if (!written) world_.screen.error(written.error());
}

}  // namespace alfred::cli
