#include "records/write/batch/batch_write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "records/write/albums_for_tests.h"

namespace alfred {
namespace {

class BatchWrite : public AlbumsFixture {
 protected:
  static std::string progress(const Result<BatchOutcome>& outcome) {
    EXPECT_TRUE(outcome) << outcome.error().message << outcome.error().path;
    return outcome ? outcome->outcome.answer : "";
  }
  void expect_call_refused(BatchManifest& manifest, std::string_view json, ErrorCode code) {
    const std::string rows = everything();
    const std::string items = write_json(manifest.to_json());
    const Result<BatchOutcome> outcome = run_batch(manifest, "db_create", json);
    ASSERT_FALSE(outcome) << json;
    last = outcome.error();
    EXPECT_EQ(error_name(last.code), error_name(code)) << last.message;
    EXPECT_EQ(everything(), rows);
    EXPECT_EQ(write_json(manifest.to_json()), items);
  }
  BatchManifest three_albums() {
    for (const char* label : {"A", "B", "C"}) generate("album", "albums", label);
    return batch("albums", {"gen_album_1", "gen_album_2", "gen_album_3"});
  }
};

TEST_P(BatchWrite, scenario_7_three_parents_and_thirty_six_children) {
  BatchManifest manifest = three_albums();
  JsonArray list;
  for (const char* item : {"gen_album_3", "gen_album_1", "gen_album_2"}) {
    JsonArray tracks;
    for (int i = 0; i < 12; ++i)
      tracks.push_back(JsonObject{{"title", fmt::format("{} {}", item, i)}, {"album_id", item}});
    list.push_back(JsonObject{{"ref", item}, {"name", "Same"}, {"tracks", std::move(tracks)}});
  }
  for (std::size_t i = 0; i < 3; ++i) list[i].as_object()["name"] = fmt::format("Album {}", i);
  const auto done = run_batch(manifest, "db_create", write_json(JsonObject{{"data", list}}));
  EXPECT_EQ(progress(done),
            R"({"total":3,"completed":[{"ref":"gen_album_1","result":"album_2"},)"
            R"({"ref":"gen_album_2","result":"album_3"},{"ref":"gen_album_3","result":"album_1"}],)"
            R"("failed":[],"pending":[]})");
  EXPECT_EQ(count("albums"), 3U);
  EXPECT_EQ(count("tracks"), 36U);
  EXPECT_TRUE(manifest.is_finished());
  EXPECT_EQ(manifest.counts(), (BatchCounts{3, 3, 0, 0, 0}));
  // I-15: one parent effect carries each item; B18, B19: matched by ref.
  for (const BatchItem& item : manifest.items()) {
    std::size_t parents = 0;
    for (const RowEffect& effect : done->outcome.effects)
      parents += effect.item == item.ref && effect.table->name == "albums" ? 1 : 0;
    EXPECT_EQ(parents, 1U) << item.ref;
    EXPECT_EQ(registry.ref(registry.find(item.ref)).text(), item.result_ref);
  }
  EXPECT_EQ(done->outcome.effects.size(), 39U);
  EXPECT_EQ(done->changes.size(), 6U);
}

TEST_P(BatchWrite, scenario_8_C23_E10_one_that_fails_does_not_stop_the_others) {
  BatchManifest manifest = three_albums();
  const BatchManifest declared = manifest;
  const auto done = run_batch(manifest, "db_create",
                              R"({"table":"albums","data":[{"ref":"gen_album_1","name":"A"},
      {"ref":"gen_album_2","name":"B","tracks":[{"title":"ok"},{"title":"bad","seconds":0}]},{"ref":"gen_album_3","name":"C"}]})");
  ASSERT_TRUE(done);
  EXPECT_EQ(manifest.counts(), (BatchCounts{3, 2, 1, 0, 0}));
  EXPECT_EQ(count("albums"), 2U);
  EXPECT_EQ(count("tracks"), 0U);
  EXPECT_TRUE(manifest.find("gen_album_2")->is_retriable);
  EXPECT_EQ(registry.status(registry.find("gen_album_2")), RefStatus::generated);
  EXPECT_EQ(manifest.find("gen_album_3")->result_ref, "album_2");
  // R5 of the manifest: its changes tell the whole of it.
  BatchManifest folded = declared;
  for (const ItemMoved& change : done->changes) ASSERT_TRUE(folded.fold(change));
  EXPECT_EQ(write_json(folded.to_json()), write_json(manifest.to_json()));
  // "Try again" saves only that one.
  ASSERT_EQ(manifest.retry().size(), 1U);
  expect_call_refused(manifest, R"({"data":[{"ref":"gen_album_1","name":"A"}]})",
                      ErrorCode::batch_item);
  progress(run_batch(manifest, "db_create", R"({"data":[{"ref":"gen_album_2","name":"B"}]})"));
  EXPECT_EQ(count("albums"), 3U);
  EXPECT_TRUE(manifest.is_finished());
}

