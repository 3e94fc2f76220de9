#include "surface/cli/inbox/inbox_commands.h"

#include "inbox/wake/tmux.h"
#include "inbox/wake/webhook.h"
#include "surface/cli/inbox/inbox_call.h"
#include "surface/cli/inbox/inbox_groups.h"

namespace alfred::cli {
namespace {

Result<Json> read(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.entries(
      arguments.text("agent"),
      {arguments.text("--after"), arguments.has("--include-acked"), limit_of(arguments)});
}

Result<Json> ack(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request = texts_of(arguments, {{"--through", "throughEntryId"}});
  if (arguments.has("--all")) request["all"] = true;
  if (arguments.has("--entry")) {
    JsonArray ids;
    for (const std::string& id : arguments.all("--entry")) ids.push_back(Json(id));
    request["entryIds"] = std::move(ids);
  }
  if (request.size() != 1)
    return fail(ErrorCode::usage, "Give one of --entry, --through and --all.", "--entry");
  return inbox.ack(arguments.text("agent"), request);
}

Result<Json> send(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.send(arguments.text("agent"),
                    texts_of(arguments, {{"--message", "message"}, {"--sender", "sender"}}));
}

Result<Json> policy(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request;
  if (arguments.has("--on")) request["enabled"] = true;
  if (arguments.has("--off")) request["enabled"] = false;
  for (const auto& [name, field] :
       {std::pair{"--window-ms", "windowMs"}, std::pair{"--max-items", "maxItems"},
        std::pair{"--max-thread-age-ms", "maxThreadAgeMs"}})
    if (Result<void> read = add_number(request, field, arguments, name); !read)
      return Unexpected(read.error());
  if (request.empty()) return inbox.policy(arguments.text("agent"));
  return inbox.set_policy(arguments.text("agent"), request);
}

Result<Json> dead(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.dead(page_of(arguments));
}
Result<Json> collect(Inbox& inbox, const Arguments&, const Streams&) { return inbox.gc(); }
Result<Json> compact(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return arguments.has("agent") ? inbox.compact(arguments.text("agent")) : inbox.gc();
}
// People are shown the counts and what happened last; programs everything.
Result<Json> status(Inbox& inbox, const Arguments& arguments, const Streams&) {
  Result<Json> all = inbox.status();
  if (!all || arguments.has("--json")) return all;
  return JsonObject{{"counts", all->at("counts")},
                    {"recentActivations", all->at("recentActivations")},
                    {"recentDeliveries", all->at("recentDeliveries")}};
}

Result<Json> run_due(Inbox& inbox, const Arguments&, const Streams&) {
  const Result<Json> pumped = inbox.pump();
  WebhookWaker webhook;
  TmuxWaker tmux;
  // Timers and wake-ups do not wait for a stream that cannot go on.
  Result<Json> done = inbox.run_due({.webhook = &webhook, .terminal = &tmux});
  if (!pumped) return Unexpected(pumped.error());
  return done;
}

Result<Json> add_timer(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.add_timer(texts_of(arguments, {{"agent", "agentId"},
                                              {"--message", "message"},
                                              {"--at", "at"},
                                              {"--every", "every"},
                                              {"--cron", "cron"},
                                              {"--timezone", "timezone"},
                                              {"--sender", "sender"}}));
}
Result<Json> list_timers(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.timers(arguments.text("--agent"), page_of(arguments));
}
Result<Json> pause_timer(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.pause_timer(arguments.text("timer"));
}
Result<Json> resume_timer(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.resume_timer(arguments.text("timer"));
}
Result<Json> remove_timer(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.remove_timer(arguments.text("timer"));
}

std::vector<Command> own_commands() {
  const Parameter agent{"agent", "AGENT", "Its id, such as agt_copper-fox", true};
  return {
      {"inbox", "read", "Print an agent's entries, the oldest first",
       with_page({agent, {"--include-acked", "", "And those that are acked"}}), look_inbox<read>},
      {"inbox", "ack", "Say that an agent has dealt with entries",
       with_inbox({agent,
                   {"--entry", "ENTRY", "This one; may be given again", false, true},
                   {"--through", "ENTRY", "All up to this one"},
                   {"--all", "", "All there are"}}),
       run_inbox<ack>},
      {"inbox", "send", "Put a message into an agent's inbox",
       with_inbox({agent,
                   {"--message", "TEXT", "What it says", true},
                   {"--sender", "NAME", "Who says it"}}),
       run_inbox<send>},
      {"inbox", "policy", "Print or change how an inbox groups events",
       with_inbox({agent,
                   {"--on", "", "Group events about the same thing"},
                   {"--off", "", "An entry for every event"},
                   {"--window-ms", "MS", "How long a group waits for more"},
                   {"--max-items", "N", "How many it waits for"},
                   {"--max-thread-age-ms", "MS", "How old a group gets"}}),
       run_inbox<policy>},
      {"inbox", "dead", "Print events that a filter failed on", with_page(), look_inbox<dead>},
      {"inbox", "run", "Do now what is due: timers, groups, wake-ups", with_inbox({}),
       look_inbox<run_due>},
      {"inbox", "compact", "Remove what is acked and old enough",
       with_inbox({{"agent", "AGENT", "Of this agent only; of all when not given"}}),
       look_inbox<compact>},
      {"", "status", "Print what there is in the inbox, counted", with_inbox({}),
       look_inbox<status>},
      {"", "gc", "Remove what is old enough from the inbox", with_inbox({}), look_inbox<collect>},
  };
}

std::vector<Command> timer_commands() {
  const Parameter timer{"timer", "TIMER", "Its id, such as sch_7k2f9m3qw1bx", true};
  return {
      {"timer", "add", "Send an agent a message later",
       with_inbox({{"agent", "AGENT", "Its id", true},
                   {"--message", "TEXT", "What it says", true},
                   {"--at", "INSTANT", "Once, such as 2026-03-01T17:00:00+01:00"},
                   {"--every", "TIME", "Again and again: 90s, 5m, 2h, 1d; a minute or more"},
                   {"--cron", "RULE", "By five fields, such as '0 17 * * 1-5'"},
                   {"--timezone", "ZONE", "Of the rule, such as Europe/Berlin; UTC"},
                   {"--sender", "NAME", "Who says it"}}),
       run_inbox<add_timer>},
      {"timer", "list", "Print the timers", with_page({{"--agent", "AGENT", "Of this agent only"}}),
       look_inbox<list_timers>},
      {"timer", "pause", "Let a timer rest", with_inbox({timer}), run_inbox<pause_timer>},
      {"timer", "resume", "Let it go on", with_inbox({timer}), run_inbox<resume_timer>},
      {"timer", "remove", "Remove a timer", with_inbox({timer}), run_inbox<remove_timer>},
  };
}

}  // namespace

std::vector<Command> inbox_commands() {
  std::vector<Command> all = own_commands();
  for (const std::vector<Command>& more :
       {agent_commands(), source_commands(), subscription_commands(), timer_commands(),
        deliver_commands(), watch_commands(), follow_commands()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace alfred::cli
