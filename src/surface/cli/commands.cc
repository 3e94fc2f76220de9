// The table of commands. What a command does stands in the file named after its group.
#include "surface/cli/command.h"
#include "surface/cli/id_commands.h"

namespace alfred::cli {

std::span<const Group> groups() {
  static const std::vector<Group> table{
      {"id", "Make and check durable ids"},
  };
  return table;
}

std::span<const Command> commands() {
  static const std::vector<Command> table{
      {"id",
       "new",
       "Print new ids, one per line",
       {{"kind", "KIND", "A prefix or a kind: ses, session, agt, agent …", true},
        {"--count", "N", "How many, 1 to 1000000; 1 when not given"}},
       run_id_new},
      {"id",
       "check",
       "Print the kind of each id, or what is wrong with it; exit 1 if any is bad",
       {{"id", "ID", "An id such as ses_7k2f9m3qw1bx or agt_copper-fox", true, true}},
       run_id_check},
  };
  return table;
}

}  // namespace alfred::cli
