// What the tests of this folder share: a fresh database, opened as ours or as a user's own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "storage/library_for_tests.h"
#include "storage/postgres/cutting_proxy_for_tests.h"
#include "storage/postgres/postgres_database.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {

class PostgresStoreForTests : public testing::Test {
 protected:
  static std::unique_ptr<PostgresDatabase> open(const std::string& url,
                                                const StoreOptions& options = ours()) {
    Result<std::unique_ptr<PostgresDatabase>> database =
        PostgresDatabase::open(DatabaseUrl{DatabaseUrl::Kind::postgres, url, "test"}, options);
    if (!database)
      throw std::runtime_error(database.error().message + " " + database.error().detail);
    return std::move(*database);
  }

  static StoreOptions ours() {
    StoreOptions options;
    options.is_ours = true;
    options.packs = {Library::pack()};
    options.busy_timeout_ms = 3000;
    return options;
  }
  static StoreOptions foreign() {
    StoreOptions options;
    options.busy_timeout_ms = 3000;
    return options;
  }

  // Adds a shelf and answers its id.
  WriteFn add_shelf(const std::string& id) {
    return [this, id](Tx& tx) -> Result<std::string> {
      ++runs_;
      Result<Row> row = tx.insert(insert_into(library_.shelves, {{"id", id}, {"name", id}}));
      if (!row) return Unexpected(row.error());
      return id;
    };
  }
  std::string count(const std::string& table) const {
    return PostgresForTests::ask(url_, "SELECT count(*) FROM " + table);
  }
  static std::string told(const Error& error) {
    return std::string(error_name(error.code)) + ": " + error.message + " | " + error.detail;
  }

  PostgresForTests& server_ = PostgresForTests::server();
  std::string url_ = server_.fresh_database();
  Library library_;
  std::atomic<int> runs_ = 0;
};

}  // namespace alfred
