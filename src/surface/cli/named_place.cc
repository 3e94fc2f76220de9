#include "surface/cli/named_place.h"

#include <ostream>

namespace alfred::cli {

Result<RecordPlace> open_named_place(const Arguments& arguments, const Streams& streams,
                                     Ports& ports) {
  for (const char* name : {"--user", "--workspace"})
    if (arguments.has(name) && arguments.text(name).empty())
      return fail(ErrorCode::usage,
                  std::string(name) + " is empty. Give a name, or leave it out for the usual one.",
                  name);
  std::vector<std::string> warnings;
  PlaceOptions options;
  options.db = arguments.text("--db");
  options.pack = arguments.text("--pack");
  options.workspace = arguments.text("--workspace");
  options.user = arguments.text("--user");
  options.allows_op_table = arguments.has("--allow-op-table");
  options.warnings = &warnings;
  Result<RecordPlace> place = open_place(options, ports.clock, ports.random);
  for (const std::string& warning : warnings) streams.err << "alfred: " << warning << "\n";
  return place;
}

}  // namespace alfred::cli
