#include "surface/cli/named_place.h"

#include <ostream>

#include "surface/cli/config/config.h"

namespace alfred::cli {

Result<PlaceOptions> named_place(const Arguments& arguments) {
  for (const char* name : {"--user", "--workspace", "--db"})
    if (arguments.has(name) && arguments.text(name).empty())
      return fail(ErrorCode::usage,
                  std::string(name) + " is empty. Give a name, or leave it out for the usual one.",
                  name);
  const Result<Config> config = Config::load(arguments, system_environment);
  if (!config) return Unexpected(config.error());
  PlaceOptions options;
  options.db = config->text("db");
  options.pack = config->text("pack");
  options.workspace = arguments.text("--workspace");
  options.user = config->text("user");
  options.allows_op_table = arguments.has("--allow-op-table");
  return options;
}

Result<RecordPlace> open_named_place(const Arguments& arguments, const Streams& streams,
                                     Ports& ports) {
  Result<PlaceOptions> options = named_place(arguments);
  if (!options) return Unexpected(std::move(options).error());
  std::vector<std::string> warnings;
  options->warnings = &warnings;
  Result<RecordPlace> place = open_place(*options, ports.clock, ports.random);
  for (const std::string& warning : warnings) streams.err << "alfred: " << warning << "\n";
  return place;
}

}  // namespace alfred::cli
