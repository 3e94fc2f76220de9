#include <algorithm>

#include <gtest/gtest.h>

#include "records/write/albums_for_tests.h"

namespace alfred {
namespace {

class DeleteRows : public AlbumsFixture {
 protected:
  void SetUp() override {
    answer(create(R"({"table":"artists","data":{"name":"Joni"}})"));
    answer(create(
        R"({"table":"albums","data":[{"name":"Blue","tracks":[{"title":"a","takes":[{"note":"x"}]},{"title":"b"}]},{"name":"Hejira"}]})"));
    answer(create(R"({"table":"albums","data":{"name":"Bluer","parent_id":"album_1"}})"));
    answer(create(R"({"table":"plays","data":{"album_id":"album_1","day":"2026-01-02"}})"));
  }
  static std::string by_refs(std::string_view table, std::string_view refs) {
    return R"({"table":")" + std::string(table) +
           R"(","filters":[{"field":"id","op":"in","value":[)" + std::string(refs) + "]}]}";
  }
};

TEST_P(DeleteRows, scenario_1_R6_a_row_goes_with_what_belongs_to_it) {
  const auto done = remove(by_refs("albums", R"("album_1")"));
  EXPECT_EQ(
      answer(done),
      R"({"deleted":[{"ref":"album_1","label":"Blue"}],"count":1,"also_deleted":{)"
      R"("takes":{"count":1,"refs":["take_1"]},"tracks":{"count":2,"refs":["track_1","track_2"]}},)"
      R"("also_updated":{"albums":{"count":1,"refs":["album_3"]},"plays":{"count":1,"refs":["play_1"]}}})");
  EXPECT_EQ(count("albums"), 2U);
  EXPECT_EQ(count("tracks") + count("takes"), 0U);
  EXPECT_NE(rows("plays")[0].find("album_id:null"), std::string::npos);
  for (const char* gone : {"album_1", "track_1", "track_2", "take_1"})
    EXPECT_EQ(status(gone), RefStatus::deleted) << gone;
  EXPECT_EQ(status("album_3"), RefStatus::created);
  // Every row with what it was; those that stay with what they became.
  std::size_t deleted = 0;
  for (const RowEffect& effect : done->effects) {
    EXPECT_TRUE(effect.before);
    EXPECT_EQ(effect.after.has_value(), effect.kind == RowEffect::Kind::updated);
    deleted += effect.kind == RowEffect::Kind::deleted ? 1 : 0;
  }
  EXPECT_EQ(deleted, 4U);
  EXPECT_EQ(done->effects.size(), 6U);
  expect_refused(&delete_rows, by_refs("albums", R"("album_1")"), ErrorCode::ref_deleted);  // B4
  EXPECT_NE(last.message.find("Blue"), std::string::npos);
}

TEST_P(DeleteRows, R3_rows_are_told_as_they_were_named_also_where_one_leads_to_another) {
  const auto done = remove(by_refs("albums", R"("album_2","album_1","album_3")"));
  EXPECT_TRUE(answer(done).starts_with(
      R"({"deleted":[{"ref":"album_2","label":"Hejira"},{"ref":"album_1","label":"Blue"},)"
      R"({"ref":"album_3","label":"Bluer"}],"count":3,)"))
      << answer(done);
}

TEST_P(DeleteRows, R6_rows_that_nobody_was_shown_go_too_and_get_no_ref) {
  RefRegistry fresh;
  const TypeNo type = fresh.type_named("album", "albums").value();
  fresh.register_read(type, registry.key(registry.find("album_1"))).value();
  registry = std::move(fresh);
  const auto done = remove(by_refs("albums", R"("album_1")"));
  EXPECT_EQ(
      answer(done),
      R"({"deleted":[{"ref":"album_1"}],"count":1,"also_deleted":{"takes":{"count":1},"tracks":{"count":2}},)"
      R"("also_updated":{"albums":{"count":1},"plays":{"count":1}}})");
  EXPECT_EQ(done->effects.size(), 6U);
  EXPECT_EQ(registry.size(), 1U);
}

