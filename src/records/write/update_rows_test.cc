#include <gtest/gtest.h>

#include "records/write/albums_for_tests.h"

namespace alfred {
namespace {

class UpdateRows : public AlbumsFixture {
 protected:
  void SetUp() override {
    answer(create(R"({"table":"artists","data":[{"name":"Joni"},{"name":"Nico"}]})"));
    answer(create(
        R"({"table":"albums","data":[{"name":"Blue","year":1971,"notes":"n"},{"name":"Hejira","year":1976},{"name":"Mingus","year":1979}]})"));
  }
  std::string album(std::string_view name) {
    for (const std::string& row : rows("albums"))
      if (row.find("name:\"" + std::string(name) + "\"") != std::string::npos) return row;
    return "none";
  }
};

TEST_P(UpdateRows, scenario_2_one_row_changes_through_its_ref) {
  const std::string others = album("Hejira") + album("Mingus");
  clock.advance_ms(5000);
  const auto done = update(
      R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}],"data":{"year":1972}})");
  EXPECT_EQ(answer(done), R"({"updated":["album_1"],"count":1})");
  EXPECT_NE(album("Blue").find("year:1972,mood:null"), std::string::npos);
  EXPECT_EQ(album("Hejira") + album("Mingus"), others);
  ASSERT_EQ(done->effects.size(), 1U);
  // I-10: nothing but the named column and the time of change is different.
  const Row& before = *done->effects[0].before;
  const Row& after = *done->effects[0].after;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string& name = schema.find("albums")->fields[i].name;
    EXPECT_EQ(before[i] == after[i], name != "year" && name != "updated_at") << name;
  }
  EXPECT_EQ(after.back(), Value(std::string("2026-01-05T02:07:34.000Z")));
}

TEST_P(UpdateRows, D9_a_row_that_was_read_becomes_updated_and_its_label_follows) {
  answer(update(R"({"table":"artists","data":{"id":"artist_1","name":"Joni M."}})"));
  EXPECT_EQ(registry.label(registry.find("artist_1")), "Joni M.");
  EXPECT_EQ(status("artist_1"), RefStatus::created);
  const RecordKey second(registry.key(registry.find("artist_2")));
  registry = RefRegistry();
  const TypeNo type = registry.type_named("artist", "artists").value();
  registry.register_read(type, second.view()).value();
  answer(update(R"({"table":"artists","data":{"id":"artist_1","name":"Nico P."}})"));
  EXPECT_EQ(status("artist_1"), RefStatus::updated);
}

TEST_P(UpdateRows, a_list_of_rows_changes_each_as_it_says) {
  const auto done = update(
      R"({"table":"albums","data":[{"id":"album_2","year":1},{"id":"album_1","notes":null,"mood":"quiet"}]})");
  EXPECT_EQ(answer(done), R"({"updated":["album_2","album_1"],"count":2})");
  EXPECT_NE(album("Hejira").find("year:1,"), std::string::npos);
  EXPECT_NE(album("Blue").find(R"(mood:"calm",tags:null,notes:null)"), std::string::npos);
}

TEST_P(UpdateRows, scenario_16_a_list_of_one_is_unwrapped_and_said_so) {
  const auto done = update(
      R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}],"data":[{"year":5}]})");
  EXPECT_EQ(
      answer(done),
      R"({"updated":["album_1"],"count":1,"repaired":["data was a list of one row; that row was used"]})");
  expect_refused(
      &update_rows,
      R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}],"data":[{"year":5},{"year":6}]})",
      ErrorCode::schema);
  expect_refused(&update_rows, R"({"table":"albums","filters":{},"data":{"year":5}})",
                 ErrorCode::filter_required);
}

TEST_P(UpdateRows, C4_D14_rows_are_named_by_refs) {
  for (const char* filters :
       {"", R"("filters":[],)", R"("filters":[{"field":"name","op":"=","value":"Blue"}],)",
        R"("filters":[{"any":[{"field":"id","op":"=","value":"album_1"}]}],)",
        R"("or_filters":[{"field":"id","op":"=","value":"album_1"}],)",
        R"("filters":[{"field":"id","op":"!=","value":"album_1"}],)",
        R"("filters":[{"field":"parent_id","op":"=","value":"album_1"}],)"})
    expect_refused(&update_rows,
                   std::string(R"({"table":"albums",)") + filters + R"("data":{"year":5}})",
                   ErrorCode::filter_required);
  expect_refused(&update_rows, R"({"table":"albums","data":[{"year":5}]})",
                 ErrorCode::filter_required);
}

