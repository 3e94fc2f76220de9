// agent, host, source, subscription: who there is and what they read.
#include <cstdlib>
#include <istream>
#include <iterator>

#include "base/file.h"
#include "surface/cli/inbox/inbox_call.h"
#include "surface/cli/inbox/inbox_groups.h"

namespace alfred::cli {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}
// $TMUX is socket,process,session.
std::string tmux_socket() {
  const std::string tmux = environment("TMUX");
  return tmux.substr(0, tmux.find(','));
}

Result<Json> register_agent(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request = texts_of(arguments, {{"--id", "agentId"}, {"--session", "sessionId"}});
  if (arguments.has("--webhook")) {
    request["webhook"] = JsonObject{{"url", arguments.text("--webhook")}};
  } else if (arguments.has("--mcp")) {
    request["backend"] = "mcp";
  } else if (!arguments.has("--session")) {
    const bool is_named = arguments.has("--tmux-pane");
    request["backend"] = "tmux";
    request["tmuxPaneId"] = is_named ? arguments.text("--tmux-pane") : environment("TMUX_PANE");
    request["tmuxSocket"] =
        arguments.has("--tmux-socket") ? arguments.text("--tmux-socket") : tmux_socket();
    if (request["tmuxPaneId"].as_string().empty())
      return fail(
          ErrorCode::usage,
          "Say what wakes the agent: --webhook, --session, --mcp or --tmux-pane; inside tmux "
          "the pane is known.",
          "--webhook");
  }
  if (arguments.has("--force-rebind")) request["forceRebind"] = true;
  for (const auto& [name, field] : {std::pair{"--notify-lease-ms", "notifyLeaseMs"},
                                    std::pair{"--min-unacked-items", "minUnackedItems"}})
    if (Result<void> read = add_number(request, field, arguments, name); !read)
      return Unexpected(read.error());
  return inbox.register_agent(request);
}
Result<Json> list_agents(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.agents(limit_of(arguments));
}
Result<Json> show_agent(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.agent(arguments.text("agent"));
}
Result<Json> current_agent(Inbox& inbox, const Arguments&, const Streams&) {
  const std::string pane = environment("TMUX_PANE");
  if (pane.empty())
    return fail(ErrorCode::usage, "This is no tmux pane, so there is no current agent.", "");
  return inbox.agent_of_pane(tmux_socket(), pane);
}
Result<Json> resume_agent(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.resume_agent(arguments.text("agent"));
}
Result<Json> remove_agent(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.remove_agent(arguments.text("agent"));
}

Result<Json> add_host(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.add_host(texts_of(arguments, {{"--type", "hostType"}, {"--key", "hostKey"}}));
}
Result<Json> list_hosts(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.hosts(limit_of(arguments));
}
Result<Json> show_host(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.host(arguments.text("host"));
}

Result<Json> add_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request =
      texts_of(arguments, {{"host", "hostId"}, {"--kind", "streamKind"}, {"--key", "streamKey"}});
  if (!request.contains("streamKind")) request["streamKind"] = "events";
  return inbox.add_source(request);
}
Result<Json> list_sources(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.sources(limit_of(arguments));
}
Result<Json> show_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.source(arguments.text("source"));
}
Result<Json> pause_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.pause_source(arguments.text("source"));
}
Result<Json> resume_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.resume_source(arguments.text("source"));
}
Result<Json> remove_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.remove_source(arguments.text("source"), arguments.has("--with-subscriptions"));
}
Result<Json> append(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request = texts_of(arguments, {{"--native-id", "sourceNativeId"},
                                            {"--variant", "eventVariant"},
                                            {"--occurred-at", "occurredAt"}});
  for (const auto& [name, field] :
       {std::pair{"--metadata-json", "metadata"}, std::pair{"--payload-json", "rawPayload"}})
    if (arguments.has(name))
      if (Result<void> read = add_json(request, field, arguments.text(name)); !read)
        return Unexpected(read.error());
  return inbox.append(arguments.text("source"), request);
}

