// `alfred db`: records of a database in refs, as commands. JSON in; JSON or a table out.
#pragma once

#include "surface/cli/command.h"

namespace alfred::cli {

int run_db_schema(const Arguments& arguments, const Streams& streams);
int run_db_read(const Arguments& arguments, const Streams& streams);
int run_db_create(const Arguments& arguments, const Streams& streams);
int run_db_update(const Arguments& arguments, const Streams& streams);
int run_db_delete(const Arguments& arguments, const Streams& streams);
int run_db_undo(const Arguments& arguments, const Streams& streams);
int run_db_query(const Arguments& arguments, const Streams& streams);
int run_db_batch(const Arguments& arguments, const Streams& streams);

// The table's rows for `alfred db …` in commands.cc.
std::vector<Command> db_commands();

}  // namespace alfred::cli
