// agent: who there is, and what wakes them.
#include <cstdlib>
#include <span>

#include "inbox/wake/tmux.h"
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
  return inbox.agents(page_of(arguments));
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
  TmuxWaker tmux;
  return inbox.resume_agent(arguments.text("agent"), {.terminal = &tmux});
}
Result<Json> remove_agent(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.remove_agent(arguments.text("agent"));
}

// add webhook AGENT --url URL | list AGENT | remove AGENT TARGET | resume AGENT TARGET
Result<Json> change_targets(Inbox& inbox, const Arguments& arguments, const Streams&) {
  const std::string verb = arguments.text("verb");
  const std::span<const std::string> words = arguments.all("words");
  if (verb == "list" && words.size() == 1) return inbox.targets(words[0]);
  if (verb == "remove" && words.size() == 2) return inbox.remove_target(words[0], words[1]);
  if (verb == "resume" && words.size() == 2) {
    TmuxWaker tmux;
    return inbox.resume_target(words[0], words[1], {.terminal = &tmux});
  }
  if (verb == "add" && words.size() == 2) {
    JsonObject request = texts_of(arguments, {{"--url", "url"}, {"--mode", "activationMode"}});
    request["kind"] = words[0];
    for (const auto& [name, field] : {std::pair{"--notify-lease-ms", "notifyLeaseMs"},
                                      std::pair{"--min-unacked-items", "minUnackedItems"}})
      if (Result<void> read = add_number(request, field, arguments, name); !read)
        return Unexpected(read.error());
    return inbox.add_target(words[1], request);
  }
  return fail(ErrorCode::usage,
              "Say `add webhook AGENT --url URL`, `add mcp AGENT`, `list AGENT`, `remove AGENT "
              "TARGET` or `resume AGENT TARGET`.",
              "verb", {"add", "list", "remove", "resume"});
}

}  // namespace

std::vector<Command> agent_commands() {
  const Parameter agent{"agent", "AGENT", "Its id, such as agt_copper-fox", true};
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
      {"agent", "list", "Print the agents", with_page(), look_inbox<list_agents>},
      {"agent", "show", "Print an agent, its targets and its inbox", with_inbox({agent}),
       look_inbox<show_agent>},
      {"agent", "current", "Print the agent of this tmux pane", with_inbox({}),
       look_inbox<current_agent>},
      {"agent", "resume", "Make an agent's targets active again", with_inbox({agent}),
       run_inbox<resume_agent>},
      {"agent", "remove", "Remove an agent and all that hangs on it", with_inbox({agent}),
       run_inbox<remove_agent>},
      {"agent", "target", "Add, list, remove or resume what wakes an agent",
       with_inbox({{"verb", "VERB", "add, list, remove or resume", true},
                   {"words", "WORDS", "webhook AGENT; AGENT; AGENT TARGET", true, true},
                   {"--url", "URL", "The address of a webhook"},
                   {"--mode", "MODE", "activation_only, or activation_with_items"},
                   {"--notify-lease-ms", "MS", "How long a wake-up holds back the next; 600000"},
                   {"--min-unacked-items", "N", "Wake it only for so many; 1"}}),
       run_inbox<change_targets>},
  };
}

}  // namespace alfred::cli