Result<Json> subscribe(Inbox& inbox, const Arguments& arguments, const Streams& streams) {
  JsonObject request = texts_of(arguments, {{"agent", "agentId"},
                                            {"source", "sourceId"},
                                            {"--start-policy", "startPolicy"},
                                            {"--start-time", "startTime"},
                                            {"--tracked-resource-ref", "trackedResourceRef"}});
  std::string filter = arguments.text("--filter-json");
  if (arguments.has("--filter-file")) {
    Result<std::string> read = read_file(arguments.text("--filter-file"));
    if (!read) return Unexpected(read.error());
    filter = std::move(*read);
  }
  if (arguments.has("--filter-stdin"))
    filter.assign(std::istreambuf_iterator<char>(streams.in), {});
  Result<void> read;
  if (!filter.empty()) read = add_json(request, "filter", filter);
  if (read && arguments.has("--cleanup-json"))
    read = add_json(request, "cleanupPolicy", arguments.text("--cleanup-json"));
  if (read) read = add_number(request, "startOffset", arguments, "--start-offset");
  if (!read) return Unexpected(read.error());
  return inbox.subscribe(request);
}
Result<Json> list_subscriptions(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.subscriptions(
      {arguments.text("--source"), arguments.text("--agent"), limit_of(arguments)});
}
Result<Json> show_subscription(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.subscription(arguments.text("subscription"));
}
Result<Json> remove_subscription(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.unsubscribe(arguments.text("subscription"));
}
Result<Json> show_lag(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.lag(arguments.text("subscription"));
}
Result<Json> reset(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request =
      texts_of(arguments, {{"--start-policy", "startPolicy"}, {"--start-time", "startTime"}});
  if (Result<void> read = add_number(request, "startOffset", arguments, "--start-offset"); !read)
    return Unexpected(read.error());
  return inbox.reset(arguments.text("subscription"), request);
}
Result<Json> poll(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.poll(arguments.text("subscription"));
}

}  // namespace

std::vector<Command> agent_commands() {
  const Parameter agent{"agent", "AGENT", "Its id, such as agt_copper-fox", true};
  const Parameter limit{"--limit", "N", "How many, 1 to 1000; 50 when not given"};
  return {
      {"agent", "register", "Make an agent, or give it another target",
       with_inbox({{"--id", "ID", "An id of your own; a name is made when not given"},
                   {"--webhook", "URL", "Wake it by a POST to this address"},
                   {"--tmux-pane", "PANE", "Wake it in this tmux pane, such as %3; $TMUX_PANE"},
                   {"--tmux-socket", "PATH", "The socket of that tmux; the one of $TMUX"},
                   {"--session", "SESSION", "Wake this session"},
                   {"--mcp", "", "Wake it by a notification to its MCP client"},
                   {"--force-rebind", "", "Take the pane away from another agent"},
                   {"--notify-lease-ms", "MS", "How long a wake-up holds back the next; 600000"},
                   {"--min-unacked-items", "N", "Wake it only for so many; 1"}}),
       run_inbox<register_agent>},
      {"agent", "list", "Print the agents", with_inbox({limit}), run_inbox<list_agents>},
      {"agent", "show", "Print an agent, its targets and its inbox", with_inbox({agent}),
       run_inbox<show_agent>},
      {"agent", "current", "Print the agent of this tmux pane", with_inbox({}),
       run_inbox<current_agent>},
      {"agent", "resume", "Make an agent's targets active again", with_inbox({agent}),
       run_inbox<resume_agent>},
      {"agent", "remove", "Remove an agent and all that hangs on it", with_inbox({agent}),
       run_inbox<remove_agent>},
  };
}