TEST_P(BatchWrite, C23_C28_what_a_row_says_wrong_fails_its_item_only) {
  limits.nested_rows = 1;
  BatchManifest manifest = batch("albums", {"one", "two", "three", "four"});
  const auto done =
      run_batch(manifest, "db_create",
                R"({"data":[{"ref":"one","name":"A","mood":"wild"},{"ref":"two","name":"B"},
      {"ref":"three","name":"C","tracks":[{"title":"a"},{"title":"b"}]},{"ref":"four","user_id":"bob","name":"D"}]})");
  ASSERT_TRUE(done);
  EXPECT_EQ(manifest.counts(), (BatchCounts{4, 1, 3, 0, 0}));
  EXPECT_FALSE(manifest.find("one")->is_retriable);
  EXPECT_EQ(manifest.find("two")->result_ref, "album_1");
  EXPECT_EQ(count("albums"), 1U);
}

TEST_P(BatchWrite, C23_an_atomic_table_does_all_or_nothing) {
  answer(create(R"({"table":"albums","data":{"name":"Blue"}})"));
  BatchManifest manifest = batch("plays", {"mon", "tue", "wed"});
  const std::string before = everything();
  const std::string refs = picture(registry);
  const auto done = run_batch(
      manifest, "db_create",
      R"({"data":[{"ref":"mon","day":"2026-01-05","album_id":"album_1"},{"ref":"tue","day":"2026-01-06","times":0},{"ref":"wed","day":"2026-01-07"}]})");
  ASSERT_TRUE(done);
  EXPECT_EQ(manifest.counts(), (BatchCounts{3, 0, 3, 0, 0}));
  EXPECT_NE(manifest.find("mon")->error.find("tue"), std::string::npos);
  EXPECT_TRUE(manifest.find("mon")->is_retriable);
  EXPECT_TRUE(done->outcome.effects.empty());
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(picture(registry), refs);
  manifest.retry();
  progress(run_batch(
      manifest, "db_create",
      R"({"data":[{"ref":"mon","day":"2026-01-05"},{"ref":"tue","day":"2026-01-06"},{"ref":"wed","day":"2026-01-07"}]})"));
  EXPECT_EQ(count("plays"), 3U);
}

TEST_P(BatchWrite, R1_every_row_names_an_open_item_once) {
  BatchManifest manifest = batch("albums", {"one", "two"});
  expect_call_refused(manifest, R"({"data":[{"name":"A"}]})", ErrorCode::batch_item);
  expect_call_refused(manifest, R"({"data":[{"ref":"one","name":"A"},{"ref":"six","name":"B"}]})",
                      ErrorCode::batch_item);
  EXPECT_EQ(last.allowed, (std::vector<std::string>{"one", "two"}));
  std::vector<std::string> many;
  for (int i = 0; i < 13; ++i) many.push_back("item" + std::to_string(i));
  BatchManifest long_one = batch("albums", many);
  expect_call_refused(long_one, R"({"data":[{"name":"A"}]})", ErrorCode::batch_item);
  EXPECT_EQ(last.allowed.size(), 10U);
  EXPECT_EQ(last.message,
            "Each row of a batch names its item as ref; this one names none. 3 more are not listed "
            "here.");
  expect_call_refused(manifest, R"({"data":[{"ref":"one","name":"A"},{"ref":"one","name":"B"}]})",
                      ErrorCode::batch_dup);
  expect_call_refused(manifest, R"({"table":"tracks","data":[{"ref":"one","name":"A"}]})",
                      ErrorCode::schema);
  expect_call_refused(manifest, R"({"data":[],"limit":1})", ErrorCode::schema);
  expect_call_refused(manifest, R"({"data":[]})", ErrorCode::schema);
}

TEST_P(BatchWrite, R3_what_a_call_does_not_name_stays_pending) {
  BatchManifest manifest = batch("albums", {"one", "two", "three"});
  EXPECT_EQ(
      progress(run_batch(manifest, "db_create", R"({"data":[{"ref":"two","name":"B"}]})")),
      R"({"total":3,"completed":[{"ref":"two","result":"album_1"}],"failed":[],"pending":["one","three"]})");
  EXPECT_FALSE(manifest.check_finished());
}

