#include "surface/cli/sessions/session_commands.h"

#include <charconv>
#include <ostream>

#include <fmt/format.h>

#include "base/time/iso_time.h"
#include "engine/open_place.h"
#include "engine/session/audit.h"
#include "engine/session/sweep.h"
#include "surface/cli/config/config.h"
#include "surface/cli/config/session_tuning.h"
#include "surface/cli/named_place.h"

namespace alfred::cli {
namespace {

constexpr std::int64_t kPage = 50;

Result<std::unique_ptr<Session>> session_in(const RecordPlace& place, const Arguments& arguments,
                                            Ports& ports, const std::string& id) {
  SessionOptions options;
  options.id = id;
  const Result<Config> config = Config::load(arguments, system_environment);
  if (!config) return Unexpected(config.error());
  Result<SessionTuning> tuning = session_tuning(*config);
  if (!tuning) return Unexpected(std::move(tuning).error());
  options.tuning = std::move(*tuning);
  // A key that cannot be read is said where it is needed: by the audit.
  if (Result<std::vector<std::string>> secrets = known_secrets(arguments, system_environment))
    options.secrets = std::move(*secrets);
  return Session::open(place, std::move(options), ports.clock, ports.random);
}

// The session that the arguments name.
Result<std::unique_ptr<Session>> session_of(const Arguments& arguments, const Streams& streams,
                                            Ports& ports) {
  const Result<RecordPlace> place = open_named_place(arguments, streams, ports);
  if (!place) return Unexpected(place.error());
  return session_in(*place, arguments, ports, arguments.text("session"));
}

Result<std::int64_t> minutes_of(const Arguments& arguments) {
  const std::string given = arguments.text("--waits");
  std::int64_t minutes = 60;
  const auto [end, wrong] = std::from_chars(given.data(), given.data() + given.size(), minutes);
  const bool is_number = wrong == std::errc() && end == given.data() + given.size();
  if (!given.empty() && (!is_number || minutes < 0 || minutes > 1'000'000))
    return fail(ErrorCode::usage, "Minutes are a number, 0 to 1000000.", "--waits");
  return minutes;
}

// What is to be said of a session whose last turn has not come to its end.
std::string mark_of(const SessionRecord& session) {
  const bool is_whole = session.last_status.empty() || session.last_status == "finished";
  return is_whole ? "" : fmt::format("  [last turn: {}]", session.last_status);
}

int run_list(const Arguments& arguments, const Streams& streams) {
  Ports ports;
  Result<RecordPlace> place = open_named_place(arguments, streams, ports);
  if (!place) return report(place.error(), streams.err);
  const Result<SessionPage> page = sessions_of(*place, kPage, arguments.text("--cursor"));
  if (!page) return report(page.error(), streams.err);
  for (const SessionRecord& one : page->sessions)
    streams.out << fmt::format("{}  {}  {}{}\n", one.id.view(), iso_date_of(one.updated_ms),
                               one.title, mark_of(one));
  if (page->sessions.empty()) streams.out << "There are no sessions yet.\n";
  if (!page->cursor.empty()) streams.out << "more: --cursor " << page->cursor << "\n";
  return kDone;
}

int run_recover(const Arguments& arguments, const Streams& streams) {
  Ports ports;
  Result<RecordPlace> place = open_named_place(arguments, streams, ports);
  if (!place) return report(place.error(), streams.err);
  const Result<std::int64_t> minutes = minutes_of(arguments);
  if (!minutes) return report(minutes.error(), streams.err);
  const auto open = [&](const std::string& user) -> Result<RecordPlace> {
    Result<PlaceOptions> options = named_place(arguments);
    if (!options) return Unexpected(std::move(options).error());
    options->user = user;
    return open_place(*options, ports.clock, ports.random);
  };
  SweepOptions options;
  options.waits_ms = *minutes * 60'000;
  const Result<Config> config = Config::load(arguments, system_environment);
  if (!config) return report(config.error(), streams.err);
  Result<SessionTuning> tuning = session_tuning(*config);
  if (!tuning) return report(tuning.error(), streams.err);
  options.tuning = std::move(*tuning);
  const auto swept = sweep_turns(*place, {open, ports.clock, ports.random}, options);
  if (!swept) return report(swept.error(), streams.err);
  int code = kDone;
  for (const SweptTurn& one : *swept) {
    streams.out << fmt::format("{} turn {}: {}{}\n", one.session, one.number, swept_name(one.end),
                               one.error.empty() ? "" : ": " + one.error);
    if (one.end == SweptTo::failed) code = kUnavailable;
  }
  if (swept->empty()) streams.out << "No turn was left running.\n";
  return code;
}

int run_show(const Arguments& arguments, const Streams& streams) {
  Ports ports;
  const auto session = session_of(arguments, streams, ports);
  if (!session) return report(session.error(), streams.err);
  const Result<std::vector<TurnRecord>> turns = turns_of(**session);
  if (!turns) return report(turns.error(), streams.err);
  for (const TurnRecord& turn : *turns)
    streams.out << fmt::format("## {} ({}, {})\n{}\n\n{}\n\n", turn.number, turn.id.view(),
                               turn_status_name(turn.status), turn.message, turn.reply);
  if (turns->empty()) streams.out << "Nothing was said yet.\n";
  return kDone;
}

int run_export(const Arguments& arguments, const Streams& streams) {
  Ports ports;
  const auto session = session_of(arguments, streams, ports);
  if (!session) return report(session.error(), streams.err);
  const Result<Json> json = export_session(**session);
  if (!json) return report(json.error(), streams.err);
  streams.out << write_json(*json) << "\n";
  return kDone;
}

int run_replay(const Arguments& arguments, const Streams& streams) {
  Ports ports;
  std::uint32_t last = 0;
  const std::string given = arguments.text("turn");
  const auto [end, wrong] = std::from_chars(given.data(), given.data() + given.size(), last);
  if (!given.empty() && (wrong != std::errc() || end != given.data() + given.size() || last == 0)) {
    const Unexpected error = fail(ErrorCode::usage, "A turn is a number from 1.", "turn");
    return report(error.value(), streams.err);
  }
  const auto session = session_of(arguments, streams, ports);
  if (!session) return report(session.error(), streams.err);
  const Result<Recording> recording = (*session)->recording();
  if (!recording) return report(recording.error(), streams.err);
  const Result<ReplayReport> done = replay(*recording, (*session)->world(), last);
  if (!done) {
    streams.out << done.error().detail << "\n";
    return report(done.error(), streams.err);
  }
  streams.out << fmt::format("{}: the same, byte for byte: {} turns, {} changes, {} prompts.\n",
                             (*session)->id(), done->turns, done->changes, done->prompts);
  return kDone;
}

Result<std::vector<std::string>> audited(const Arguments& arguments, RecordPlace& place) {
  std::vector<std::string> ids;
  if (arguments.has("session")) {
    ids.push_back(arguments.text("session"));
    return ids;
  }
  std::string cursor;
  do {
    const Result<SessionPage> page = sessions_of(place, kPage, cursor);
    if (!page) return Unexpected(page.error());
    for (const SessionRecord& one : page->sessions) ids.emplace_back(one.id.view());
    cursor = page->cursor;
  } while (!cursor.empty());
  return ids;
}

int run_audit(const Arguments& arguments, const Streams& streams) {
  Ports ports;
  if (const auto secrets = known_secrets(arguments, system_environment); !secrets)
    return report(secrets.error(), streams.err);
  Result<RecordPlace> place = open_named_place(arguments, streams, ports);
  if (!place) return report(place.error(), streams.err);
  const Result<std::vector<std::string>> ids = audited(arguments, *place);
  if (!ids) return report(ids.error(), streams.err);
  bool is_clean = true;
  for (const std::string& id : *ids) {
    const auto session = session_in(*place, arguments, ports, id);
    if (!session) return report(session.error(), streams.err);
    const Result<AuditReport> done = audit(**session);
    if (!done) return report(done.error(), streams.err);
    for (const AuditFinding& one : done->findings)
      streams.out << fmt::format("{} turn {}, {}: {}\n", (*session)->id(), one.turn, one.record,
                                 one.what);
    is_clean = is_clean && done->findings.empty();
    streams.out << fmt::format(
        "{}: {} journal entries chained; {} prompts, {} results, {} replies swept; {}.\n",
        (*session)->id(), done->entries, done->prompts, done->results, done->replies,
        done->findings.empty() ? std::string("clean")
                               : fmt::format("{} findings", done->findings.size()));
  }
  if (ids->empty()) streams.out << "There are no sessions yet.\n";
  return is_clean ? kDone : kBadInput;
}

std::vector<Parameter> with_place(std::vector<Parameter> parameters) {
  parameters.push_back({"--db", "URL", "The database; when not given, the embedded pack"});
  parameters.push_back({"--pack", "DIR", "The pack that describes it"});
  parameters.push_back({"--user", "NAME", "Whose sessions; me when not given"});
  return parameters;
}

}  // namespace

std::vector<Command> session_commands() {
  const Parameter session{"session", "SESSION", "Its id, such as ses_7k2f9m3qw1bx", true};
  const Parameter prompts{"--prompts", "DIR", "A folder with prompts of your own"};
  return {
      {"session", "list", "Print your sessions, the last used first",
       with_place({{"--cursor", "CURSOR", "Where the page before ended"}}), run_list},
      {"session", "recover",
       "Finish what a stop cut off in running turns, and end those that nobody answers",
       with_place({{"--waits", "MINUTES", "How long a turn may wait for its caller; 60"}}),
       run_recover},
      {"session", "show", "Print what was said in a session", with_place({session}), run_show},
      {"session", "export", "Print all of a session as JSON: turns, prompts, journal, state",
       with_place({session}), run_export, true},
      {"", "replay", "Run a recorded session again, without a model, and compare every byte",
       with_place({session, {"turn", "TURN", "Up to this turn; all when not given"}, prompts}),
       run_replay},
      {"", "audit", "Sweep prompts, results and replies for keys, and check the journal's chain",
       with_place({{"session", "SESSION", "Its id; all of yours when not given"}, prompts}),
       run_audit},
  };
}

}  // namespace alfred::cli
