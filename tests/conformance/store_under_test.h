// The two stores as one parameter: each test gets a fresh database of ours with the library's
// tables.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "storage/library_for_tests.h"
#include "storage/open_store.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {

enum class StoreKind { sqlite, postgres };

inline std::string store_name(const testing::TestParamInfo<StoreKind>& kind) {
  return kind.param == StoreKind::sqlite ? "sqlite" : "postgres";
}

// Where a database lies; a file goes with it.
class PlaceForTests {
 public:
  explicit PlaceForTests(StoreKind kind) {
    if (kind == StoreKind::postgres) {
      url_ = PostgresForTests::server().fresh_database();
      return;
    }
    dir_ = (std::filesystem::temp_directory_path() / "alfredXXXXXX").string();
    if (::mkdtemp(dir_.data()) == nullptr) throw std::runtime_error("cannot make " + dir_);
    url_ = "sqlite:" + dir_ + "/library.db";
  }
  PlaceForTests(const PlaceForTests&) = delete;
  PlaceForTests& operator=(const PlaceForTests&) = delete;
  ~PlaceForTests() {
    if (!dir_.empty()) std::filesystem::remove_all(dir_);
  }
  DatabaseUrl url() const { return parse_database_url(url_).value(); }

 private:
  std::string url_;
  std::string dir_;
};

inline constexpr Statement kLetters[] = {
    "CREATE TABLE letters (id text PRIMARY KEY NOT NULL, size integer, weight real, body text)"};
inline constexpr Migration kLetterMigrations[] = {{1, kLetters}};
inline constexpr StateTables kStateTables[] = {{"letters", kLetterMigrations}};

inline std::unique_ptr<RecordStore> open_library(const DatabaseUrl& url) {
  StoreOptions options;
  options.is_ours = true;
  options.tables = kStateTables;
  options.packs = {Library::pack()};
  Result<std::unique_ptr<RecordStore>> store = open_records(url, options);
  if (!store) throw std::runtime_error(store.error().message + " " + store.error().detail);
  return std::move(*store);
}

inline std::string told(const Error& error) {
  return std::string(error_name(error.code)) + ": " + error.message + " | " + error.detail;
}

class StoreUnderTest : public testing::TestWithParam<StoreKind> {
 protected:
  // What a write of one insert says: nothing when it is stored.
  std::optional<Error> store_row(const InsertRow& plan, const std::string& user = "ann") {
    const Result<std::string> answer =
        store_->write(call_of(user), [&](Tx& tx) -> Result<std::string> {
          const Result<Row> row = tx.insert(plan);
          if (!row) return Unexpected(row.error());
          return "stored";
        });
    if (answer) return std::nullopt;
    return answer.error();
  }

  std::vector<Row> rows_of(const SelectRows& plan, const std::string& user = "ann") {
    std::vector<Row> out;
    const Result<void> read = store_->read(Caller{user}, [&](Tx& tx) -> Result<void> {
      Result<std::vector<Row>> rows = tx.select(plan);
      if (!rows) return Unexpected(rows.error());
      out = std::move(*rows);
      return {};
    });
    EXPECT_TRUE(read.has_value()) << told(read.error());
    return out;
  }

  // The texts of one column of the rows a condition holds for, in the order of the key.
  std::vector<std::string> bodies(const Condition& where, std::vector<OrderBy> order = {}) {
    SelectRows plan = select_from(library_.notes, {"body"});
    plan.where = where;
    plan.order = std::move(order);
    plan.order.push_back({field_of(library_.notes, "id"), false});
    std::vector<std::string> out;
    for (const Row& row : rows_of(plan))
      out.push_back(is_null(row[0]) ? "null" : std::get<std::string>(row[0]));
    return out;
  }

  void add_note(const Value& body, const Value& number = {}, const Value& amount = {}) {
    const std::optional<Error> error = store_row(
        insert_into(library_.notes, {{"body", body}, {"number", number}, {"amount", amount}}));
    ASSERT_FALSE(error.has_value()) << told(*error);
  }

  PlaceForTests place_{GetParam()};
  std::unique_ptr<RecordStore> store_ = open_library(place_.url());
  Library library_;
};

}  // namespace alfred
