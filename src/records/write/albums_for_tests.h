// For tests only: a collection of music in a real SQLite file or a real PostgreSQL, with every kind
// of key, an owner, nested rows of nested rows, links that cascade, empty themselves or refuse, and
// an atomic table.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "records/field_value.h"
#include "records/write/batch_write.h"
#include "records/write/write_rows.h"
#include "refs/registry_for_tests.h"
#include "storage/open_store.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {

inline constexpr const char* kAlbumsSql = R"(
CREATE TABLE artists (no integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE albums (id text PRIMARY KEY NOT NULL, user_id text NOT NULL, name text NOT NULL,
  year integer, mood text, tags text, notes text, price real, made text, extra text,
  parent_id text REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED, secret text,
  created_at text, updated_at text, CHECK (year < 3000), UNIQUE (user_id, name));
CREATE TABLE tracks (id text PRIMARY KEY NOT NULL, user_id text NOT NULL,
  album_id text NOT NULL REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED,
  artist_no integer REFERENCES artists (no) DEFERRABLE INITIALLY DEFERRED,
  title text NOT NULL, seconds integer CHECK (seconds > 0), is_live integer NOT NULL);
CREATE TABLE takes (no integer PRIMARY KEY, user_id text NOT NULL,
  track_id text NOT NULL REFERENCES tracks (id) DEFERRABLE INITIALLY DEFERRED, note text);
CREATE TABLE plays (id text PRIMARY KEY NOT NULL, user_id text NOT NULL,
  album_id text REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED,
  day text NOT NULL, times integer NOT NULL CHECK (times > 0), updated_at text);
CREATE TABLE reviews (id text PRIMARY KEY NOT NULL, user_id text NOT NULL,
  album_id text REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED, body text);
CREATE TABLE shelves (code text PRIMARY KEY NOT NULL, title text);
CREATE TABLE places (shelf_code text NOT NULL REFERENCES shelves (code),
  album_id text NOT NULL REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED,
  position integer, PRIMARY KEY (shelf_code, album_id));
CREATE TABLE charts (name text PRIMARY KEY NOT NULL, week integer);
)";

inline Field album_field(std::string name, FieldType type, bool is_nullable = true) {
  Field field;
  field.name = std::move(name);
  field.type = type;
  const bool is_number = type == FieldType::integer || type == FieldType::boolean;
  field.database_type = is_number ? "integer" : type == FieldType::number ? "real" : "text";
  field.is_nullable = is_nullable;
  return field;
}

inline Field album_link(std::string name, std::string table, OnDelete on_delete,
                        bool is_nullable = true) {
  const FieldType type = table == "artists" ? FieldType::integer : FieldType::text;
  Field field = album_field(std::move(name), type, is_nullable);
  field.link = FieldLink{std::move(table), on_delete};
  return field;
}

inline Table album_table(std::string name, std::vector<std::string> key, std::string label,
                         std::vector<Field> fields) {
  Table table;
  table.name = std::move(name);
  table.key = std::move(key);
  table.label = std::move(label);
  table.fields = std::move(fields);
  if (table.find("user_id") != nullptr) table.owner = "user_id";
  if (table.find("created_at") != nullptr) table.created_at = "created_at";
  if (table.find("updated_at") != nullptr) table.updated_at = "updated_at";
  return table;
}

