// A directory with SQLite files for one test, and the tables in them: `notes` belong to nobody,
// `shelves` to users.
#pragma once

#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "storage/open_store.h"
#include "storage/tables_for_tests.h"

namespace alfred {

inline constexpr const char* kSchemaForTests =
    "CREATE TABLE notes (id integer PRIMARY KEY, title text NOT NULL UNIQUE, rank integer CHECK "
    "(rank < 1000), price real, is_old integer, extra jsonb);"
    "CREATE TABLE shelves (user_id text NOT NULL, id text NOT NULL, name text, parent text, "
    "PRIMARY KEY (user_id, id), UNIQUE (user_id, name), FOREIGN KEY (user_id, parent) REFERENCES "
    "shelves (user_id, id) DEFERRABLE INITIALLY DEFERRED);"
    "CREATE TABLE secrets (word text);";

inline constexpr Statement kThingsSteps[] = {
    "CREATE TABLE alfred_things (id text PRIMARY KEY NOT NULL, body text NOT NULL)"};
inline constexpr Migration kThingsMigrations[] = {{1, kThingsSteps}};
inline constexpr StateTables kTablesForTests[] = {{"things", kThingsMigrations}};

inline Field field_for_tests(std::string name, FieldType type, std::string database_type,
                             bool is_nullable = true) {
  return Field{.name = std::move(name),
               .type = type,
               .database_type = std::move(database_type),
               .is_nullable = is_nullable};
}

inline Table notes_for_tests() {
  Table table;
  table.name = "notes";
  table.key = {"id"};
  table.key_source = KeySource::database;
  table.fields = {field_for_tests("id", FieldType::integer, "integer", false),
                  field_for_tests("title", FieldType::text, "text", false),
                  field_for_tests("rank", FieldType::integer, "integer"),
                  field_for_tests("price", FieldType::number, "real"),
                  field_for_tests("is_old", FieldType::boolean, "integer"),
                  field_for_tests("extra", FieldType::json, "jsonb")};
  return table;
}

inline Table shelves_for_tests() {
  Table table;
  table.name = "shelves";
  table.owner = "user_id";
  table.key = {"id"};
  table.fields = {field_for_tests("user_id", FieldType::text, "text", false),
                  field_for_tests("id", FieldType::text, "text", false),
                  field_for_tests("name", FieldType::text, "text"),
                  field_for_tests("parent", FieldType::text, "text")};
  table.fields[0].is_hidden = true;
  table.fields[0].is_read_only = true;
  return table;
}

class SqliteFixture : public testing::Test {
 protected:
  SqliteFixture() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }
  ~SqliteFixture() override {
    std::error_code failure;
    std::filesystem::remove_all(directory_, failure);
  }

  std::string path(const std::string& name) const { return directory_ + "/" + name; }

  static StoreOptions ours() {
    StoreOptions options;
    options.is_ours = true;
    options.tables = kTablesForTests;
    options.packs = {PackTables{.name = "tests", .version = 1, .sql = kSchemaForTests}};
    return options;
  }

  static Result<std::unique_ptr<RecordStore>> open(const std::string& path,
                                                   const StoreOptions& options) {
    return open_records({DatabaseUrl::Kind::sqlite, path, path}, options);
  }

  // A database as somebody else makes it.
  static void make_foreign(const std::string& path, const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << (message == nullptr ? "" : message);
    sqlite3_free(message);
    sqlite3_close(database);
  }

  WriteCall call(std::string user = {}) const {
    return {new_short_id<IdKind::operation>(), "request",
            user.empty() ? Caller{} : Caller{std::move(user)}};
  }

  Result<std::string> add_note(RecordStore& store, const std::string& title) const {
    return store.write(call(), [&](Tx& tx) -> Result<std::string> {
      Result<Row> row = tx.insert({&notes_, {{notes_.fields.data() + 1, title}}, {}});
      if (!row) return Unexpected(std::move(row).error());
      return title;
    });
  }

  std::vector<std::string> titles(RecordStore& store) const {
    std::vector<std::string> out;
    const SelectRows plan{.table = &notes_,
                          .fields = {notes_.fields.data() + 1},
                          .order = {{notes_.fields.data(), false}}};
    const Result<void> done = store.read({}, [&](Tx& tx) -> Result<void> {
      Result<std::vector<Row>> rows = tx.select(plan);
      if (!rows) return Unexpected(std::move(rows).error());
      for (const Row& row : *rows) out.push_back(std::get<std::string>(row[0]));
      return {};
    });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return out;
  }

  const Table notes_ = notes_for_tests();
  const Table shelves_ = shelves_for_tests();

 private:
  std::string directory_;
};

}  // namespace alfred
