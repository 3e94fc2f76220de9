#include "surface/cli/mcp/mcp_commands.h"

#include <unistd.h>

#include <csignal>
#include <istream>
#include <ostream>

#include "surface/cli/config/config.h"
#include "surface/cli/mcp/client_input.h"
#include "surface/cli/mcp/mcp_inbox.h"
#include "surface/cli/mcp/record_server.h"
#include "surface/mcp/transport/stdio.h"

namespace alfred::cli {
namespace {

int run_mcp(const Arguments& arguments, const Streams& streams) {
  std::signal(SIGPIPE, SIG_IGN);  // NOLINT: fails for no signal that there is
  Ports ports;
  // What is wrong with the options is said before anything is opened.
  if (const auto options = record_server_options(arguments); !options)
    return report(options.error(), streams.err);
  Result<RecordPlace> place = open_named_place(arguments, streams, ports);
  if (!place) return report(place.error(), streams.err);
  Result<std::unique_ptr<mcp::McpFeatures>> records = open_record_server(
      std::move(*place), arguments, ports,
      known_secrets(arguments, system_environment).value_or(std::vector<std::string>()));
  if (!records) return report(records.error(), streams.err);
  std::unique_ptr<mcp::McpFeatures> features = std::move(*records);
  std::unique_ptr<McpInbox> inbox;
  if (arguments.has("--inbox")) {
    auto opened = McpInbox::open(arguments, streams);
    if (!opened) return report(opened.error(), streams.err);
    inbox = std::move(*opened);
    features = inbox->offered_with(std::move(features));
  }
  mcp::McpEndpoint endpoint(*features, ports.clock, ports.random);
  if (inbox) inbox->start(endpoint);
  ClientInput sent(STDIN_FILENO, STDOUT_FILENO);
  std::istream in(&sent);
  const bool is_whole =
      mcp::serve_stdio(endpoint, in, streams.out, inbox ? &inbox->errands() : nullptr);
  if (inbox) inbox->stop();
  if (is_whole) streams.out.clear();  // a client that has left is no fault of the output's
  return is_whole ? kDone : kUnavailable;
}

}  // namespace

std::vector<Command> mcp_commands() {
  return {{"",
           "mcp",
           "Serve a database to an MCP client over standard input and output",
           {{"--db", "URL",
             "sqlite:PATH, PATH.db or postgres://…; the embedded database when not given"},
            {"--pack", "DIR", "A pack that describes the database"},
            {"--workspace", "NAME", "Whose refs are used and remembered; `default` when not given"},
            {"--user", "NAME",
             "Whose refs, and whose rows where rows have owners; `me` when not given"},
            {"--read-only", "", "Offer no tool that writes, and refuse every write"},
            {"--tables", "NAMES", "Only these tables exist, with commas", false, true},
            {"--approve", "WHAT",
             "What the user is asked about first: always, destructive (deletes; when not given) or "
             "never"},
            {"--turns", "", "Offer whole turns too, for a client that lends its model"},
            {"--prompts", "DIR", "A folder with prompts of your own"},
            {"--inbox", "AGENT", "Offer this agent's inbox too, and tell the client what comes"},
            {"--inbox-db", "URL", "The inbox's database; that of `alfred chat` when not given"},
            {"--allow-op-table", "",
             "May add the table alfred_ops to your database, for exactly-once writes"}},
           run_mcp,
           true}};
}

}  // namespace alfred::cli
