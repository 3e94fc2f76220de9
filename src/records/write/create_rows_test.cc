#include <gtest/gtest.h>

#include "records/write/albums_for_tests.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

class CreateRows : public AlbumsFixture {};

TEST_P(CreateRows, a_row_gets_its_ref_its_owner_and_its_times) {
  const auto made = create(R"({"table":"albums","data":{"name":"Blue","year":1971.0}})");
  EXPECT_EQ(answer(made), R"({"created":[{"ref":"album_1","label":"Blue"}],"count":1})");
  ASSERT_EQ(count("albums"), 1U);
  EXPECT_NE(rows("albums")[0].find(R"(user_id:"ann",name:"Blue",year:1971,mood:null)"),
            std::string::npos)
      << rows("albums")[0];
  EXPECT_NE(rows("albums")[0].find(R"(created_at:"2026-01-05T02:07:29.000Z")"), std::string::npos);
  EXPECT_TRUE(rows("albums", "bob").empty());
  EXPECT_EQ(status("album_1"), RefStatus::created);
  ASSERT_EQ(made->effects.size(), 1U);
  EXPECT_EQ(made->effects[0].kind, RowEffect::Kind::created);
  EXPECT_FALSE(made->effects[0].before);
  EXPECT_EQ(made->effects[0].key, RecordKey(registry.key(registry.find("album_1"))));
  EXPECT_EQ(made->effects[0].key.kind(), KeyKind::uuid);
}

TEST_P(CreateRows, R2_integer_keys_come_from_the_database) {
  answer(create(R"({"table":"artists","data":[{"name":"Joni"},{"name":"Nico"}]})"));
  const std::vector<std::string> stored = rows("artists");
  ASSERT_EQ(stored.size(), 2U);
  ASSERT_TRUE(stored[0].starts_with("no:"));
  // Where the numbers begin depends on what the tests before have used.
  const std::int64_t first = std::stoll(stored[0].substr(3));
  EXPECT_EQ(stored[0], "no:" + std::to_string(first) + R"(,name:"Joni")");
  EXPECT_EQ(stored[1], "no:" + std::to_string(first + 1) + R"(,name:"Nico")");
  EXPECT_EQ(RecordKey(registry.key(registry.find("artist_1"))), RecordKey::integer(first));
  EXPECT_EQ(RecordKey(registry.key(registry.find("artist_2"))), RecordKey::integer(first + 1));
}

TEST_P(CreateRows, R3_parent_children_and_their_children_are_one_write) {
  answer(create(R"({"table":"artists","data":{"name":"Joni"}})"));
  const auto made = create(
      R"({"table":"albums","data":{"name":"Blue","tracks":[
      {"title":"All I Want","seconds":214,"artist_no":"artist_1","takes":[{"note":"one"},{"note":"two"}]},
      {"title":"Carey","is_live":true}]}})");
  EXPECT_EQ(
      answer(made),
      R"({"created":[{"ref":"album_1","label":"Blue","nested":{"tracks":["track_1","track_2"],"tracks.takes":["take_1","take_2"]}}],"count":1})");
  EXPECT_EQ(count("tracks"), 2U);
  EXPECT_EQ(count("takes"), 2U);
  EXPECT_EQ(made->effects.size(), 5U);
  const std::string album = KeyDoorForTests::text(made->effects[0].key);
  for (const std::string& row : rows("tracks"))
    EXPECT_NE(row.find("album_id:\"" + album + "\""), std::string::npos);
  EXPECT_EQ(status("take_2"), RefStatus::created);
  EXPECT_EQ(registry.label(registry.find("track_2")), "Carey");
}

TEST_P(CreateRows, D2_D10_a_row_made_of_something_generated_is_matched_by_its_ref) {
  const std::string first = generate("album", "albums", "Same");
  const std::string second = generate("album", "albums", "Same");
  const auto made = create(
      R"({"table":"albums","data":[{"ref":"gen_album_2","name":"B"},{"ref":"gen_album_1","name":"A"}]})");
  EXPECT_EQ(
      answer(made),
      R"({"created":[{"ref":"album_1","label":"B","item":"gen_album_2"},{"ref":"album_2","label":"A","item":"gen_album_1"}],"count":2})");
  EXPECT_EQ(registry.ref(registry.find("gen_album_1")).text(), "album_2");
  // Children take either ref, and real keys get into the rows (scenario 3).
  answer(create(R"({"table":"tracks","data":[{"title":"x","album_id":"gen_album_1"},
      {"title":"y","album_id":"album_2"}]})"));
  EXPECT_EQ(count("tracks"), 2U);
  EXPECT_EQ(rows("tracks")[0].substr(rows("tracks")[0].find("album_id"), 47),
            rows("tracks")[1].substr(rows("tracks")[1].find("album_id"), 47));
  expect_refused(&create_rows, R"({"table":"albums","data":{"ref":"gen_album_1","name":"C"}})",
                 ErrorCode::key_taken);
  expect_refused(&create_rows, R"({"table":"albums","data":{"ref":"gen_album_9","name":"C"}})",
                 ErrorCode::ref_unknown);
}