TEST_P(DeleteRows, R6_a_link_that_refuses_keeps_the_row) {
  answer(create(R"({"table":"reviews","data":{"album_id":"album_1","body":"good"}})"));
  expect_refused(&delete_rows, by_refs("albums", R"("album_1")"), ErrorCode::conflict);
  EXPECT_EQ(last.allowed, std::vector<std::string>{"review_1"});
  answer(create(
      R"({"table":"tracks","data":{"title":"c","album_id":"album_2","artist_no":"artist_1"}})"));
  expect_refused(&delete_rows, by_refs("artists", R"("artist_1")"), ErrorCode::conflict);
  answer(remove(by_refs("reviews", R"("review_1")")));
  answer(remove(by_refs("albums", R"("album_1","album_2")")));
  answer(remove(by_refs("artists", R"("artist_1")")));
  EXPECT_EQ(count("artists"), 0U);
}

TEST_P(DeleteRows, R6_a_row_that_refuses_by_two_links_is_named_once) {
  std::vector<Table> tables(schema.tables().begin(), schema.tables().end());
  Table& reviews = *std::find_if(tables.begin(), tables.end(),
                                 [](const Table& table) { return table.name == "reviews"; });
  reviews.label.clear();
  for (Field& field : reviews.fields)
    if (field.name == "body") field.link = FieldLink{"albums", OnDelete::refuse};
  schema = Schema::make(std::move(tables)).value();
  answer(create(R"({"table":"reviews","data":{"album_id":"album_1","body":"album_1"}})"));
  expect_refused(&delete_rows, by_refs("albums", R"("album_1")"), ErrorCode::conflict);
  EXPECT_EQ(last.allowed, std::vector<std::string>{"review_1"});
  EXPECT_TRUE(last.message.starts_with("1 row of reviews still leads to")) << last.message;
}

// A link that the database knows nothing of, from rows that have no refs.
TEST_P(DeleteRows, R3_of_dependents_a_row_without_a_key_keeps_what_it_leads_to) {
  std::vector<Table> tables(schema.tables().begin(), schema.tables().end());
  Table& reviews = *std::find_if(tables.begin(), tables.end(),
                                 [](const Table& table) { return table.name == "reviews"; });
  reviews.label.clear();
  for (Field& field : reviews.fields)
    if (field.name == "body") field.link = FieldLink{"albums", OnDelete::refuse};
  const Schema linked = Schema::make(tables).value();
  const auto with_link = [&](const Schema& now) { schema = now; };
  with_link(linked);
  answer(create(R"({"table":"reviews","data":{"body":"album_1"}})"));
  reviews.key.clear();
  reviews.is_read_only = true;
  with_link(Schema::make(tables).value());
  expect_refused(&delete_rows, by_refs("albums", R"("album_1")"), ErrorCode::conflict);
  EXPECT_TRUE(last.message.starts_with("1 row of reviews still leads to")) << last.message;
  EXPECT_TRUE(last.allowed.empty());
  answer(remove(by_refs("albums", R"("album_2")")));
  with_link(linked);
  answer(remove(by_refs("reviews", R"("review_1")")));
  answer(remove(by_refs("albums", R"("album_1")")));
}

TEST_P(DeleteRows, C4_rows_are_named_by_refs) {
  for (const char* call :
       {R"({"table":"albums"})", R"({"table":"albums","filters":[]})",
        R"({"table":"albums","filters":{}})",
        R"({"table":"albums","filters":[{"field":"name","op":"=","value":"Blue"}]})"})
    expect_refused(&delete_rows, call, ErrorCode::filter_required);
}

