// From what a user named (a database, a pack, a workspace, a user) to the place calls go to.
//
// R1 no database: the embedded pack in a file of ours, made and filled with its demo rows the first time.
// R2 a user's own database: its tables as they are; a pack overlays them; refs and journal live in a file of
//    ours beside nothing of theirs (D22).
// R3 a PostgreSQL database that the pack was installed in (`alfred pack install`) is ours: rows, refs and
//    journal in it, one transaction.
// R4 the data folder is $ALFRED_HOME, else $XDG_DATA_HOME/alfred, else ~/.local/share/alfred; it is made with
//    access for its owner only. One that cannot be made or written to is a matter of usage.
// R5 a copy of a place is the same place: all sessions of a process share its store, pack and schema.
// R6 a pack that was loaded before is given as it is and not read again.
// R7 rows of the pack that are in the database are not read from it again.
// R8 a user's refs, sessions and journal are theirs alone, also where rows have no owners and are everybody's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/record_service.h"
#include "pack/pack.h"
#include "storage/open_store.h"

namespace alfred {

struct PlaceOptions {
  std::string db;    // as parse_database_url takes it; empty: the embedded pack
  std::string pack;  // a folder; empty: derived from the database
  std::shared_ptr<const Pack> loaded_pack{};  // the pack itself, where it was read before
  std::string workspace;                      // empty: "default"
  std::string user;                           // empty: "me"
  std::string data_dir;                       // empty: R4
  bool allows_op_table = false;
  bool has_demo = true;  // R1: with its demo rows
  int busy_timeout_ms = 5000;
  std::string vfs;                               // SQLite: for crash tests; empty: the system's
  std::vector<std::string>* warnings = nullptr;  // gets what opening has to say, a line each
};

Result<std::string> data_dir(const std::string& wanted);
Result<RecordPlace> open_place(const PlaceOptions& options, const Clock& clock, Random& random);

}  // namespace alfred