TEST_P(CreateRows, C1_tables_that_may_not_be_used_look_the_same) {
  std::string text;
  for (const char* name : {"nothing", "sqlite_master", "pg_catalog.x", "albums; drop", ""}) {
    expect_refused(&create_rows, std::string(R"({"table":")") + name + R"(","data":{"name":"x"}})",
                   ErrorCode::table);
    EXPECT_TRUE(text.empty() || text == last.message);
    text = last.message;
  }
  expect_refused(&create_rows, R"({"table":"charts","data":{"name":"x"}})", ErrorCode::table);
  expect_refused(&create_rows, R"({"data":{"name":"x"}})", ErrorCode::table);
}

TEST_P(CreateRows, C2_an_unknown_column_is_refused_and_a_hidden_one_looks_unknown) {
  expect_refused(&create_rows, R"({"table":"albums","data":{"name":"x","colour":"red"}})",
                 ErrorCode::column);
  const std::string unknown = last.message;
  expect_refused(&create_rows, R"({"table":"albums","data":{"name":"x","secret":"red"}})",
                 ErrorCode::column);
  EXPECT_EQ(last.message.size(), unknown.size());
  EXPECT_EQ(std::count(last.allowed.begin(), last.allowed.end(), "secret"), 0);
  EXPECT_EQ(last.allowed.front(), "name");
}

TEST_P(CreateRows, C18_what_the_system_sets_is_not_written) {
  for (const char* column : {"id", "user_id", "created_at", "updated_at", "version", "_ref"}) {
    expect_refused(
        &create_rows,
        std::string(R"({"table":"albums","data":{"name":"x",")") + column + R"(":"album_1"}})",
        ErrorCode::column_readonly);
  }
  expect_refused(&create_rows, R"({"table":"artists","data":{"name":"x","no":7}})",
                 ErrorCode::column_readonly);
}

TEST_P(CreateRows, C19_what_a_row_needs_is_asked_for_before_the_database_is) {
  expect_refused(&create_rows, R"({"table":"albums","data":{"year":1}})", ErrorCode::value);
  EXPECT_EQ(last.path, "data.name");
  expect_refused(&create_rows, R"({"table":"albums","data":[{"name":"x"},{"name":null}]})",
                 ErrorCode::value);
  EXPECT_EQ(last.path, "data[1].name");
  expect_refused(&create_rows, R"({"table":"tracks","data":{"title":"x"}})", ErrorCode::value);
  answer(create(R"({"table":"albums","data":{"name":"x"}})"));
  answer(create(R"({"table":"tracks","data":{"title":"x","album_id":"album_1"}})"));
  EXPECT_NE(rows("tracks")[0].find("is_live:false"), std::string::npos);
}

TEST_P(CreateRows, C19_a_link_to_a_row_that_is_gone_or_anothers_is_refused) {
  answer(create(R"({"table":"albums","data":{"name":"x"}})"));
  const std::string mine = R"({"table":"tracks","data":{"title":"x","album_id":"album_1"}})";
  user = "bob";  // the same registry, another owner: not there
  expect_refused(&create_rows, mine, ErrorCode::value);
  EXPECT_EQ(last.path, "data.album_id");
}

TEST_P(CreateRows, B3_B5_B7_links_take_live_refs_of_their_table_only) {
  answer(create(R"({"table":"albums","data":{"name":"x"}})"));
  answer(create(R"({"table":"artists","data":{"name":"x"}})"));
  generate("album", "albums", "draft");
  const auto refused = [&](const char* ref, ErrorCode code) {
    expect_refused(&create_rows,
                   std::string(R"({"table":"tracks","data":{"title":"x","album_id":)") + ref + "}}",
                   code);
    EXPECT_EQ(last.path, "data.album_id");
  };
  refused("\"album_99\"", ErrorCode::ref_unknown);
  refused("\"artist_1\"", ErrorCode::ref_type);
  refused("\"gen_album_1\"", ErrorCode::ref_pending);
  refused("\"Album_1\"", ErrorCode::ref_syntax);
  refused("7", ErrorCode::ref_syntax);
  const RecordKey key(registry.key(registry.find("album_1")));
  refused(("\"" + KeyDoorForTests::text(key) + "\"").c_str(), ErrorCode::ref_syntax);
  refused("null", ErrorCode::value);
}

TEST_P(CreateRows, C13_aliases_are_stored_as_what_they_stand_for) {
  answer(create(R"({"table":"albums","data":{"name":"x","mood":"quiet"}})"));
  EXPECT_NE(rows("albums")[0].find(R"(mood:"calm")"), std::string::npos);
  expect_refused(&create_rows, R"({"table":"albums","data":{"name":"y","mood":"Calm"}})",
                 ErrorCode::enum_value);
}

TEST_P(CreateRows, C16_B14_text_is_stored_as_it_came) {
  for (const char* text :
       {"'; DROP TABLE albums;--", "$1 ?1 %s {{x}} ${x}", "album_1", "route_66", "like album_1"}) {
    const std::string call =
        write_json(JsonObject{{"table", "albums"}, {"data", {{"name", text}, {"notes", text}}}});
    answer(create(call));
    const std::vector<std::string> all = rows("albums");
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const std::string& row) {
      return row.find(write_json(Json(text))) != std::string::npos;
    })) << text;
  }
}

