#include "records/undo/undo_rows.h"

#include <algorithm>
#include <limits>
#include <set>

#include "records/record_keys.h"
#include "records/undo/effects_json.h"
#include "records/write/albums_for_tests.h"

namespace alfred {
namespace {

class UndoRows : public AlbumsFixture {
 protected:
  // Makes a call that works, and remembers what it changed.
  void does(WriteCallFn function, std::string_view json) {
    Result<RecordOutcome> outcome = run(function, json);
    ASSERT_TRUE(outcome) << json << outcome.error().message << outcome.error().detail;
    for (RowEffect& effect : outcome->effects) effects.push_back(std::move(effect));
  }
  Result<RecordOutcome> undo(bool is_dry_run = false) {
    // By way of the text, as the engine does: a dry run by whole rows, and then by marks.
    const Result<RecordOutcome> whole = undo_kept(true, CreatedRows::whole);
    Result<RecordOutcome> marked = undo_kept(is_dry_run, CreatedRows::by_mark);
    EXPECT_EQ(whole.has_value(), marked.has_value());
    if (!whole && !marked) EXPECT_EQ(whole.error().message, marked.error().message);
    return marked;
  }
  Result<RecordOutcome> undo_kept(bool is_dry_run, CreatedRows created) {
    const std::vector<RowEffect> kept =
        read_effects(schema, write_effects(effects, created)).value();
    std::optional<RecordOutcome> outcome;
    const WriteCall call{new_short_id<IdKind::operation>(), "undo", Caller{user}};
    const Result<std::string> done = store->write(call, [&](Tx& tx) -> Result<std::string> {
      RecordContext now = context();
      Result<RecordOutcome> result = undo_rows(tx, now, {kept, is_dry_run});
      if (!result) return Unexpected(std::move(result).error());
      outcome = std::move(*result);
      return outcome->answer;
    });
    if (!done) return Unexpected(done.error());
    return std::move(*outcome);
  }
  void expect_conflict(const std::vector<std::string>& refs) {
    const std::string rows = everything();
    const std::string known = picture(registry);
    const Result<RecordOutcome> outcome = undo();
    ASSERT_FALSE(outcome) << outcome->answer;
    EXPECT_EQ(error_name(outcome.error().code), "conflict") << outcome.error().message;
    EXPECT_EQ(outcome.error().allowed, refs) << outcome.error().message;
    EXPECT_EQ(everything(), rows);
    EXPECT_EQ(picture(registry), known);
  }
  // As everything(), but for when rows were changed.
  std::string everything_but_times() {
    std::string out = everything();
    for (std::size_t at = 0; (at = out.find("updated_at:\"", at)) != std::string::npos; ++at)
      out.erase(at, out.find('"', at + 12) - at);
    return out;
  }

  std::vector<RowEffect> effects;
};

constexpr const char* kTwoAlbums =
    R"({"table":"albums","data":[{"name":"Kind of Blue","year":1959,"tags":["jazz"],"price":9.5,
      "extra":{"a":[1,2.5,null]},"made":"1959-08-17","tracks":[{"title":"So What","seconds":545,
      "takes":[{"note":"first"}]},{"title":"Blue in Green"}]},{"name":"Blue Train"}]})";

TEST_P(UndoRows, R1_created_rows_go_with_their_parts) {
  const std::string before = everything();
  does(&create_rows, kTwoAlbums);
  const Result<RecordOutcome> undone = undo();
  EXPECT_EQ(answer(undone), R"({"deleted":[{"ref":"album_2","label":"Blue Train"},)"
                            R"({"ref":"album_1","label":"Kind of Blue"}],"count":2,)"
                            R"("also_deleted":{"takes":{"count":1,"refs":["take_1"]},)"
                            R"("tracks":{"count":2,"refs":["track_1","track_2"]}}})");
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(status("album_1"), RefStatus::deleted);
}

