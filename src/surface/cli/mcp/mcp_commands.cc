#include "surface/cli/mcp/mcp_commands.h"

#include <ostream>

#include "surface/cli/mcp/mcp_inbox.h"
#include "surface/cli/named_place.h"
#include "surface/mcp/records/narrow_schema.h"
#include "surface/mcp/records/record_features.h"
#include "surface/mcp/transport/stdio.h"

namespace alfred::cli {
namespace {

std::vector<std::string> names_of(const Arguments& arguments, std::string_view option) {
  std::vector<std::string> names;
  for (const std::string& given : arguments.all(option))
    for (std::size_t from = 0; from <= given.size();) {
      const std::size_t comma = std::min(given.find(',', from), given.size());
      if (comma > from) names.push_back(given.substr(from, comma - from));
      from = comma + 1;
    }
  return names;
}

Result<mcp::RecordServerOptions> server_options(const Arguments& arguments) {
  mcp::RecordServerOptions options{.is_read_only = arguments.has("--read-only")};
  const std::string approval = arguments.text("--approve");
  if (approval == "always")
    options.approval = mcp::Approval::always;
  else if (approval == "never")
    options.approval = mcp::Approval::never;
  else if (arguments.has("--approve") && approval != "destructive")
    return fail(ErrorCode::usage, "--approve says what the user is asked about.", "--approve",
                {"always", "destructive", "never"});
  return options;
}

Result<std::unique_ptr<mcp::RecordFeatures>> open_features(const Arguments& arguments,
                                                           const Streams& streams, Ports& ports) {
  const Result<mcp::RecordServerOptions> options = server_options(arguments);
  if (!options) return Unexpected(options.error());
  Result<RecordPlace> place = open_named_place(arguments, streams, ports);
  if (!place) return Unexpected(place.error());
  const std::vector<std::string> tables = names_of(arguments, "--tables");
  if (arguments.has("--tables") && tables.empty())
    return fail(ErrorCode::usage, "--tables names no table. Name some, or leave it out.",
                "--tables");
  if (!tables.empty() || options->is_read_only) {
    Result<std::shared_ptr<const Schema>> schema =
        mcp::narrow_schema(*place->schema, tables, options->is_read_only);
    if (!schema) return Unexpected(schema.error());
    place->schema = std::move(*schema);
  }
  Result<std::unique_ptr<RecordService>> service =
      RecordService::open(std::move(*place), ports.clock, ports.random, mcp::model_limits());
  if (!service) return Unexpected(service.error());
  return std::make_unique<mcp::RecordFeatures>(std::move(*service), *options, ports.random);
}

int run_mcp(const Arguments& arguments, const Streams& streams) {
  Ports ports;
  Result<std::unique_ptr<mcp::RecordFeatures>> records = open_features(arguments, streams, ports);
  if (!records) return report(records.error(), streams.err);
  std::unique_ptr<mcp::McpFeatures> features = std::move(*records);
  std::unique_ptr<McpInbox> inbox;
  if (arguments.has("--inbox")) {
    auto opened = McpInbox::open(arguments, streams, ports.clock, ports.random);
    if (!opened) return report(opened.error(), streams.err);
    inbox = std::move(*opened);
    features = inbox->offered_with(std::move(features));
  }
  mcp::McpEndpoint endpoint(*features, ports.clock, ports.random);
  if (inbox) inbox->start(endpoint);
  const bool is_whole =
      mcp::serve_stdio(endpoint, streams.in, streams.out, inbox ? &inbox->errands() : nullptr);
  if (inbox) inbox->stop();
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
            {"--user", "NAME", "Whose rows, where rows have owners; `me` when not given"},
            {"--read-only", "", "Offer no tool that writes, and refuse every write"},
            {"--tables", "NAMES", "Only these tables exist, with commas", false, true},
            {"--approve", "WHAT",
             "What the user is asked about first: always, destructive (deletes; when not given) or "
             "never"},
            {"--inbox", "AGENT", "Offer this agent's inbox too, and tell the client what comes"},
            {"--inbox-db", "URL", "The inbox's database; inbox.db in the data folder"},
            {"--allow-op-table", "",
             "May add the table alfred_ops to your database, for exactly-once writes"}},
           run_mcp,
           true}};
}

}  // namespace alfred::cli