std::vector<Command> source_commands() {
  const Parameter host{"host", "HOST", "Its id, such as hst_7k2f9m3qw1bx", true};
  const Parameter source{"source", "SOURCE", "Its id, such as src_7k2f9m3qw1bx", true};
  const Parameter limit{"--limit", "N", "How many, 1 to 1000; 50 when not given"};
  return {
      {"host", "add", "Make a host, or print the one there is",
       with_inbox({{"--type", "TYPE", "local_event", true},
                   {"--key", "KEY", "What tells it from others of its type", true}}),
       run_inbox<add_host>},
      {"host", "list", "Print the hosts", with_inbox({limit}), run_inbox<list_hosts>},
      {"host", "show", "Print a host and its streams", with_inbox({host}), run_inbox<show_host>},
      {"source", "add", "Make a source under a host, or print the one there is",
       with_inbox({host,
                   {"--key", "KEY", "What tells it from others of its host", true},
                   {"--kind", "KIND", "The kind of its stream; events"}}),
       run_inbox<add_source>},
      {"source", "list", "Print the sources", with_inbox({limit}), run_inbox<list_sources>},
      {"source", "show", "Print a source and its stream", with_inbox({source}),
       run_inbox<show_source>},
      {"source", "append", "Append an event to a source's stream",
       with_inbox({source,
                   {"--native-id", "ID", "The event's id where it comes from", true},
                   {"--variant", "NAME", "What kind of event it is", true},
                   {"--metadata-json", "JSON", "What filters look at first"},
                   {"--payload-json", "JSON", "What the agent reads"},
                   {"--occurred-at", "INSTANT", "When it happened; now when not given"}}),
       run_inbox<append>},
      {"source", "pause", "Take no events for a while", with_inbox({source}),
       run_inbox<pause_source>},
      {"source", "resume", "Take events again", with_inbox({source}), run_inbox<resume_source>},
      {"source", "remove", "Remove a source",
       with_inbox({source, {"--with-subscriptions", "", "And the subscriptions that read it"}}),
       run_inbox<remove_source>},
  };
}

std::vector<Command> subscription_commands() {
  const Parameter one{"subscription", "SUBSCRIPTION", "Its id, such as sub_7k2f9m3qw1bx", true};
  const Parameter policy{"--start-policy", "POLICY", "latest, earliest, at_offset or at_time"};
  const Parameter offset{"--start-offset", "N", "The first offset to be read"};
  const Parameter time{"--start-time", "INSTANT", "The first time to be read"};
  return {
      {"subscription", "add", "Let an agent read a source",
       with_inbox({{"agent", "AGENT", "Its id", true},
                   {"source", "SOURCE", "Its id", true},
                   {"--filter-json", "JSON", "Which events: {metadata, payload, expr}"},
                   {"--filter-file", "FILE", "The filter in a file"},
                   {"--filter-stdin", "", "The filter from standard input"},
                   policy,
                   offset,
                   time,
                   {"--tracked-resource-ref", "REF", "The resource whose end retires it"},
                   {"--cleanup-json", "JSON", "When it goes: {mode, at, gracePeriodSecs}"}}),
       run_inbox<subscribe>},
      {"subscription", "list", "Print the subscriptions",
       with_inbox({{"--agent", "AGENT", "Of this agent only"},
                   {"--source", "SOURCE", "Of this source only"},
                   {"--limit", "N", "How many, 1 to 1000; 50 when not given"}}),
       run_inbox<list_subscriptions>},
      {"subscription", "show", "Print a subscription, its consumer and its lag", with_inbox({one}),
       run_inbox<show_subscription>},
      {"subscription", "remove", "Remove a subscription", with_inbox({one}),
       run_inbox<remove_subscription>},
      {"subscription", "lag", "Print how far it is behind", with_inbox({one}), run_inbox<show_lag>},
      {"subscription", "reset", "Put its consumer at another place",
       with_inbox({one, policy, offset, time}), run_inbox<reset>},
      {"subscription", "poll", "Read on now", with_inbox({one}), run_inbox<poll>},
  };
}

}  // namespace alfred::cli