TEST_P(UndoRows, R1_changed_fields_get_the_values_they_had) {
  does(&create_rows, kTwoAlbums);
  effects.clear();
  const std::string before = everything_but_times();
  clock.advance_ms(1000);
  does(&update_rows, R"({"table":"albums","data":[
      {"id":"album_1","year":null,"tags":[],"price":7,"extra":null},{"id":"album_2","name":"X"}]})");
  does(&update_rows, R"({"table":"albums","data":{"id":"album_2","name":"Y","mood":"calm"}})");
  ASSERT_NE(everything_but_times(), before);
  EXPECT_EQ(answer(undo()), R"({"updated":["album_2","album_1"],"count":2})");
  EXPECT_EQ(everything_but_times(), before);
}

TEST_P(UndoRows, what_nobody_was_shown_is_told_apart_and_not_counted) {
  does(&create_rows, kTwoAlbums);
  does(&create_rows, R"({"table":"plays","data":{"album_id":"album_1","day":"2026-01-02"}})");
  effects.clear();
  RefRegistry fresh;
  const TypeNo type = fresh.type_named("album", "albums").value();
  fresh.register_read(type, registry.key(registry.find("album_1"))).value();
  registry = std::move(fresh);
  does(&delete_rows, R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}]})");
  EXPECT_EQ(answer(undo()), R"({"created":[{"ref":"album_2","label":"Kind of Blue"}],"count":1,)"
                            R"("also_created":{"takes":{"count":1,"refs":["take_1"]},)"
                            R"("tracks":{"count":2,"refs":["track_1","track_2"]}},)"
                            R"("also_updated":{"plays":{"count":1}}})");
}

TEST_P(UndoRows, R3_deleted_rows_come_back_as_they_were_under_a_new_ref) {
  does(&create_rows, kTwoAlbums);
  does(&create_rows, R"({"table":"plays","data":{"album_id":"album_1","day":"2026-01-02"}})");
  effects.clear();
  const std::string before = everything_but_times();
  does(&delete_rows, R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}]})");
  ASSERT_NE(everything_but_times(), before);
  const std::string said = answer(undo());
  EXPECT_NE(said.find(R"("created":[{"ref":"album_3","label":"Kind of Blue"}])"), std::string::npos)
      << said;
  EXPECT_NE(said.find(R"("updated":["play_1"])"), std::string::npos) << said;
  EXPECT_EQ(everything_but_times(), before);
  EXPECT_EQ(status("album_1"), RefStatus::deleted);
}

TEST_P(UndoRows, R1_several_changes_of_one_row_are_taken_back_as_one) {
  const std::string before = everything();
  does(&create_rows, R"({"table":"albums","data":{"name":"A"}})");
  does(&update_rows, R"({"table":"albums","data":{"id":"album_1","name":"B"}})");
  does(&delete_rows, R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}]})");
  // A name that is free only on the way back step by step.
  does(&create_rows, R"({"table":"albums","data":{"name":"B"}})");
  EXPECT_TRUE(undo());
  EXPECT_EQ(everything(), before);
}

TEST_P(UndoRows, R2_a_row_that_was_changed_since_refuses_the_whole) {
  does(&create_rows, kTwoAlbums);
  ASSERT_TRUE(update(R"({"table":"albums","data":{"id":"album_2","year":1958}})"));
  expect_conflict({"album_2"});
}

TEST_P(UndoRows, R2_a_row_that_is_gone_refuses_the_whole) {
  does(&create_rows, kTwoAlbums);
  ASSERT_TRUE(
      remove(R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_2"}]})"));
  expect_conflict({"album_2"});
}

TEST_P(UndoRows, R2_a_row_that_leads_to_what_would_go_refuses_the_whole) {
  does(&create_rows, kTwoAlbums);
  ASSERT_TRUE(create(R"({"table":"plays","data":{"album_id":"album_2","day":"2026-01-02"}})"));
  expect_conflict({"play_1"});
}

