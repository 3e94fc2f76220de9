// For tests only: the collection of music (albums_schema_for_tests.h) in a real SQLite file or a
// real PostgreSQL, and calls on it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "records/field_value.h"
#include "records/write/albums_schema_for_tests.h"
#include "records/write/batch/batch_write.h"
#include "records/write/write_rows.h"
#include "refs/registry/registry_for_tests.h"
#include "storage/open_store.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {

enum class AlbumsPlace : std::uint8_t { sqlite, postgres };

inline std::string albums_place(const testing::TestParamInfo<AlbumsPlace>& place) {
  return place.param == AlbumsPlace::sqlite ? "sqlite" : "postgres";
}

// One store of each kind serves all tests of a program; each test begins without rows.
class AlbumsStore {
 public:
  static AlbumsStore& one(AlbumsPlace place) {
    if (place == AlbumsPlace::postgres) {
      static AlbumsStore postgres(PostgresForTests::server().lasting_database(), place);
      return postgres;
    }
    static AlbumsStore sqlite("", place);
    return sqlite;
  }
  static Schema schema(AlbumsPlace place) {
    return place == AlbumsPlace::postgres ? with_postgres_types(albums_tables())
                                          : Schema::make(albums_tables()).value();
  }
  AlbumsStore(const AlbumsStore&) = delete;
  AlbumsStore& operator=(const AlbumsStore&) = delete;
  ~AlbumsStore() {
    store_.reset();
    std::error_code failure;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, failure);
  }

  RecordStore* store() { return store_.get(); }
  void empty(const Schema& schema) {
    for (const char* owner : {"ann", "bob"}) {
      const Result<std::string> done =
          store_->write({std::nullopt, "", Caller{owner}}, [&](Tx& tx) -> Result<std::string> {
            for (std::size_t i = schema.tables().size(); i > 0; --i) {
              const Table& table = schema.tables()[i - 1];
              Condition any{.kind = Condition::Kind::is_not_null, .field = &table.fields.front()};
              const Result<std::uint64_t> gone = tx.remove({&table, std::move(any)});
              if (!gone) return Unexpected(gone.error());
            }
            return std::string();
          });
      EXPECT_TRUE(done) << done.error().message << done.error().detail;
    }
  }

 private:
  // Without a URL: a file of its own.
  AlbumsStore(std::string url, AlbumsPlace place) {
    if (url.empty()) {
      std::string pattern = (std::filesystem::temp_directory_path() / "alfred-XXXXXX").string();
      directory_ = ::mkdtemp(pattern.data());
      url = "sqlite:" + directory_ + "/albums.db";
    }
    StoreOptions options;
    options.is_ours = true;
    PackTables tables;
    tables.name = "albums";
    tables.sql = kAlbumsSql;
    const Schema owned = schema(place);
    for (const Table& table : owned.tables())
      if (!table.owner.empty()) tables.owners[table.name] = table.owner;
    options.packs = {tables};
    Result<std::unique_ptr<RecordStore>> opened =
        open_records(parse_database_url(url).value(), options);
    if (!opened) throw std::runtime_error(opened.error().message + opened.error().detail);
    store_ = std::move(*opened);
  }

  std::string directory_;
  std::unique_ptr<RecordStore> store_;
};

class AlbumsFixture : public testing::TestWithParam<AlbumsPlace> {
 protected:
  AlbumsFixture() : store(AlbumsStore::one(GetParam()).store()) {
    AlbumsStore::one(GetParam()).empty(schema);
  }

  RecordContext context() {
    return RecordContext{.schema = schema,
                         .registry = registry,
                         .caller = Caller{user},
                         .clock = clock,
                         .random = random,
                         .limits = limits};
  }

  using WriteCallFn = Result<RecordOutcome> (*)(Tx&, RecordContext&, const Json&);
  Result<RecordOutcome> run(WriteCallFn function, std::string_view json) {
    const Json params = parse_json(json, JsonLimits::none()).value();
    std::optional<RecordOutcome> outcome;
    const WriteCall call{new_short_id<IdKind::operation>(), std::string(json), Caller{user}};
    const Result<std::string> done = store->write(call, [&](Tx& tx) -> Result<std::string> {
      RecordContext now = context();
      Result<RecordOutcome> result = function(tx, now, params);
      if (!result) return Unexpected(std::move(result).error());
      outcome = std::move(*result);
      return outcome->answer;
    });
    if (!done) return Unexpected(done.error());
    return std::move(*outcome);
  }
  Result<RecordOutcome> create(std::string_view json) { return run(&create_rows, json); }
  Result<RecordOutcome> update(std::string_view json) { return run(&update_rows, json); }
  Result<RecordOutcome> remove(std::string_view json) { return run(&delete_rows, json); }