TEST_P(BatchWrite, B5_B6_scenario_11_parents_come_first_and_take_their_children_down) {
  BatchManifest manifest = three_albums();
  const auto done = run_batch(
      manifest, "db_create",
      R"({"data":[{"ref":"gen_album_1","name":"A","parent_id":"gen_album_2"},{"ref":"gen_album_2","name":"B"},
      {"ref":"gen_album_3","name":"C","parent_id":"gen_album_1"}]})");
  EXPECT_EQ(manifest.counts().completed, 3U) << progress(done);
  EXPECT_EQ(manifest.find("gen_album_2")->result_ref, "album_1");

  for (const char* label : {"D", "E", "F"}) generate("album", "albums", label);
  BatchManifest second = batch("albums", {"gen_album_4", "gen_album_5", "gen_album_6"});
  ASSERT_TRUE(run_batch(
      second, "db_create",
      R"({"data":[{"ref":"gen_album_4","name":"D","parent_id":"gen_album_5"},{"ref":"gen_album_5","name":"E","year":3000},{"ref":"gen_album_6","name":"F"}]})"));
  EXPECT_EQ(second.counts(), (BatchCounts{3, 1, 2, 0, 0}));
  EXPECT_NE(second.find("gen_album_4")->error.find("gen_album_5"), std::string::npos);
}

TEST_P(BatchWrite, B6_a_failed_parent_takes_down_its_line_and_nobody_else) {
  for (const char* label : {"A", "B", "C", "D"}) generate("album", "albums", label);
  BatchManifest manifest =
      batch("albums", {"gen_album_1", "gen_album_2", "gen_album_3", "gen_album_4"});
  ASSERT_TRUE(run_batch(
      manifest, "db_create",
      R"({"data":[{"ref":"gen_album_3","name":"C","parent_id":"gen_album_2"},{"ref":"gen_album_2","name":"B","parent_id":"gen_album_1"},
      {"ref":"gen_album_1","name":"A","year":3000},{"ref":"gen_album_4","name":"D"}]})"));
  EXPECT_EQ(manifest.counts(), (BatchCounts{4, 1, 3, 0, 0}));
  EXPECT_NE(manifest.find("gen_album_2")->error.find("gen_album_1"), std::string::npos);
  EXPECT_NE(manifest.find("gen_album_3")->error.find("gen_album_2"), std::string::npos);
  EXPECT_TRUE(manifest.find("gen_album_3")->is_retriable);  // once the parent is saved

  // Rows of another table that lead to it fail too, and those that do not go on.
  BatchManifest songs = batch("tracks", {"one", "two"});
  ASSERT_TRUE(run_batch(
      songs, "db_create",
      R"({"data":[{"ref":"one","title":"x","album_id":"gen_album_1"},{"ref":"two","title":"y","album_id":"gen_album_4"}]})"));
  EXPECT_EQ(songs.counts(), (BatchCounts{2, 1, 1, 0, 0}));
  EXPECT_NE(songs.find("one")->error.find("gen_album_1"), std::string::npos);
  EXPECT_EQ(count("albums"), 1U);
  EXPECT_EQ(count("tracks"), 1U);
}

TEST_P(BatchWrite, R4_C26_an_item_whose_row_is_gone_fails) {
  answer(create(R"({"table":"albums","data":[{"name":"A"},{"name":"B"}]})"));
  BatchManifest manifest = batch("albums", {"album_1", "second"});
  user = "bob";
  const auto gone = run_batch(manifest, "db_update", R"({"data":[{"ref":"album_1","year":5}]})");
  ASSERT_TRUE(gone);
  EXPECT_EQ(manifest.find("album_1")->status, ItemStatus::failed);
  EXPECT_FALSE(manifest.find("album_1")->is_retriable);
  user = "ann";
  progress(
      run_batch(manifest, "db_update", R"({"data":[{"ref":"second","id":"album_2","year":5}]})"));
  EXPECT_EQ(manifest.find("second")->result_ref, "album_2");
}

TEST_P(BatchWrite, C24_two_items_may_not_be_one_row) {
  generate("album", "albums", "A");
  answer(create(R"({"table":"albums","data":{"ref":"gen_album_1","name":"A"}})"));
  BatchManifest manifest = batch("albums", {"album_1", "gen_album_1"});
  const auto done =
      run_batch(manifest, "db_update",
                R"({"data":[{"ref":"album_1","year":5},{"ref":"gen_album_1","year":6}]})");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::batch_dup);
}

