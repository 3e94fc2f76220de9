#include "records/compile/payload_compiler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "records/write/albums_schema_for_tests.h"

namespace alfred {
namespace {

CompileRules album_rules() {
  CompileRules rules;
  rules.columns.renames = {{"title", "name"}, {"heading", "name"},   {"released", "year"},
                           {"genre", "tags"}, {"colour", "nothing"}, {"based_on", "parent_id"}};
  rules.columns.coercions = {{"year", Coercion::integer},
                             {"tags", Coercion::list},
                             {"mood", Coercion::lower},
                             {"price", Coercion::number}};
  rules.columns.defaults = {{"notes", Json("none")}};
  LinkedRules tracks;
  tracks.members = {"tracks", "songs"};
  tracks.table = "tracks";
  tracks.column = "album_id";
  tracks.columns.renames = {{"song", "title"}, {"length", "seconds"}, {"live", "is_live"}};
  tracks.columns.coercions = {{"seconds", Coercion::minutes}, {"is_live", Coercion::boolean}};
  tracks.text_column = "title";
  rules.linked = {tracks};
  return rules;
}

class PayloadCompiler : public testing::Test {
 protected:
  CompiledPayload compile(std::string_view json) {
    content = parse_json(json, JsonLimits::none()).value();
    const ArtifactContent artifact[] = {{"gen_album_1", &content.as_object()}};
    return compile_payload(schema, rules, "albums", artifact).value();
  }
  static std::string values(const CompiledPayload& payload) {
    return write_json(payload.records.at(0).values);
  }
  static std::vector<std::string> paths(const CompiledPayload& payload) {
    std::vector<std::string> out;
    for (const Discrepancy& one : payload.discrepancies) {
      EXPECT_EQ(one.ref, "gen_album_1");
      EXPECT_FALSE(one.reason.empty());
      out.push_back(one.path);
    }
    return out;
  }

  Schema schema = Schema::make(albums_tables()).value();
  CompileRules rules = album_rules();
  Json content;
};

TEST_F(PayloadCompiler, renames_coercions_aliases_and_defaults) {
  const CompiledPayload payload = compile(
      R"({"title":"Blue","released":"1971","genre":"folk, rock","mood":"Quiet","price":"1 1/2","based_on":"album_7"})");
  EXPECT_EQ(payload.target_table, "albums");
  EXPECT_EQ(payload.records[0].ref, "gen_album_1");
  EXPECT_EQ(
      values(payload),
      R"({"name":"Blue","year":1971,"mood":"calm","tags":["folk","rock"],"notes":"none","price":1.5,"parent_id":"album_7"})");
  EXPECT_TRUE(payload.discrepancies.empty());
}

TEST_F(PayloadCompiler, C10_a_text_with_more_digits_than_a_double_keeps_is_no_number) {
  const CompiledPayload payload =
      compile(R"({"name":"Blue","year":"9007199254740993","price":"12345678901234567.12"})");
  EXPECT_EQ(paths(payload), (std::vector<std::string>{"year", "price"}));
  EXPECT_EQ(values(payload), R"({"name":"Blue","notes":"none"})");
}

TEST_F(PayloadCompiler, R3_linked_rows_name_their_parent) {
  const CompiledPayload payload = compile(
      R"({"name":"Blue","songs":[{"song":"Carey","length":"3 min","live":"yes"},"River",{"title":"Case","album_id":"gen_album_1"}]})");
  EXPECT_EQ(
      values(payload),
      R"({"name":"Blue","notes":"none","tracks":[{"album_id":"gen_album_1","title":"Carey","seconds":3,"is_live":true},)"
      R"({"album_id":"gen_album_1","title":"River"},{"album_id":"gen_album_1","title":"Case"}]})");
  EXPECT_TRUE(payload.discrepancies.empty());
}

TEST_F(PayloadCompiler, C27_R2_what_does_not_fit_is_listed) {
  const CompiledPayload payload = compile(
      R"({"name":"Blue","heading":"Bleu","colour":"red","story":{"a":[1,2]},"id":"x","user_id":"bob","secret":"s",
      "year":"about 1971","released":"1971 or so","made":"tomorrow","mood":"wild","genre":["folk",7],"parent_id":"the old one",
      "ref":"gen_album_1","songs":[],"tracks":[{"title":"a"}]})");
  EXPECT_EQ(paths(payload), (std::vector<std::string>{"story", "id", "user_id", "secret", "year",
                                                      "made", "mood", "parent_id", "heading",
                                                      "colour", "released", "genre[1]", "songs"}));
  EXPECT_EQ(
      values(payload),
      R"({"name":"Blue","year":1971,"tags":["folk"],"notes":"none","tracks":[{"album_id":"gen_album_1","title":"a"}]})");
}

TEST_F(PayloadCompiler, R2_what_was_simplified_is_said) {
  const CompiledPayload payload = compile(R"({"name":"Blue","year":"1971 AD"})");
  ASSERT_EQ(paths(payload), std::vector<std::string>{"year"});
  EXPECT_EQ(payload.discrepancies[0].reason, "simplified to 1971");
}

TEST_F(PayloadCompiler, R2_rows_of_a_list_that_do_not_fit_are_listed_one_by_one) {
  const CompiledPayload payload = compile(
      R"({"name":"x","songs":[{"title":"a","brand":"b"},7,{"brand":"c"},{"title":"d","album_id":"album_9","seconds":"long"}]})");
  EXPECT_EQ(paths(payload), (std::vector<std::string>{"songs[0].brand", "songs[1]", "songs[2]",
                                                      "songs[3].album_id", "songs[3].seconds"}));
  EXPECT_EQ(payload.records[0].values.at("tracks").as_array().size(), 2U);
}

TEST_F(PayloadCompiler, a_line_becomes_the_columns_of_a_row) {
  LinkedRules& songs = rules.linked[0];
  songs.text_shape = TextShape::quantity_unit;
  songs.quantity_column = "seconds";
  songs.unit_column = "nothing";
  songs.notes_column = "is_live";
  rules.units = {{"cups", "cup"}};
  const CompiledPayload payload = compile(R"({"name":"x","songs":["3 cups Carey","River"]})");
  EXPECT_NE(values(payload).find(R"("title":"Carey","seconds":3)"), std::string::npos);
  EXPECT_EQ(paths(payload), std::vector<std::string>{"songs[0]"});
}

TEST_F(PayloadCompiler, tables_that_may_not_be_written_are_refused) {
  EXPECT_EQ(compile_payload(schema, rules, "charts", {}).error().code, ErrorCode::table);
  EXPECT_EQ(compile_payload(schema, rules, "nothing", {}).error().code, ErrorCode::table);
  EXPECT_EQ(compile_payload(schema, rules, "albums", {}).value().records.size(), 0U);
  rules.linked[0].column = "artist_no";
  content = JsonObject{{"name", "x"}};
  const ArtifactContent artifact[] = {{"gen_album_1", &content.as_object()}};
  EXPECT_EQ(compile_payload(schema, rules, "albums", artifact).error().code, ErrorCode::schema);
}

// A random artifact in which every leaf is a text that stands nowhere else.
class AnyArtifact {
 public:
  explicit AnyArtifact(SeededRandom& random) : random_(random) {}
  JsonObject object(int depth) {
    static const std::vector<std::string> kNames = {
        "name",    "title",     "heading",  "year",    "released",   "genre",    "tags",
        "mood",    "notes",     "price",    "made",    "extra",      "id",       "secret",
        "ref",     "parent_id", "story",    "songs",   "tracks",     "song",     "seconds",
        "is_live", "brand",     "album_id", "user_id", "created_at", "based_on", "colour"};
    JsonObject out;
    for (std::uint64_t i = random_.next_u64() % 12; i > 0; --i)
      out[kNames[random_.next_u64() % kNames.size()]] = value(depth);
    return out;
  }