  // The answer of a call that works.
  static std::string answer(const Result<RecordOutcome>& outcome) {
    EXPECT_TRUE(outcome) << outcome.error().message << " " << outcome.error().path << " "
                         << outcome.error().detail;
    return outcome ? outcome->answer : "";
  }
  // The code of a call that is refused: it changed nothing, and its words are safe.
  void expect_refused(WriteCallFn function, std::string_view json, ErrorCode code) {
    const std::string rows = everything();
    const std::string refs = picture(registry);
    const Result<RecordOutcome> outcome = run(function, json);
    ASSERT_FALSE(outcome) << json << outcome->answer;
    last = outcome.error();
    EXPECT_EQ(error_name(last.code), error_name(code)) << json << "\n" << last.message;
    EXPECT_LE(last.message.size(), 400U);
    EXPECT_LE(last.allowed.size(), 10U);
    EXPECT_EQ(everything(), rows) << json;
    EXPECT_EQ(picture(registry), refs) << json;
  }

  // All rows of a table that a user has, by key, as JSON of their columns.
  std::vector<std::string> rows(std::string_view table_name, std::string_view of_user = "ann") {
    const Table& table = *schema.find(table_name);
    SelectRows plan{.table = &table};
    for (const Field& field : table.fields) plan.fields.push_back(&field);
    for (const std::string& column : table.key) plan.order.push_back({table.find(column), false});
    std::vector<std::string> out;
    const Result<void> read = store->read(Caller{std::string(of_user)}, [&](Tx& tx) {
      return tx.scan(plan, [&](const Row& row) -> Result<bool> {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) {
          text += (i == 0 ? "" : ",") + table.fields[i].name + ":";
          append_field_json(table.fields[i], row[i], text);
        }
        out.push_back(std::move(text));
        return true;
      });
    });
    EXPECT_TRUE(read) << read.error().message << read.error().detail;
    return out;
  }
  std::size_t count(std::string_view table) { return rows(table).size(); }
  std::string everything() {
    std::string out;
    for (const Table& table : schema.tables())
      for (const char* one : {"ann", "bob"})
        for (const std::string& row : rows(table.name, one)) out += table.name + " " + row + "\n";
    return out;
  }

  std::string generate(std::string_view type, std::string_view table, std::string_view label) {
    const TypeNo number = registry.type_named(type, table).value();
    const EntityNo entity = registry.register_generated(number, label, {1, 0}).value();
    return std::string(registry.ref(entity).text());
  }
  RefStatus status(std::string_view ref) { return registry.status(registry.find(ref)); }
  BatchManifest batch(std::string table, std::vector<std::string> refs) {
    return BatchManifest::declare(BatchId::random(random), std::move(table), std::move(refs))
        .value();
  }
  Result<BatchOutcome> run_batch(BatchManifest& manifest, std::string_view tool,
                                 std::string_view json) {
    const Json params = parse_json(json, JsonLimits::none()).value();
    std::optional<BatchOutcome> outcome;
    const WriteCall call{new_short_id<IdKind::operation>(), std::string(json), Caller{user}};
    const Result<std::string> done = store->write(call, [&](Tx& tx) -> Result<std::string> {
      RecordContext now = context();
      now.is_only_to_fail = is_only_to_fail;
      Result<BatchOutcome> result = write_batch(tx, now, manifest, tool, params);
      if (!result) return Unexpected(std::move(result).error());
      outcome = std::move(*result);
      return outcome->outcome.answer;
    });
    if (!done) return Unexpected(done.error());
    return std::move(*outcome);
  }

  bool is_only_to_fail = false;
  Schema schema = AlbumsStore::schema(GetParam());
  RefRegistry registry;
  ManualClock clock{1'767'578'849'000};
  SeededRandom random{11};
  RecordLimits limits;
  std::string user = "ann";
  RecordStore* store;
  Error last;
};

}  // namespace alfred
