// The table of commands. What a command does stands in the file named after its group.
#include "surface/cli/chat/chat_commands.h"
#include "surface/cli/command.h"
#include "surface/cli/config/config_commands.h"
#include "surface/cli/db/db_commands.h"
#include "surface/cli/doctor/doctor_commands.h"
#include "surface/cli/ids/id_commands.h"
#include "surface/cli/ids/refs_commands.h"
#include "surface/cli/inbox/inbox_commands.h"
#include "surface/cli/mcp/mcp_commands.h"
#include "surface/cli/packs/pack_commands.h"
#include "surface/cli/packs/scenario_commands.h"
#include "surface/cli/serve/serve_commands.h"
#include "surface/cli/sessions/session_commands.h"

namespace alfred::cli {

std::span<const Group> groups() {
  static const std::vector<Group> table{
      {"agent", "Register agents and what wakes them"},
      {"config", "Look at what is set, and where"},
      {"db", "Read and change records of a database, in refs"},
      {"deliver", "Send replies through the handles that events bring along"},
      {"host", "Where sources come from"},
      {"id", "Make and check durable ids"},
      {"inbox", "Read and ack what agents were told"},
      {"pack", "Check packs, install them, and list those that are part of the program"},
      {"refs", "Translate rows and parameters between database keys and refs"},
      {"session", "Look at conversations that are kept"},
      {"source", "Streams of events, and appending to them"},
      {"subscription", "Which agent reads which source, and how far it is"},
      {"timer", "Messages to agents at a time, again and again, or by a cron rule"},
  };
  return table;
}

namespace {

std::vector<Command> plain_filters() {
  return {
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
      {"pack",
       "check",
       "Read a pack and say what is in it, or what is wrong and where",
       {{"dir", "DIR", "The folder that holds pack.toml", true},
        {"--db", "URL", "The database it is for; when not given, its own schema.sql"}},
       run_pack_check},
      {"pack",
       "init",
       "Print a pack.toml for a database as it is, to be changed by hand",
       {{"--db", "URL", "sqlite:PATH, PATH.db or postgres://…", true}},
       run_pack_init,
       true},
      {"pack",
       "install",
       "Make a PostgreSQL database hold a pack: its tables, walled by owner, and its rows",
       {{"dir", "DIR", "The folder that holds pack.toml", true},
        {"--db", "URL", "postgres://…", true}},
       run_pack_install},
      {"pack", "list", "Print the packs that are part of this program", {}, run_pack_list},
      {"refs",
       "out",
       "Read JSON rows, print them in refs, and remember the refs in the registry file",
       {{"--table", "TABLE", "The table the rows come from", true},
        {"--registry", "FILE", "The registry; made when it does not exist", true},
        {"--types", "FILE", "TOML that declares tables, ref names, links and nested rows"}},
       run_refs_out,
       true},
      {"refs",
       "in",
       "Read the filters and data of a call in refs, print them in keys",
       {{"--table", "TABLE", "The table the call is for", true},
        {"--registry", "FILE", "The registry that issued the refs", true},
        {"--types", "FILE", "The declarations that `refs out` was given"}},
       run_refs_in,
       true},
      {"refs",
       "show",
       "Print what a registry knows: a line for each ref, its status and its label",
       {{"--registry", "FILE", "The registry", true},
        {"--keys", "", "Print the keys too; they are for people, never for a model"}},
       run_refs_show},
  };
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> table = [] {
    std::vector<Command> all = chat_commands();
    for (const std::vector<Command>& more :
         {config_commands(), db_commands(), doctor_commands(), mcp_commands(), plain_filters(),
          session_commands(), scenario_commands(), serve_commands(), inbox_commands()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return table;
}

}  // namespace alfred::cli
