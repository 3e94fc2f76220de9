#include "engine/reminders/session_waker.h"

#include "base/time/iso_time.h"
#include "base/time/time_zone.h"
#include "context/prompt_guard.h"
#include "contracts/wake_up.h"
#include "engine/session/turn_hold.h"

namespace alfred {
namespace {

constexpr std::string_view kKeyHead = "wake-up ";

WakeOutcome not_now(const Error& error) {
  if (error.code == ErrorCode::turn_open || error.code == ErrorCode::turn_moved ||
      error.code == ErrorCode::busy)
    return {WakeOutcome::Kind::busy, error.message};
  return {WakeOutcome::Kind::failed, error.message};
}

// 2026-02-28 17:05, on the clock of a zone.
std::string local_time(std::int64_t ms, const std::string& zone) {
  const std::optional<TimeZone> place = TimeZone::load(zone);
  const std::int64_t offset = place ? place->offset_at(ms / 1000) : 0;
  std::string text = rfc3339_utc(ms + offset * 1000).substr(0, 16);
  text[10] = ' ';
  return text;
}

std::string text_of(const JsonObject& object, std::string_view name) {
  const Json* const value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

WakeEntry entry_of(const JsonObject& item, const std::string& zone) {
  WakeEntry out{.kind = text_of(item, "eventVariant")};
  const Json* const payload = item.if_contains("rawPayload");
  std::string at = text_of(item, "occurredAt");
  if (payload != nullptr && payload->is_object()) {
    out.text = text_of(payload->get_object(), "message");
    if (const std::string due = text_of(payload->get_object(), "nominalAt"); !due.empty()) at = due;
  }
  if (out.text.empty() && payload != nullptr) out.text = write_json(*payload);
  out.when = local_time(iso_instant_ms(at).value_or(0), zone);
  return out;
}

// What came in, without anybody's words around it (R4).
std::string plain_text(const WakeUp& wake_up) {
  std::string out;
  for (const WakeEntry& entry : read_wake_up(wake_up.message))
    out += (out.empty() ? "" : "\n") + std::string(entry.kind == "timer" ? "Reminder" : "Came in") +
           " (" + entry.when + "): " + entry.text;
  return out;
}

}  // namespace

WakeOutcome SessionWaker::wake(const WakeRequest& request) {
  StateStore& state = world_.place.state();
  const Result<std::optional<std::string>> user = user_of_session(state, request.address);
  if (!user) return not_now(user.error());
  if (!*user) return {WakeOutcome::Kind::gone, "There is no such session."};
  const std::shared_ptr<void> taken = world_.take ? world_.take(request.address) : nullptr;
  if (world_.take && !taken) return {WakeOutcome::Kind::busy, "A turn is running."};
  const Result<TurnHold> held = hold_turns(world_.place, request.address, 0);
  if (!held) return not_now(held.error());
  const Result<std::shared_ptr<Interpreter>> interpreter = world_.interpreter();
  if (!interpreter) return not_now(interpreter.error());
  const auto session = open(request.address, **user, **interpreter);
  if (!session) return not_now(session.error());
  const Result<WakeUp> wake_up = write_down(request, **user, **session);
  if (!wake_up) return not_now(wake_up.error());
  const Result<std::string> reply = run(**session, **interpreter, *wake_up);
  if (!reply) return not_now(reply.error());
  if (Result<void> ended = end(request, *wake_up, *reply); !ended) return not_now(ended.error());
  return {};
}

Result<std::unique_ptr<Session>> SessionWaker::open(const std::string& session,
                                                    const std::string& user,
                                                    const Interpreter& interpreter) {
  RecordPlace place = world_.place;
  if (!user.empty()) place.caller.user = user;
  place.workspace.user = user;
  SessionOptions options;
  options.id = session;
  options.secrets = world_.secrets;
  options.zone = world_.zone;
  options.tuning = world_.tuning;
  options.whole_facts = interpreter.needs_whole_facts();
  return Session::open(std::move(place), std::move(options), world_.clock, world_.random);
}

Result<WakeUp> SessionWaker::write_down(const WakeRequest& request, const std::string& user,
                                        const Session& session) {
  WakeUp out{.activation = request.activation, .session = request.address, .user = user};
  const std::string zone = world_.zone.empty() ? session.state().facts.settings.zone : world_.zone;
  std::vector<WakeEntry> entries;
  if (const JsonArray* const given = request.entries.if_array())
    for (const Json& entry : *given) {
      out.entries.emplace_back(entry.at("entryId").as_string());
      for (const Json& item : entry.at("items").as_array())
        entries.push_back(entry_of(item.as_object(), zone));
    }
  out.message = without_secrets(wake_up_message(entries), world_.secrets);
  return put_wake_up(world_.place.state(), out, world_.clock.wall_ms());
}

// The turn's reply, or what stands for it.
Result<std::string> SessionWaker::run(Session& session, Interpreter& interpreter,
                                      const WakeUp& wake_up) {
  if (wake_up.reply) return *wake_up.reply;
  const std::string key = std::string(kKeyHead) + wake_up.activation;
  Result<TurnProgress> progress = session.wake(wake_up.message, key);
  if (!progress) return Unexpected(std::move(progress).error());
  if (!progress->is_finished) {
    const Result<TurnProgress> driven = run_turn(session, interpreter, *progress);
    if (!driven || !driven->is_finished)
      if (const auto given_up = session.cancel(); !given_up) return Unexpected(given_up.error());
  }
  std::optional<TurnRecord> turn;
  const auto read = session.records().read_state([&](Tx& tx) -> Result<void> {
    Result<std::optional<TurnRecord>> found =
        find_turn(tx, session.record().id, key, wake_up.message);
    if (!found) return Unexpected(found.error());
    turn = std::move(*found);
    return {};
  });
  if (!read) return Unexpected(read.error());
  const bool is_told = turn && turn->status == TurnStatus::finished && !turn->reply.empty();
  return is_told ? turn->reply : plain_text(wake_up);
}

Result<void> SessionWaker::end(const WakeRequest& request, const WakeUp& wake_up,
                               const std::string& reply) {
  if (Result<void> ended = end_wake_up(world_.place.state(), wake_up.activation, reply); !ended)
    return ended;
  JsonArray entries;
  for (const std::string& one : wake_up.entries) entries.emplace_back(one);
  if (entries.empty()) return {};
  const Result<Json> acked =
      world_.inbox.ack(request.agent, JsonObject{{"entryIds", std::move(entries)}});
  if (!acked) return Unexpected(acked.error());
  return {};
}

}  // namespace alfred