TEST_P(BatchWrite, a_batch_of_deletes_takes_dependents_along) {
  answer(
      create(R"({"table":"albums","data":[{"name":"A","tracks":[{"title":"x"}]},{"name":"B"}]})"));
  answer(create(R"({"table":"reviews","data":{"album_id":"album_2"}})"));
  BatchManifest manifest = batch("albums", {"album_1", "album_2"});
  ASSERT_TRUE(
      run_batch(manifest, "db_delete", R"({"data":[{"ref":"album_1"},{"ref":"album_2"}]})"));
  EXPECT_EQ(manifest.counts(), (BatchCounts{2, 1, 1, 0, 0}));
  EXPECT_EQ(count("albums"), 1U);
  EXPECT_EQ(count("tracks"), 0U);
  EXPECT_EQ(status("album_1"), RefStatus::deleted);
  EXPECT_EQ(status("album_2"), RefStatus::created);
}

TEST_P(BatchWrite, R5_a_dry_run_says_what_each_item_would_come_to) {
  answer(
      create(R"({"table":"albums","data":[{"name":"A","tracks":[{"title":"x"}]},{"name":"B"}]})"));
  answer(create(R"({"table":"reviews","data":{"album_id":"album_2"}})"));
  BatchManifest manifest = batch("albums", {"album_1", "album_2", "new one"});
  const std::string rows = everything();
  const std::string items = write_json(manifest.to_json());
  const auto gone =
      run_batch(manifest, "db_delete",
                R"({"data":[{"ref":"album_1"},{"ref":"album_2"}],"batch":"b","dry_run":true})");
  const Json told = parse_json(progress(gone), JsonLimits::none()).value();
  EXPECT_EQ(write_json(told.at("completed")), R"([{"ref":"album_1","result":"album_1"}])");
  EXPECT_EQ(told.at("failed").at(0).at("ref"), "album_2");
  EXPECT_EQ(write_json(told.at("pending")), R"(["new one"])");
  EXPECT_EQ(write_json(told.at("also_deleted")), R"({"tracks":{"count":1}})");
  EXPECT_TRUE(told.at("dry_run").as_bool());
  EXPECT_TRUE(gone->changes.empty());
  EXPECT_TRUE(gone->outcome.effects.empty());
  const auto made =
      run_batch(manifest, "db_create", R"({"data":[{"ref":"new one","name":"C"}],"dry_run":true})");
  EXPECT_EQ(progress(made), R"({"total":3,"completed":[{"ref":"new one"}],"failed":[],)"
                            R"("pending":["album_1","album_2"],"dry_run":true})");
  EXPECT_EQ(everything(), rows);
  EXPECT_EQ(write_json(manifest.to_json()), items);
  EXPECT_EQ(status("album_1"), RefStatus::created);
  EXPECT_EQ(registry.find("album_3"), kNoEntity);
  ASSERT_TRUE(run_batch(manifest, "db_create", R"({"data":[{"ref":"new one","name":"C"}]})"));
  EXPECT_EQ(manifest.find("new one")->result_ref, "album_3");
}

TEST_P(BatchWrite, items_that_are_only_to_fail_do_so_or_nothing_is_done) {
  answer(create(R"({"table":"albums","data":[{"name":"A"},{"name":"B"}]})"));
  answer(create(R"({"table":"reviews","data":{"album_id":"album_2"}})"));
  BatchManifest manifest = batch("albums", {"album_1", "album_2", "new"});
  is_only_to_fail = true;
  ASSERT_TRUE(run_batch(manifest, "db_delete", R"({"data":[{"ref":"album_2"}]})"));
  EXPECT_EQ(manifest.find("album_2")->status, ItemStatus::failed);
  for (const char* const tool : {"db_delete", "db_create"}) {
    const std::string rows = everything();
    const bool is_new = std::string_view(tool) == "db_create";
    const auto done = run_batch(
        manifest, tool,
        is_new ? R"({"data":[{"ref":"new","name":"C"}]})" : R"({"data":[{"ref":"album_1"}]})");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::conflict);
    EXPECT_EQ(everything(), rows);
  }
  EXPECT_EQ(manifest.counts(), (BatchCounts{3, 0, 1, 2, 0}));
  EXPECT_EQ(status("album_1"), RefStatus::created);
}

INSTANTIATE_TEST_SUITE_P(Stores, BatchWrite,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
