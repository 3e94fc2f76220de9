#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <vector>

#include "engine/journal/workspace.h"
#include "engine/open_calls.h"
#include "engine/packs/pack_rows.h"
#include "engine/reminders/reminders.h"
#include "engine/session/session_store.h"
#include "inbox/store/tables.h"

namespace alfred {
namespace {

using Lines = std::vector<std::string>;

class Database {
 public:
  Database() { EXPECT_EQ(sqlite3_open(":memory:", &db_), SQLITE_OK); }
  ~Database() { sqlite3_close(db_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void make(const StateTables& tables) {
    for (const Statement& step : tables.steps_from(0)) lines(std::string(step.text()));
  }
  Lines lines(const std::string& sql) {
    Lines out;
    char* message = nullptr;
    const auto keep = [](void* to, int count, char** cells, char** /*names*/) {
      std::string line;
      for (int i = 0; i < count; ++i)
        line += std::string(cells[i] == nullptr ? "-" : cells[i]) + '|';
      static_cast<Lines*>(to)->push_back(std::move(line));
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), keep, &out, &message), SQLITE_OK)
        << sql << ": " << (message == nullptr ? "" : message);
    sqlite3_free(message);
    return out;
  }

 private:
  sqlite3* db_ = nullptr;
};

// Everything a database says of its tables, but for the texts they were made by.
Lines form_of(Database& database) {
  Lines out;
  const auto add = [&](const std::string& sql) {
    const Lines more = database.lines(sql);
    out.insert(out.end(), more.begin(), more.end());
  };
  add("SELECT l.name, l.type, l.ncol, l.wr, l.strict FROM pragma_table_list AS l "
      "WHERE l.name NOT LIKE 'sqlite%' ORDER BY 1");
  add("SELECT s.name, x.cid, x.name, x.type, x.\"notnull\", x.dflt_value, x.pk, x.hidden "
      "FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS x WHERE s.type = 'table' ORDER BY 1, 2");
  add("SELECT s.name, f.* FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS f "
      "WHERE s.type = 'table' ORDER BY 1, 2, 3");
  add("SELECT s.name, i.\"unique\", i.origin, i.partial, "
      "(SELECT group_concat(x.name || x.\"desc\" || x.coll) FROM pragma_index_xinfo(i.name) AS x) "
      "FROM sqlite_schema AS s, pragma_index_list(s.name) AS i WHERE s.type = 'table' "
      "ORDER BY 1, 2, 3, 4, 5");
  add("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL "
      "ORDER BY 1");
  return out;
}

TEST(NewestTables, a_new_file_gets_what_the_steps_of_an_old_one_lead_to) {
  int made_at_once = 0;
  for (const StateTables& tables : {workspace_tables(), open_call_tables(), session_tables(),
                                    pack_rows_tables(), inbox::inbox_tables(), reminder_tables()}) {
    SCOPED_TRACE(std::string(tables.owner));
    Database at_once;
    at_once.make(tables);
    Database by_steps;
    StateTables steps = tables;
    steps.newest = {};
    by_steps.make(steps);
    EXPECT_EQ(form_of(at_once), form_of(by_steps));
    EXPECT_FALSE(form_of(at_once).empty());
    if (!tables.newest.empty()) ++made_at_once;
    // What has steps that change tables is dear to make one after the other.
    EXPECT_EQ(tables.newest.empty(), tables.migrations.size() == 1);
  }
  EXPECT_EQ(made_at_once, 3);
}

}  // namespace
}  // namespace alfred
