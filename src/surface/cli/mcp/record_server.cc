#include "surface/cli/mcp/record_server.h"

#include <algorithm>

#include "surface/cli/config/paths.h"
#include "surface/cli/config/session_tuning.h"
#include "surface/mcp/records/narrow_schema.h"

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

}  // namespace

Result<mcp::RecordServerOptions> record_server_options(const Arguments& arguments) {
  mcp::RecordServerOptions options{.is_read_only = arguments.has("--read-only")};
  const std::string approval = arguments.text("--approve");
  if (approval == "always")
    options.approval = mcp::Approval::always;
  else if (approval == "never")
    options.approval = mcp::Approval::never;
  else if (arguments.has("--approve") && approval != "destructive")
    return fail(ErrorCode::usage, "--approve says what the user is asked about.", "--approve",
                {"always", "destructive", "never"});
  for (const char* narrow : {"--read-only", "--tables"})
    if (arguments.has("--turns") && arguments.has(narrow))
      return fail(ErrorCode::usage,
                  std::string("A turn may use all tables and write: --turns and ") + narrow +
                      " do not go together. Leave one out.",
                  narrow);
  return options;
}

Result<std::unique_ptr<mcp::McpFeatures>> open_record_server(
    RecordPlace place, const Arguments& arguments, Ports& ports, std::vector<std::string> secrets,
    std::shared_ptr<mcp::ApprovalCodes> codes) {
  Result<mcp::RecordServerOptions> options = record_server_options(arguments);
  if (!options) return Unexpected(options.error());
  options->codes = std::move(codes);
  const std::vector<std::string> tables = names_of(arguments, "--tables");
  if (arguments.has("--tables") && tables.empty())
    return fail(ErrorCode::usage, "--tables names no table. Name some, or leave it out.",
                "--tables");
  if (!tables.empty() || options->is_read_only) {
    place.narrow = [tables, is_read_only = options->is_read_only](const Schema& whole) {
      return mcp::narrow_schema(whole, tables, is_read_only);
    };
    Result<std::shared_ptr<const Schema>> schema = place.narrow(*place.schema);
    if (!schema) return Unexpected(schema.error());
    place.schema = std::move(*schema);
  }
  const Result<Config> config = Config::load(arguments, system_environment);
  if (!config) return Unexpected(config.error());
  Result<SessionTuning> tuning = session_tuning(*config);
  if (!tuning) return Unexpected(std::move(tuning).error());
  options->texts = tuning->texts;
  Result<std::unique_ptr<RecordService>> service =
      RecordService::open(place, ports.clock, ports.random, mcp::model_limits());
  if (!service) return Unexpected(service.error());
  auto records = std::make_unique<mcp::RecordFeatures>(std::move(*service), *options, ports.random);
  if (!arguments.has("--turns")) return records;
  mcp::TurnHost host{std::move(place),   ports.clock,
                     ports.random,       system_zone(system_environment),
                     std::move(secrets), std::move(*tuning)};
  return std::make_unique<mcp::TurnFeatures>(std::move(records), std::move(host));
}

}  // namespace alfred::cli