// By a link that the database knows nothing of, from a row that has no ref.
TEST_P(UndoRows, R2_so_does_a_row_without_a_key) {
  std::vector<Table> tables(schema.tables().begin(), schema.tables().end());
  Table& reviews = *std::find_if(tables.begin(), tables.end(),
                                 [](const Table& table) { return table.name == "reviews"; });
  reviews.label.clear();
  reviews.key.clear();
  for (Field& field : reviews.fields)
    if (field.name == "body") field.link = FieldLink{"albums", OnDelete::refuse};
  schema = Schema::make(tables).value();
  does(&create_rows, R"({"table":"albums","data":{"name":"A"}})");
  const Table& table = *schema.find("reviews");
  const Field& body = *table.find("body");
  const Value id = std::string("00000000-0000-4000-8000-000000000001");
  const InsertRow row{
      &table,
      {{table.find("id"), id}, {&body, RecordKeys::link_value(body, effects.front().key)}},
      {}};
  const auto written = store->write({std::nullopt, "", Caller{user}}, [&](Tx& tx) {
    return tx.insert(row).map([](const Row&) { return std::string(); });
  });
  ASSERT_TRUE(written) << written.error().message;
  expect_conflict({});
  EXPECT_NE(undo().error().message.find("1 row of reviews would lead to nothing"),
            std::string::npos)
      << undo().error().message;
}

TEST_P(UndoRows, R4_what_the_database_does_not_take_back_refuses_the_whole) {
  does(&create_rows, R"({"table":"artists","data":[{"name":"Coltrane"}]})");
  effects.clear();
  does(&delete_rows,
       R"({"table":"artists","filters":[{"field":"id","op":"=","value":"artist_1"}]})");
  ASSERT_TRUE(create(R"({"table":"artists","data":[{"name":"Davis"},{"name":"Coltrane"}]})"));
  const std::string rows = everything();
  const Result<RecordOutcome> outcome = undo();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::conflict) << outcome.error().message;
  EXPECT_EQ(everything(), rows);
}

TEST_P(UndoRows, R1_an_undo_can_be_taken_back_itself) {
  does(&create_rows, kTwoAlbums);
  const std::string before = everything();
  Result<RecordOutcome> undone = undo();
  ASSERT_TRUE(undone) << undone.error().message;
  effects = std::move(undone->effects);
  EXPECT_TRUE(undo());
  EXPECT_EQ(everything(), before);
}

TEST_P(UndoRows, a_dry_run_changes_nothing) {
  does(&create_rows, kTwoAlbums);
  const std::string rows = everything();
  const std::string known = picture(registry);
  const std::string said = answer(undo(true));
  EXPECT_NE(said.find(R"("dry_run":true)"), std::string::npos) << said;
  EXPECT_EQ(everything(), rows);
  EXPECT_EQ(picture(registry), known);
}

