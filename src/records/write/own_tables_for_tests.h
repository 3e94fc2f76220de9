// For tests only: tables of a test's own in a real SQLite file or a real PostgreSQL, the schema
// derived from them, and the calls of AlbumsFixture on them.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pack/derive.h"
#include "records/read/read_rows.h"
#include "records/undo/effects_json.h"
#include "records/undo/undo_rows.h"
#include "records/write/albums_for_tests.h"
#include "records/write/row_writer.h"

namespace alfred {

class OwnTables : public AlbumsFixture {
 protected:
  ~OwnTables() override {
    opened_.reset();
    std::error_code failure;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, failure);
  }

  // Rows of tables with a user_id belong to that user.
  void open(const std::string& sql) {
    if (GetParam() == AlbumsPlace::postgres) {
      url_ = PostgresForTests::server().fresh_database();
    } else {
      std::string pattern = (std::filesystem::temp_directory_path() / "alfred-XXXXXX").string();
      directory_ = ::mkdtemp(pattern.data());
      url_ = "sqlite:" + directory_ + "/own.db";
    }
    StoreOptions options;
    options.is_ours = true;
    PackTables tables;
    tables.name = "own";
    tables.sql = sql;
    options.packs = {tables};
    Result<std::unique_ptr<RecordStore>> opened =
        open_records(parse_database_url(url_).value(), options);
    ASSERT_TRUE(opened) << opened.error().message << opened.error().detail;
    opened_ = std::move(*opened);
    use(*opened_);
  }
  void use(RecordStore& now) {
    store = &now;
    whole_ = derive_schema(now.catalogue().value(), {.owner = "user_id"}).value();
    schema = whole_;
  }
  // Calls from here on know nothing of this table.
  void hide(std::string_view table) {
    std::vector<Table> tables;
    for (const Table& one : whole_.tables()) {
      if (one.name == table) continue;
      tables.push_back(one);
      std::erase_if(tables.back().relations,
                    [&](const Relation& relation) { return relation.table == table; });
    }
    schema = Schema::make(std::move(tables)).value();
  }
  // A row that no call makes, as whoever fills the database would.
  void put(std::string_view table_name, const std::vector<std::pair<std::string, Value>>& values,
           const std::string& owner = "ann") {
    const Table& table = *whole_.find(table_name);
    InsertRow plan{&table, {}, {}};
    for (const auto& [name, value] : values) plan.values.push_back({table.find(name), value});
    const Result<std::string> done =
        store->write({std::nullopt, "", Caller{owner}}, [&](Tx& tx) -> Result<std::string> {
          const Result<Row> row = tx.insert(plan);
          if (!row) return Unexpected(row.error());
          return std::string();
        });
    ASSERT_TRUE(done) << done.error().message << done.error().detail;
  }
  // All rows of all tables, of both users, whatever calls know of.
  std::string all() {
    std::string out;
    for (const Table& table : whole_.tables())
      for (const char* owner : {"ann", "bob"}) {
        SelectRows plan{.table = &table, .fields = all_fields(table)};
        for (const std::string& key : table.key) plan.order.push_back({table.find(key), false});
        const Result<void> read = store->read(Caller{owner}, [&](Tx& tx) {
          return tx.scan(plan, [&](const Row& row) -> Result<bool> {
            out += "\n" + table.name;
            for (std::size_t i = 0; i < row.size(); ++i)
              append_field_json(table.fields[i], row[i], out += "," + table.fields[i].name + ":");
            return true;
          });
        });
        EXPECT_TRUE(read) << read.error().message << read.error().detail;
      }
    return out;
  }
  // What a call changed is taken back.
  Result<RecordOutcome> undo(const RecordOutcome& of) {
    const std::vector<RowEffect> kept =
        read_effects(schema, write_effects(of.effects, CreatedRows::whole)).value();
    std::optional<RecordOutcome> outcome;
    const WriteCall call{new_short_id<IdKind::operation>(), "undo", Caller{user}};
    const Result<std::string> done = store->write(call, [&](Tx& tx) -> Result<std::string> {
      RecordContext now = context();
      Result<RecordOutcome> result = undo_rows(tx, now, {kept, false});
      if (!result) return Unexpected(std::move(result).error());
      outcome = std::move(*result);
      return outcome->answer;
    });
    if (!done) return Unexpected(done.error());
    return std::move(*outcome);
  }
  // The answer of a read.
  Result<std::string> read(const std::string& params) {
    std::string said;
    const Json call = parse_json(params, JsonLimits::none()).value();
    const Result<void> done = store->read(Caller{user}, [&](Tx& tx) -> Result<void> {
      RecordContext now = context();
      Result<RecordOutcome> outcome = read_rows(tx, now, call);
      if (!outcome) return Unexpected(std::move(outcome).error());
      said = std::move(outcome->answer);
      return {};
    });
    if (!done) return Unexpected(done.error());
    return said;
  }
  static std::string by_ref(std::string_view table, std::string_view ref) {
    return R"({"table":")" + std::string(table) +
           R"(","filters":[{"field":"id","op":"=","value":")" + std::string(ref) + R"("}]})";
  }

  std::string url_;

 private:
  std::string directory_;
  std::unique_ptr<RecordStore> opened_;
  Schema whole_;
};

}  // namespace alfred