TEST_P(CreateRows, D7_a_lit_name_is_stored_as_the_text_it_stands_for_and_never_told) {
  const std::string uuid = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
  const auto lit = LiteralMask::name(registry.register_literal(uuid).value());
  answer(create(R"({"table":"albums","data":{"name":"x","notes":"see )" + lit + R"(.","tags":[")" +
                lit + R"("],"extra":{"a":")" + lit + R"("}}})"));
  const std::string row = rows("albums")[0];
  EXPECT_NE(row.find("see " + uuid + "."), std::string::npos);
  EXPECT_NE(row.find("tags:[\"" + uuid + "\"]"), std::string::npos);
  EXPECT_NE(row.find("extra:{\"a\":\"" + uuid + "\"}"), std::string::npos);
  expect_refused(&create_rows, R"({"table":"albums","data":{"name":"y","mood":")" + lit + R"("}})",
                 ErrorCode::enum_value);
  EXPECT_EQ(last.message.find("6f96"), std::string::npos);
  expect_refused(&create_rows, R"({"table":"albums","data":{"name":"lit_9"}})",
                 ErrorCode::literal_unknown);
  // A label that looks like a key is shown as lit_n.
  const auto made = create(R"({"table":"albums","data":{"name":")" + lit + R"("}})");
  EXPECT_EQ(answer(made), R"({"created":[{"ref":"album_2","label":"lit_1"}],"count":1})");
}

TEST_P(CreateRows, C28_nested_rows_have_a_cap) {
  limits.nested_rows = 2;
  answer(
      create(R"({"table":"albums","data":{"name":"x","tracks":[{"title":"a"},{"title":"b"}]}})"));
  expect_refused(
      &create_rows,
      R"({"table":"albums","data":{"name":"y","tracks":[{"title":"a"},{"title":"b"},{"title":"c"}]}})",
      ErrorCode::limit);
  EXPECT_EQ(last.path, "data.tracks");
  expect_refused(&create_rows, R"({"table":"albums","data":{"name":"y","tracks":{"title":"a"}}})",
                 ErrorCode::schema);
}

TEST_P(CreateRows, C1_nested_rows_of_a_table_that_is_only_read_are_refused) {
  std::vector<Table> tables(schema.tables().begin(), schema.tables().end());
  for (Table& table : tables)
    if (table.name == "tracks") table.is_read_only = true;
  schema = Schema::make(std::move(tables)).value();
  expect_refused(&create_rows,
                 R"({"table":"albums","data":{"name":"Blue","tracks":[{"title":"a"}]}})",
                 ErrorCode::table);
  EXPECT_EQ(last.message, "The rows of tracks are read, not written. Leave tracks out.");
  EXPECT_EQ(count("albums") + count("tracks"), 0U);
}

TEST_P(CreateRows, R3_a_nested_row_names_no_other_parent) {
  answer(create(R"({"table":"albums","data":{"name":"x"}})"));
  generate("album", "albums", "draft");
  expect_refused(
      &create_rows,
      R"({"table":"albums","data":{"name":"y","tracks":[{"title":"a","album_id":"album_1"}]}})",
      ErrorCode::column_readonly);
  answer(create(
      R"({"table":"albums","data":{"ref":"gen_album_1","name":"y","tracks":[{"title":"a","album_id":"gen_album_1"}]}})"));
  EXPECT_EQ(count("tracks"), 1U);
}

