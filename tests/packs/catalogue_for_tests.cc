#include "catalogue_for_tests.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace alfred {
namespace {

using Cells = std::vector<std::string>;

class Database {
 public:
  Database() { EXPECT_EQ(sqlite3_open(":memory:", &db_), SQLITE_OK); }
  ~Database() { sqlite3_close(db_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::vector<Cells> run(const std::string& sql) {
    std::vector<Cells> rows;
    char* message = nullptr;
    const auto keep = [](void* out, int count, char** cells, char**) {
      Cells row;
      for (int i = 0; i < count; ++i) row.emplace_back(cells[i] == nullptr ? "" : cells[i]);
      static_cast<std::vector<Cells>*>(out)->push_back(std::move(row));
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), keep, &rows, &message), SQLITE_OK)
        << (message == nullptr ? "" : message);
    sqlite3_free(message);
    return rows;
  }

 private:
  sqlite3* db_ = nullptr;
};

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

OnDelete on_delete_of(const std::string& word) {
  if (word == "CASCADE") return OnDelete::cascade;
  return word == "SET NULL" ? OnDelete::set_null : OnDelete::refuse;
}

CatalogueTable table_of(Database& database, const std::string& name, bool is_view) {
  CatalogueTable table;
  table.name = name;
  table.is_view = is_view;
  std::map<int, std::string> key;
  for (const Cells& row : database.run("pragma table_xinfo(" + quoted(name) + ")")) {
    CatalogueColumn column;
    column.name = row[1];
    column.declared_type = row[2];
    column.is_nullable = row[3] == "0";
    column.has_default = !row[4].empty();
    column.is_computed = row[6] == "2" || row[6] == "3";
    if (row[5] != "0") key[std::stoi(row[5])] = row[1];
    table.columns.push_back(std::move(column));
  }
  for (const auto& [position, column] : key) table.primary_key.push_back(column);
  for (CatalogueColumn& column : table.columns)  // what SQLite counts by itself
    if (key.size() == 1 && column.name == key[1] &&
        sqlite3_stricmp(column.declared_type.c_str(), "integer") == 0)
      column.has_default = true;
  std::map<int, CatalogueLink> links;
  for (const Cells& row : database.run("pragma foreign_key_list(" + quoted(name) + ")")) {
    CatalogueLink& link = links[std::stoi(row[0])];
    link.table = row[2];
    link.columns.push_back(row[3]);
    if (!row[4].empty()) link.target_columns.push_back(row[4]);
    link.on_delete = on_delete_of(row[6]);
  }
  for (auto& [id, link] : links) table.links.push_back(std::move(link));
  return table;
}

}  // namespace

Catalogue catalogue_of(std::string_view sql) {
  Database database;
  database.run(std::string(sql));
  Catalogue catalogue;
  for (const Cells& row : database.run(
           "select name, type from sqlite_master where type in ('table', 'view') order by name"))
    catalogue.tables.push_back(table_of(database, row[0], row[1] == "view"));
  return catalogue;
}

}  // namespace alfred