TEST_P(UndoRows, a_dry_run_tells_no_ref_that_would_not_last) {
  ASSERT_TRUE(create(kTwoAlbums));
  does(&delete_rows, R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}]})");
  const std::string said = answer(undo(true));
  EXPECT_NE(said.find(R"("created":[{"label":"Kind of Blue"}])"), std::string::npos) << said;
  EXPECT_EQ(said.find("album_3"), std::string::npos) << said;
  EXPECT_EQ(said.find("track_"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(, UndoRows, testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres),
                         albums_place);

TEST(EffectsJson, R1_every_kind_of_value_comes_back) {
  const Value values[] = {Value(),
                          Value(true),
                          Value(std::int64_t{2}),
                          Value(2.0),
                          Value(-0.1),
                          Value(std::numeric_limits<double>::infinity()),
                          Value(std::string("é\n\"")),
                          Value(std::string("\xff\x00", 2)),
                          Value(Bytes{std::string("\x00\xfe", 2)}),
                          Value(std::numeric_limits<std::int64_t>::min())};
  for (const Value& value : values) {
    const std::string text = write_json(value_json(value));
    const Result<Value> read = read_value(parse_json(text, JsonLimits::none()).value());
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(*read == value) << text;
  }
}

TEST(EffectsJson, R3_a_mark_is_of_every_value_and_not_of_the_time_of_change) {
  Table table;
  table.fields.resize(3);
  table.fields[0].name = "a";
  table.fields[1].name = "b";
  table.fields[2].name = table.updated_at = "at";
  RowMarker marker;
  const auto mark = [&](Value a, Value b, Value at) {
    return marker.mark(table, {std::move(a), std::move(b), std::move(at)});
  };
  const std::int64_t one = 1;
  const std::string text = "1";
  std::set<std::string> marks;
  const Value values[] = {Value(),         Value(true),        Value(one),
                          Value(1.0),      Value(text),        Value(Bytes{text}),
                          Value(one << 8), Value(text + "\n"), Value(text + std::string(1, '\0'))};
  for (const Value& a : values)
    for (const Value& b : values) {
      EXPECT_TRUE(marks.insert(mark(a, b, text)).second);
      EXPECT_EQ(mark(a, b, text), mark(a, b, one));
    }
  EXPECT_EQ(mark(0.0, text, text), mark(-0.0, text, text));
  // What two texts are together is not what tells them apart.
  EXPECT_NE(mark(std::string("ab"), text, text), mark(std::string("a"), "b" + text, text));
}

TEST(EffectsJson, R3_a_table_whose_columns_changed_places_is_a_conflict) {
  std::vector<Table> tables = albums_tables();
  const Schema before = Schema::make(tables).value();
  RowEffect effect{RowEffect::Kind::created,
                   before.find("shelves"),
                   RecordKey::text("a"),
                   "",
                   std::nullopt,
                   Row{Value(std::string("a")), Value()}};
  const std::string text = write_effects(std::span(&effect, 1), CreatedRows::by_mark);
  const std::vector<RowEffect> read = read_effects(before, text).value();
  EXPECT_TRUE(read.at(0).key == effect.key);
  EXPECT_EQ(read.at(0).mark, RowMarker().mark(*effect.table, *effect.after));
  for (Table& table : tables)
    if (table.name == "shelves") std::swap(table.fields[0], table.fields[1]);
  const Schema after = Schema::make(tables).value();
  EXPECT_EQ(read_effects(after, text).error().code, ErrorCode::conflict);
}

// And one by one, as they were kept before.
TEST(EffectsJson, R3_rows_that_were_created_one_after_the_other_are_one_list) {
  const Schema schema = Schema::make(albums_tables()).value();
  const Table* const shelves = schema.find("shelves");
  const auto row = [](std::string_view key) {
    return Row{Value(std::string(key)), Value(std::string("of ") + std::string(key))};
  };
  const auto created = [&](std::string_view key) {
    return RowEffect{
        RowEffect::Kind::created, shelves, RecordKey::text(key), "", std::nullopt, row(key)};
  };
  std::vector<RowEffect> effects{created("a"), created("b"), created("c"), created("d")};
  effects[2].kind = RowEffect::Kind::updated;
  effects[2].before = row("c");
  const std::string text = write_effects(effects, CreatedRows::by_mark);
  const auto mark = [&](std::size_t at) { return RowMarker().mark(*shelves, *effects[at].after); };
  EXPECT_NE(text.find(R"({"table":"shelves","created":["a",")" + mark(0) + R"(","b",")" + mark(1) +
                      R"("]},{"table":"shelves","before":)"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with(R"({"table":"shelves","created":["d",")" + mark(3) + R"("]}]})"))
      << text;
  const std::string before = R"({"tables":{"shelves":["code","title"]},"rows":[)"
                             R"({"table":"shelves","key":["a"],"mark":"m"}]})";
  const std::vector<RowEffect> read = read_effects(schema, text).value();
  ASSERT_EQ(read.size(), effects.size());
  for (std::size_t at = 0; at < read.size(); ++at) {
    EXPECT_TRUE(read[at].key == effects[at].key) << at;
    EXPECT_EQ(read[at].kind, effects[at].kind) << at;
    EXPECT_EQ(read[at].mark, at == 2 ? "" : mark(at)) << at;
  }
  const std::vector<RowEffect> old = read_effects(schema, before).value();
  ASSERT_EQ(old.size(), 1U);
  EXPECT_TRUE(old[0].key == effects[0].key);
  EXPECT_EQ(old[0].mark, "m");
}