inline Schema albums_schema() {
  using enum FieldType;
  const Field owner = album_field("user_id", text, false);
  Table artists =
      album_table("artists", {"no"}, "name",
                  {album_field("no", integer, false), album_field("name", text, false)});
  artists.key_source = KeySource::database;
  Table albums = album_table(
      "albums", {"id"}, "name",
      {album_field("id", uuid, false), owner, album_field("name", text, false),
       album_field("year", integer), album_field("mood", text), album_field("tags", list),
       album_field("notes", text), album_field("price", number), album_field("made", date),
       album_field("extra", json), album_link("parent_id", "albums", OnDelete::set_null),
       album_field("secret", text), album_field("created_at", instant),
       album_field("updated_at", instant)});
  albums.fields[4].enum_values = {"calm", "loud"};
  albums.fields[4].value_aliases = {{"quiet", "calm"}};
  albums.fields[11].is_hidden = true;
  albums.relations = {{"tracks", "tracks", "album_id"}};
  Table tracks = album_table(
      "tracks", {"id"}, "title",
      {album_field("id", uuid, false), owner,
       album_link("album_id", "albums", OnDelete::cascade, false),
       album_link("artist_no", "artists", OnDelete::refuse), album_field("title", text, false),
       album_field("seconds", integer), album_field("is_live", boolean, false)});
  tracks.fields[6].default_value = false;
  tracks.relations = {{"takes", "takes", "track_id"}};
  Table takes = album_table(
      "takes", {"no"}, "note",
      {album_field("no", integer, false), owner,
       album_link("track_id", "tracks", OnDelete::cascade, false), album_field("note", text)});
  takes.key_source = KeySource::database;
  Table plays = album_table(
      "plays", {"id"}, "",
      {album_field("id", uuid, false), owner, album_link("album_id", "albums", OnDelete::set_null),
       album_field("day", date, false), album_field("times", integer, false),
       album_field("updated_at", instant)});
  plays.fields[4].default_value = 1;
  plays.batch_policy = BatchPolicy::atomic;
  Table reviews =
      album_table("reviews", {"id"}, "body",
                  {album_field("id", uuid, false), owner,
                   album_link("album_id", "albums", OnDelete::refuse), album_field("body", text)});
  Table shelves = album_table("shelves", {"code"}, "title",
                              {album_field("code", text, false), album_field("title", text)});
  shelves.key_source = KeySource::caller;
  Table places = album_table("places", {"shelf_code", "album_id"}, "",
                             {album_link("shelf_code", "shelves", OnDelete::refuse, false),
                              album_link("album_id", "albums", OnDelete::cascade, false),
                              album_field("position", integer)});
  places.key_source = KeySource::caller;
  Table charts = album_table("charts", {"name"}, "",
                             {album_field("name", text, false), album_field("week", integer)});
  charts.key_source = KeySource::caller;
  charts.is_read_only = true;
  return Schema::make({artists, albums, tracks, takes, plays, reviews, shelves, places, charts})
      .value();
}

enum class AlbumsPlace : std::uint8_t { sqlite, postgres };

inline std::string albums_place(const testing::TestParamInfo<AlbumsPlace>& place) {
  return place.param == AlbumsPlace::sqlite ? "sqlite" : "postgres";
}

class AlbumsFixture : public testing::TestWithParam<AlbumsPlace> {
 protected:
  AlbumsFixture() {
    StoreOptions options;
    options.is_ours = true;
    PackTables tables;
    tables.name = "albums";
    tables.sql = kAlbumsSql;
    for (const Table& table : schema.tables())
      if (!table.owner.empty()) tables.owners[table.name] = table.owner;
    options.packs = {tables};
    Result<std::unique_ptr<RecordStore>> opened =
        open_records(parse_database_url(place_url()).value(), options);
    if (opened)
      store = std::move(*opened);
    else
      ADD_FAILURE() << opened.error().message << opened.error().detail;
  }
  ~AlbumsFixture() override {
    store.reset();
    std::error_code failure;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, failure);
  }

  std::string place_url() {
    if (GetParam() == AlbumsPlace::postgres) return PostgresForTests::server().fresh_database();
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    return "sqlite:" + directory_ + "/albums.db";
  }

  RecordContext context() {
    return {schema, registry, Caller{user}, clock, random, limits, nullptr, is_recovering};
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
      Result<BatchOutcome> result = write_batch(tx, now, manifest, tool, params);
      if (!result) return Unexpected(std::move(result).error());
      outcome = std::move(*result);
      return outcome->outcome.answer;
    });
    if (!done) return Unexpected(done.error());
    return std::move(*outcome);
  }

  Schema schema = albums_schema();
  RefRegistry registry;
  ManualClock clock{1'767'578'849'000};
  SeededRandom random{11};
  RecordLimits limits;
  std::string user = "ann";
  bool is_recovering = false;
  std::unique_ptr<RecordStore> store;
  Error last;

 private:
  std::string directory_;
};

}  // namespace alfred