TEST_P(CreateRows, a_call_creates_at_most_its_limit) {
  limits.write_rows = 2;
  answer(create(R"({"table":"artists","data":[{"name":"a"},{"name":"b"}]})"));
  expect_refused(&create_rows,
                 R"({"table":"artists","data":[{"name":"c"},{"name":"d"},{"name":"e"}]})",
                 ErrorCode::limit);
  expect_refused(&create_rows, R"({"table":"artists","data":[]})", ErrorCode::value);
}

TEST_P(CreateRows, A14_parameters_have_their_shape) {
  for (const char* call :
       {"[]", R"({"table":"artists"})", R"({"table":"artists","data":"x"})",
        R"({"table":"artists","data":[7]})", R"({"table":"artists","data":{"name":"x"},"limit":3})",
        R"({"table":"artists","data":{"name":"x"},"dry_run":"yes"})"})
    expect_refused(&create_rows, call, ErrorCode::schema);
}

TEST_P(CreateRows, E9_I11_what_the_database_refuses_leaves_nothing_behind) {
  answer(create(R"({"table":"artists","data":{"name":"a"}})"));
  expect_refused(&create_rows, R"({"table":"artists","data":[{"name":"b"},{"name":"a"}]})",
                 ErrorCode::conflict);
  EXPECT_EQ(last.path, "data[1].name");
  expect_refused(
      &create_rows,
      R"({"table":"albums","data":{"name":"x","tracks":[{"title":"a"},{"title":"b","seconds":-1}]}})",
      ErrorCode::conflict);
  EXPECT_EQ(last.path.substr(0, 14), "data.tracks[1]");
}

TEST_P(CreateRows, R7_a_dry_run_says_what_would_be_and_changes_nothing) {
  generate("album", "albums", "draft");
  const std::string rows_before = everything();
  const std::string refs_before = picture(registry);
  const auto made = create(
      R"({"table":"albums","dry_run":true,"data":{"ref":"gen_album_1","name":"Blue","tracks":[{"title":"a"},{"title":"b"}]}})");
  EXPECT_EQ(
      answer(made),
      R"({"created":[{"label":"Blue","item":"gen_album_1","nested":{"tracks":2}}],"count":1,"dry_run":true})");
  EXPECT_TRUE(made->effects.empty());
  EXPECT_EQ(everything(), rows_before);
  EXPECT_EQ(picture(registry), refs_before);
  expect_refused(&create_rows,
                 R"({"table":"albums","dry_run":true,"data":{"name":"x","year":3000}})",
                 ErrorCode::conflict);
}

TEST_P(CreateRows, D11_keys_that_the_caller_gives_and_keys_of_several_columns) {
  answer(create(R"({"table":"albums","data":{"name":"Blue"}})"));
  EXPECT_EQ(answer(create(R"({"table":"shelves","data":{"code":"upper-north","title":"Up"}})")),
            R"({"created":[{"ref":"shelf_1","label":"Up"}],"count":1})");
  EXPECT_EQ(
      answer(create(
          R"({"table":"places","data":{"shelf_code":"shelf_1","album_id":"album_1","position":3}})")),
      R"({"created":[{"ref":"place_1"}],"count":1})");
  EXPECT_NE(rows("places")[0].find(R"(shelf_code:"upper-north")"), std::string::npos);
  EXPECT_EQ(RecordKey(registry.key(registry.find("place_1"))).kind(), KeyKind::composite);
  expect_refused(&create_rows, R"({"table":"places","data":{"shelf_code":"shelf_1"}})",
                 ErrorCode::value);
  expect_refused(&create_rows, R"({"table":"shelves","data":{"title":"x"}})", ErrorCode::value);
}

TEST_P(CreateRows, scenario_15_a_variation_leads_to_what_it_varies) {
  answer(create(R"({"table":"albums","data":{"name":"Blue"}})"));
  const std::string original = rows("albums")[0];
  const auto made = create(R"({"table":"albums","data":{"name":"Bluer","parent_id":"album_1"}})");
  answer(made);
  const std::vector<std::string> all = rows("albums");
  EXPECT_EQ(std::count(all.begin(), all.end(), original), 1);
  EXPECT_EQ(count("albums"), 2U);
}

INSTANTIATE_TEST_SUITE_P(Stores, CreateRows,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