TEST_P(UpdateRows, D14_other_filters_only_narrow) {
  const auto done = update(
      R"({"table":"albums","filters":[{"field":"id","op":"in","value":["album_1","album_2","album_3"]},
      {"field":"year","op":">","value":1975},{"field":"name","op":"ilike","value":"m%"}],"data":{"notes":"x"}})");
  EXPECT_EQ(answer(done),
            R"({"updated":["album_3"],"count":1,"not_matched":["album_1","album_2"]})");
}

TEST_P(UpdateRows, C5_more_rows_than_the_cap_are_refused_with_their_number) {
  limits.write_rows = 2;
  const auto call = [](const char* refs) {
    return std::string(R"({"table":"albums","filters":[{"field":"id","op":"in","value":[)") + refs +
           R"(]}],"data":{"year":5}})";
  };
  answer(update(call(R"("album_1","album_2")")));
  expect_refused(&update_rows, call(R"("album_1","album_2","album_3")"), ErrorCode::limit);
  EXPECT_NE(last.message.find("3 rows"), std::string::npos);
  expect_refused(
      &update_rows,
      R"({"table":"albums","data":[{"id":"album_1","year":1},{"id":"album_2","year":1},{"id":"album_3","year":1}]})",
      ErrorCode::limit);
}

TEST_P(UpdateRows, C6_C7_an_empty_list_names_nothing) {
  expect_refused(
      &update_rows,
      R"({"table":"albums","filters":[{"field":"id","op":"in","value":[]}],"data":{"year":5}})",
      ErrorCode::value);
  expect_refused(
      &update_rows,
      R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"},{"field":"name","op":"not_in","value":[]}],"data":{"year":5}})",
      ErrorCode::value);
}

TEST_P(UpdateRows, C24_one_row_is_changed_once_in_a_call) {
  expect_refused(
      &update_rows,
      R"({"table":"albums","data":[{"id":"album_1","year":1},{"id":"album_1","year":2}]})",
      ErrorCode::batch_dup);
}

TEST_P(UpdateRows, C25_an_update_without_changes_is_refused) {
  const std::string named = R"("filters":[{"field":"id","op":"=","value":"album_1"}])";
  expect_refused(&update_rows, R"({"table":"albums",)" + named + R"(,"data":{}})",
                 ErrorCode::value);
  expect_refused(&update_rows, R"({"table":"albums","data":{"id":"album_1"}})", ErrorCode::value);
  expect_refused(&update_rows, R"({"table":"albums","data":[]})", ErrorCode::value);
  expect_refused(&update_rows, R"({"table":"albums",)" + named + "}", ErrorCode::schema);
}

TEST_P(UpdateRows, C26_no_row_that_matches_is_an_answer) {
  const std::string before = everything();
  EXPECT_EQ(
      answer(update(
          R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"},{"field":"year","op":"=","value":3}],"data":{"year":5}})")),
      R"({"updated":[],"count":0,"no_match":true,"not_matched":["album_1"]})");
  user = "bob";  // another owner's row is not there (R9, I-8)
  EXPECT_EQ(
      answer(update(R"({"table":"albums","data":{"id":"album_1","year":5}})")),
      R"({"updated":[],"count":0,"no_match":true,"not_matched":["album_1"],"gone":["album_1"]})");
  user = "ann";
  EXPECT_EQ(everything(), before);
}

TEST_P(UpdateRows, C18_keys_owners_and_times_are_not_changed) {
  const std::string head =
      R"({"table":"albums","filters":[{"field":"id","op":"=","value":"album_1"}],"data":{)";
  for (const char* column : {"id", "user_id", "created_at", "updated_at", "version"})
    expect_refused(&update_rows, head + "\"" + column + R"(":"x"}})", ErrorCode::column_readonly);
  expect_refused(&update_rows, head + R"("secret":"x"}})", ErrorCode::column);
  expect_refused(&update_rows, head + R"("tracks":[]}})", ErrorCode::column);
  expect_refused(&update_rows, head + R"("name":null}})", ErrorCode::value);
}

