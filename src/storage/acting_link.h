// ActingLink: a foreign key of the database that deletes or changes rows by itself (CASCADE, SET
// NULL, SET DEFAULT) when rows go that it leads to, or when the columns that it leads to change.
// The database's own words: it acts on rows of any table and any owner, whether or not a schema has
// them.
#pragma once

#include <string>
#include <vector>

namespace alfred {

struct ActingLink {
  std::string table;                          // whose rows it acts on, named as in a catalogue
  std::vector<std::string> columns{};         // of that table
  std::vector<std::string> target_columns{};  // as many
  bool acts_on_delete = true;                 // one of the two at least
  bool acts_on_update = false;
  std::string table_id = {};   // what the database calls that table; may be empty
  bool is_readable = true;     // the login may read those columns
  bool shows_all_rows = true;  // no row-level security hides some of them
};

}  // namespace alfred