TEST_P(DeleteRows, C5_more_rows_than_the_cap_are_refused_with_their_number) {
  limits.delete_rows = 2;
  expect_refused(&delete_rows, by_refs("albums", R"("album_1","album_2","album_3")"),
                 ErrorCode::limit);
  EXPECT_NE(last.message.find("3 rows"), std::string::npos);
  answer(remove(by_refs("albums", R"("album_1","album_2")")));
}

TEST_P(DeleteRows, B16_a_ref_that_stands_twice_counts_once) {
  EXPECT_EQ(answer(remove(by_refs("albums", R"("album_2","album_2")"))),
            R"({"deleted":[{"ref":"album_2","label":"Hejira"}],"count":1})");
}

TEST_P(DeleteRows, B17_good_and_bad_refs_together_delete_nothing) {
  expect_refused(&delete_rows, by_refs("albums", R"("album_1","album_77","album_99")"),
                 ErrorCode::ref_unknown);
  EXPECT_NE(last.message.find("album_77"), std::string::npos);
  EXPECT_NE(last.message.find("album_99"), std::string::npos);
  expect_refused(&delete_rows, by_refs("albums", R"("album_1","track_1")"), ErrorCode::ref_type);
}

TEST_P(DeleteRows, R9_another_owners_row_is_not_there) {
  const std::string before = everything();
  user = "bob";
  EXPECT_EQ(
      answer(remove(by_refs("albums", R"("album_1")"))),
      R"({"deleted":[],"count":0,"no_match":true,"not_matched":["album_1"],"gone":["album_1"]})");
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(status("album_1"), RefStatus::created);
}

TEST_P(DeleteRows, R7_a_dry_run_says_what_would_go_and_changes_nothing) {
  const std::string before = everything();
  const std::string refs = picture(registry);
  const auto done = remove(
      R"({"table":"albums","dry_run":true,"filters":[{"field":"id","op":"=","value":"album_1"}]})");
  EXPECT_NE(answer(done).find(R"("tracks":{"count":2)"), std::string::npos);
  EXPECT_NE(answer(done).find(R"("dry_run":true)"), std::string::npos);
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(picture(registry), refs);
}

TEST_P(DeleteRows, scenario_14_one_child_goes_and_the_parent_stays) {
  const std::string albums = rows("albums")[0] + rows("albums")[1] + rows("albums")[2];
  EXPECT_EQ(answer(remove(by_refs("tracks", R"("track_2")"))),
            R"({"deleted":[{"ref":"track_2","label":"b"}],"count":1})");
  EXPECT_EQ(rows("albums")[0] + rows("albums")[1] + rows("albums")[2], albums);
  EXPECT_EQ(count("tracks"), 1U);
}

TEST_P(DeleteRows, R6_a_circle_of_links_ends) {
  answer(update(R"({"table":"albums","data":{"id":"album_1","parent_id":"album_3"}})"));
  EXPECT_NE(answer(remove(by_refs("albums", R"("album_1","album_3")"))).find("\"count\":2"),
            std::string::npos);
  EXPECT_EQ(count("albums"), 1U);
}

TEST_P(DeleteRows, R8_a_version_guards_a_delete) {
  const auto call = [](const char* version) {
    return std::string(R"({"table":"albums","version":")") + version +
           R"(","filters":[{"field":"id","op":"=","value":"album_2"}]})";
  };
  expect_refused(&delete_rows, call("2025-01-01T00:00:00Z"), ErrorCode::stale);
  answer(remove(call("2026-01-05T02:07:29Z")));
}

TEST_P(DeleteRows, D8_a_key_that_comes_back_is_another_row) {
  answer(create(R"({"table":"shelves","data":{"code":"upper-north","title":"Up"}})"));
  answer(remove(by_refs("shelves", R"("shelf_1")")));
  EXPECT_EQ(answer(create(R"({"table":"shelves","data":{"code":"upper-north","title":"Up"}})")),
            R"({"created":[{"ref":"shelf_2","label":"Up"}],"count":1})");
}

INSTANTIATE_TEST_SUITE_P(Stores, DeleteRows,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