TEST_P(UpdateRows, R8_a_row_that_changed_since_it_was_read_is_stale) {
  const std::string version = "2026-01-05T02:07:29.000Z";
  const auto call = [&](const char* year, std::string_view since) {
    return std::string(R"({"table":"albums","version":")") + std::string(since) +
           R"(","filters":[{"field":"id","op":"=","value":"album_1"}],"data":{"year":)" + year +
           "}}";
  };
  // The clock stands still: the version still moves on.
  EXPECT_EQ(answer(update(call("1", version))), R"({"updated":["album_1"],"count":1})");
  expect_refused(&update_rows, call("2", version), ErrorCode::stale);
  EXPECT_EQ(answer(update(call("2", "2026-01-05T03:07:29.001+01:00"))),
            R"({"updated":["album_1"],"count":1})");
  expect_refused(&update_rows, call("3", "yesterday"), ErrorCode::value);
  expect_refused(
      &update_rows,
      R"({"table":"albums","data":[{"id":"album_2","year":1},{"id":"album_1","year":3,"version":")" +
          version + R"("}]})",
      ErrorCode::stale);
  expect_refused(&update_rows,
                 R"({"table":"artists","version":"x","data":{"id":"artist_1","name":"y"}})",
                 ErrorCode::schema);
}

TEST_P(UpdateRows, links_are_changed_by_refs_and_emptied_by_null) {
  answer(update(R"({"table":"albums","data":{"id":"album_2","parent_id":"album_1"}})"));
  EXPECT_EQ(album("Hejira").find("parent_id:null"), std::string::npos);
  expect_refused(&update_rows,
                 R"({"table":"albums","data":{"id":"album_3","parent_id":"album_9"}})",
                 ErrorCode::ref_unknown);
  answer(update(R"({"table":"albums","data":{"id":"album_2","parent_id":null}})"));
  EXPECT_NE(album("Hejira").find("parent_id:null"), std::string::npos);
}

TEST_P(UpdateRows, E9_I11_a_conflict_in_the_middle_changes_nothing) {
  expect_refused(
      &update_rows,
      R"({"table":"albums","data":[{"id":"album_1","year":1},{"id":"album_2","name":"Mingus"}]})",
      ErrorCode::conflict);
}

TEST_P(UpdateRows, R7_a_dry_run_changes_nothing) {
  const std::string before = everything();
  const std::string refs = picture(registry);
  const auto done =
      update(R"({"table":"artists","dry_run":true,"data":{"id":"artist_1","name":"x"}})");
  EXPECT_EQ(answer(done), R"({"updated":["artist_1"],"count":1,"dry_run":true})");
  EXPECT_TRUE(done->effects.empty());
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(picture(registry), refs);
}

TEST_P(UpdateRows, D11_a_row_with_a_key_of_several_columns_is_named_by_its_ref) {
  answer(create(R"({"table":"shelves","data":[{"code":"upper-north"},{"code":"lower-south"}]})"));
  answer(create(
      R"({"table":"places","data":[{"shelf_code":"shelf_1","album_id":"album_1"},{"shelf_code":"shelf_2","album_id":"album_1"}]})"));
  EXPECT_EQ(answer(update(R"({"table":"places","data":{"id":"place_2","position":4}})")),
            R"({"updated":["place_2"],"count":1})");
  EXPECT_EQ(
      answer(update(
          R"({"table":"places","filters":[{"field":"id","op":"in","value":["place_1"]}],"data":{"position":9}})")),
      R"({"updated":["place_1"],"count":1})");
  EXPECT_NE(rows("places")[0].find("lower-south"), std::string::npos);
  EXPECT_NE(rows("places")[0].find("position:4"), std::string::npos);
  EXPECT_NE(rows("places")[1].find("position:9"), std::string::npos);
  expect_refused(&update_rows, R"({"table":"places","data":{"id":"place_2","album_id":"album_2"}})",
                 ErrorCode::column_readonly);
}

INSTANTIATE_TEST_SUITE_P(Stores, UpdateRows,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