 private:
  Json value(int depth) {
    const std::uint64_t kind = random_.next_u64() % 8;
    if (kind == 0 && depth > 0) return object(depth - 1);
    if (kind <= 2 && depth > 0) {
      JsonArray list;
      for (std::uint64_t i = random_.next_u64() % 4; i > 0; --i) list.push_back(value(depth - 1));
      return list;
    }
    const std::string token = fmt::format("w{}w", ++count_);
    if (kind == 3) return Json(fmt::format("{} {}, {}", random_.next_u64() % 9, token, token));
    return Json(token);
  }
  SeededRandom& random_;
  int count_ = 0;
};

void collect_leaves(const Json& json, const std::string& path,
                    std::vector<std::pair<std::string, std::string>>& out) {
  if (json.is_object()) {
    for (const auto& member : json.as_object())
      collect_leaves(member.value(), path + (path.empty() ? "" : ".") + std::string(member.key()),
                     out);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.as_array().size(); ++i)
      collect_leaves(json.as_array()[i], fmt::format("{}[{}]", path, i), out);
  } else {
    const std::string text(json.as_string());
    const std::size_t from = text.find('w');
    out.emplace_back(path, text.substr(from, text.find('w', from + 1) + 1 - from));
  }
}

TEST_F(PayloadCompiler, I16_every_leaf_is_in_a_column_in_a_linked_row_or_in_discrepancies) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (std::size_t round = 0; round < test_size({50, 300, 2'000}); ++round) {
    const std::string json = write_json(AnyArtifact(random).object(3));
    const CompiledPayload payload = compile(json);
    const std::string compiled = values(payload);
    std::vector<std::pair<std::string, std::string>> leaves;
    collect_leaves(content, "", leaves);
    for (const auto& [path, token] : leaves) {
      bool is_found = compiled.find(token) != std::string::npos;
      for (const Discrepancy& one : payload.discrepancies)
        is_found = is_found || path == one.path || path.starts_with(one.path + ".") ||
                   path.starts_with(one.path + "[");
      ASSERT_TRUE(is_found) << path << " of " << json << "\n" << compiled;
    }
    // R1: the same bytes again.
    const CompiledPayload again = compile(json);
    ASSERT_EQ(values(again), compiled);
    ASSERT_EQ(again.discrepancies, payload.discrepancies);
  }
}

}  // namespace
}  // namespace alfred