TEST(EffectsJson, R3_keys_that_are_uuids_are_one_text_with_their_marks) {
  const Schema schema = Schema::make(albums_tables()).value();
  const Table* const shelves = schema.find("shelves");
  const std::string_view kUuids[] = {"00000000-0000-0000-0000-000000000001",
                                     "fedcba98-7654-3210-8765-4321fedcba98"};
  std::vector<RowEffect> effects;
  for (const std::string_view one : {kUuids[0], kUuids[1], std::string_view("word"), kUuids[0]})
    effects.push_back({RowEffect::Kind::created, shelves, RecordKey::from_text(one), "",
                       std::nullopt, Row{Value(std::string(one)), Value()}});
  const std::string text = write_effects(effects, CreatedRows::by_mark);
  for (const std::string_view uuid : kUuids) EXPECT_EQ(text.find(uuid), std::string::npos) << text;
  const std::vector<RowEffect> read = read_effects(schema, text).value();
  ASSERT_EQ(read.size(), effects.size()) << text;
  for (std::size_t at = 0; at < read.size(); ++at) {
    const Row& row = *effects[at].after;
    EXPECT_TRUE(read[at].key == effects[at].key) << at;
    EXPECT_TRUE(RowMarker().is_mark_of(read[at].mark, *shelves, row)) << at;
    EXPECT_FALSE(RowMarker().is_mark_of(read[at].mark, *shelves, {row[0], row[0]})) << at;
  }
  const auto fault = [&](std::string_view created) {
    const std::string bad = R"({"tables":{"shelves":["code","title"]},"rows":[{"table":"shelves",)"
                            R"("created":")" +
                            std::string(created) + R"("}]})";
    return read_effects(schema, bad).error().code;
  };
  EXPECT_EQ(fault("not+base64"), ErrorCode::corrupt);
  EXPECT_EQ(fault("AAAA"), ErrorCode::corrupt);
}

// Marks were of thirty-two digits before.
TEST(EffectsJson, R3_a_longer_mark_of_before_is_still_one) {
  const Schema schema = Schema::make(albums_tables()).value();
  const Table& shelves = *schema.find("shelves");
  const Row row{Value(std::string("a")), Value()};
  RowMarker marker;
  std::string longer;
  for (const unsigned char byte : marker.digest(shelves, row))
    longer += fmt::format("{:02x}", byte);
  EXPECT_EQ(longer.size(), 32U);
  EXPECT_TRUE(marker.is_mark_of(longer, shelves, row));
  EXPECT_TRUE(marker.is_mark_of(longer.substr(0, 16), shelves, row));
  longer.back() = longer.back() == '0' ? '1' : '0';
  EXPECT_FALSE(marker.is_mark_of(longer, shelves, row));
  for (const std::size_t size : {0U, 1U, 15U, 17U})
    EXPECT_FALSE(marker.is_mark_of(longer.substr(0, size), shelves, row)) << size;
}

TEST(EffectsJson, R2_a_column_that_is_gone_is_a_conflict) {
  std::vector<Table> tables = albums_tables();
  const Schema before = Schema::make(tables).value();
  RowEffect effect{RowEffect::Kind::created,
                   before.find("shelves"),
                   RecordKey::text("a"),
                   "",
                   std::nullopt,
                   Row{Value(std::string("a")), Value()}};
  const std::string text = write_effects(std::span(&effect, 1));
  ASSERT_TRUE(read_effects(before, text));
  for (Table& table : tables)
    if (table.name == "shelves") table.fields[1].name = "heading";
  for (Table& table : tables)
    if (table.name == "shelves") table.label.clear();
  const Schema after = Schema::make(tables).value();
  EXPECT_EQ(read_effects(after, text).error().code, ErrorCode::conflict);
  EXPECT_EQ(read_effects(before, "{").error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace alfred
