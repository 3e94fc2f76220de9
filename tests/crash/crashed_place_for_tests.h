// Where crashed batches run on SQLite: the embedded pack in a file of ours, or a user's own
// database with integer keys; each round on a copy of a folder that was made once. For tests only.
#pragma once

#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "batch_for_tests.h"

namespace alfred {

class CrashedPlace {
 public:
  enum class Kind { shared, own };

  explicit CrashedPlace(Kind kind) : kind_(kind) {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-crash-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::filesystem::create_directory(made());
    if (kind == Kind::own)
      run_sql(
          made() + "/own.db",
          "CREATE TABLE recipes (id integer PRIMARY KEY, name text NOT NULL, instructions json);"
          "CREATE TABLE recipe_ingredients (id integer PRIMARY KEY, recipe_id integer NOT NULL "
          "REFERENCES recipes (id) ON DELETE CASCADE, name text NOT NULL, quantity real);"
          "INSERT INTO recipes (name) VALUES ('there before')");
    std::filesystem::rename(made(), round());
    EXPECT_TRUE(ServiceForTests::open(options()));
    std::filesystem::copy(round(), made(), std::filesystem::copy_options::recursive);
  }
  CrashedPlace(const CrashedPlace&) = delete;
  CrashedPlace& operator=(const CrashedPlace&) = delete;
  ~CrashedPlace() { std::filesystem::remove_all(folder_); }

  // Refs belong to a file, not to a path: its bytes are put back, no other file takes its place.
  void begin_round() const {
    for (const auto& entry : std::filesystem::directory_iterator(round()))
      if (entry.path().filename() != "own.db") std::filesystem::remove_all(entry.path());
    std::filesystem::copy(made(), round(),
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing);
  }

  PlaceOptions options(std::string vfs = "") const {
    PlaceOptions out;
    if (kind_ == Kind::own)
      out.db = round() + "/own.db";
    else
      out.loaded_pack = pack();
    out.data_dir = round() + "/data";
    out.vfs = std::move(vfs);
    return out;
  }

  // The rows themselves, past everything of ours.
  void expect_rows() const {
    const std::string file = rows_file();
    EXPECT_EQ(ask(file, "PRAGMA integrity_check"), "ok");
    EXPECT_EQ(ask(file, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    EXPECT_EQ(ask(file, "SELECT count(*) FROM recipes WHERE name LIKE 'Crash%'"), "3");
    EXPECT_EQ(ask(file, "SELECT count(*) FROM recipe_ingredients WHERE name LIKE 'item_ part%'"),
              "36");
    EXPECT_EQ(ask(file,
                  "SELECT group_concat(n) FROM (SELECT count(DISTINCT i.name) AS n FROM recipes r "
                  "JOIN recipe_ingredients i ON i.recipe_id = r.id AND i.name LIKE "
                  "substr(r.name, 7) || ' part%' WHERE r.name LIKE 'Crash%' GROUP BY r.id)"),
              "12,12,12");
    for (const auto& entry : std::filesystem::directory_iterator(round() + "/data"))
      if (entry.path().extension() == ".db") {
        EXPECT_EQ(ask(entry.path().string(), "PRAGMA integrity_check"), "ok");
        EXPECT_EQ(ask(entry.path().string(), "SELECT count(*) FROM alfred_open_calls"), "0");
      }
  }

 private:
  static std::shared_ptr<const Pack> pack() {
    static const auto loaded = std::make_shared<const Pack>(load_embedded_pack("kitchen").value());
    return loaded;
  }
  std::string made() const { return folder_ + "/made"; }
  std::string round() const { return folder_ + "/round"; }
  std::string rows_file() const {
    return kind_ == Kind::own ? round() + "/own.db" : round() + "/data/kitchen.db";
  }

  static void run_sql(const std::string& file, const char* sql) { ask(file, sql); }
  static std::string ask(const std::string& file, const char* sql) {
    sqlite3* database = nullptr;
    std::string out;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    const auto collect = [](void* text, int, char** values, char**) {
      *static_cast<std::string*>(text) += values[0] == nullptr ? "null" : values[0];
      return 0;
    };
    char* message = nullptr;
    sqlite3_exec(database, sql, collect, &out, &message);
    if (message != nullptr) out = message;
    sqlite3_free(message);
    sqlite3_close(database);
    return out;
  }

  Kind kind_;
  std::string folder_;
};

}  // namespace alfred
