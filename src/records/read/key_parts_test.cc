// Parts of keys of several columns, in their own table and where foreign keys of several columns
// lead: no ref stands for one, so what looks like a key is a literal wherever it is shown (D4).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/base64url.h"
#include "records/query/query_rows.h"
#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kSql = R"(
CREATE TABLE sites (id integer PRIMARY KEY, name text);
CREATE TABLE shelves (site_id integer NOT NULL REFERENCES sites (id), building text NOT NULL,
  no bigint NOT NULL, name text, PRIMARY KEY (site_id, building, no));
CREATE TABLE boxes (id integer PRIMARY KEY, site_id integer, building_name text, shelf_no bigint,
  title text, note text,
  FOREIGN KEY (site_id, building_name, shelf_no) REFERENCES shelves (site_id, building, no));
CREATE TABLE labels (site_id integer NOT NULL, building text NOT NULL, no bigint NOT NULL,
  side text NOT NULL, colour text, PRIMARY KEY (site_id, building, no, side),
  FOREIGN KEY (site_id, building, no) REFERENCES shelves (site_id, building, no));
CREATE TABLE amounts (a numeric(20, 4), b integer, name text, PRIMARY KEY (a, b));
CREATE TABLE codes (hall text, no integer, name text, PRIMARY KEY (hall, no));
CREATE TABLE phones (phone text, kind text, name text, PRIMARY KEY (phone, kind));
CREATE TABLE calls (id integer PRIMARY KEY, phone text, kind text, data json,
  FOREIGN KEY (phone, kind) REFERENCES phones (phone, kind));
CREATE VIEW full_shelves AS SELECT building_name AS stands_in, shelf_no AS at, title FROM boxes;
)";

class KeyParts : public OwnTables {
 protected:
  void SetUp() override {
    open(kSql);
    put("sites", {{"id", std::int64_t{1}}, {"name", "North"}});
    put_shelf("HALL-00017-B", 918273645, "top");
    put_shelf("Old Barn", 7, "low");
    put_box(101, "HALL-00017-B", 918273645, "tools");
    put_box(102, "Old Barn", 7, "hay");
    put("labels", {{"site_id", std::int64_t{1}},
                   {"building", "HALL-00017-B"},
                   {"no", std::int64_t{918273645}},
                   {"side", "left"},
                   {"colour", "red"}});
  }
  void put_shelf(const std::string& building, std::int64_t no, const std::string& name) {
    put("shelves",
        {{"site_id", std::int64_t{1}}, {"building", building}, {"no", no}, {"name", name}});
  }
  void put_box(std::int64_t id, const std::string& building, std::int64_t no,
               const std::string& title) {
    put("boxes", {{"id", id},
                  {"site_id", std::int64_t{1}},
                  {"building_name", building},
                  {"shelf_no", no},
                  {"title", title}});
  }
  std::string shown(const std::string& params) {
    const Result<std::string> said = read(params);
    EXPECT_TRUE(said) << params << (said ? "" : said.error().message + said.error().path);
    return said ? without_parts(*said) : "";
  }
  std::string asked(const std::string& sql) {
    RecordContext now = context();
    const Result<RecordOutcome> found = query_rows(*store, now, JsonObject{{"sql", sql}});
    EXPECT_TRUE(found) << sql << (found ? "" : found.error().message);
    return found ? without_parts(found->answer) : "";
  }
  static std::string without_parts(const std::string& said) {
    for (const char* part :
         {"HALL-000", "00017", "0017-B", "91827364", "18273645", "DOCK", "4711", "55512345"})
      EXPECT_EQ(said.find(part), std::string::npos) << part << " in " << said;
    return said;
  }
  static constexpr const char* kBoxes =
      R"({"rows":[{"id":"box_1","site_id":"site_1","building_name":"lit_1","shelf_no":"lit_2",)"
      R"("title":"tools","note":null},{"id":"box_2","site_id":"site_1",)"
      R"("building_name":"Old Barn","shelf_no":7,"title":"hay","note":null}],"has_more":false,)"
      R"("labels":{"site_1":"North"}})";
};

TEST_P(KeyParts, what_leads_to_a_row_that_nobody_read_is_shown_as_it_will_be_later) {
  EXPECT_EQ(shown(R"({"table":"boxes"})"), kBoxes);
  EXPECT_EQ(shown(R"({"table":"shelves"})"),
            R"({"rows":[{"id":"shelf_1","site_id":"site_1","building":"lit_1","no":"lit_2",)"
            R"("name":"top"},{"id":"shelf_2","site_id":"site_1","building":"Old Barn","no":7,)"
            R"("name":"low"}],"has_more":false,"labels":{"site_1":"North"}})");
  EXPECT_EQ(shown(R"({"table":"boxes"})"), kBoxes);
}

TEST_P(KeyParts, nested_rows_show_them_no_more_than_others) {
  shown(R"({"table":"sites","include":["boxes"]})");
  const std::string said =
      shown(R"({"table":"sites","columns":["name"],"include":["boxes","labels"]})");
  EXPECT_NE(said.find(R"({"id":"box_1","building_name":"lit_1","shelf_no":"lit_2")"),
            std::string::npos)
      << said;
  EXPECT_NE(
      said.find(
          R"({"id":"label_1","site_id":"site_1","building":"lit_1","no":"lit_2","side":"left")"),
      std::string::npos)
      << said;
}

TEST_P(KeyParts, rows_created_through_us_show_them_no_more_than_others) {
  read(R"({"table":"sites"})").value();
  const auto made = create(
      R"({"table":"shelves","data":{"site_id":"site_1","building":"DOCK-4711-XY","no":55512345,)"
      R"("name":"new at DOCK-4711-XY"}})");
  EXPECT_EQ(without_parts(answer(made)),
            R"({"created":[{"ref":"shelf_1","label":"new at lit_1"}],"count":1})");
  const std::string by_name =
      R"({"table":"shelves","filters":[{"field":"name","op":"like","value":"new%"}]})";
  const std::string said =
      R"({"rows":[{"id":"shelf_1","site_id":"site_1","building":"lit_1","no":"lit_2",)"
      R"("name":"new at lit_1"}],"has_more":false,"labels":{"site_1":"North"}})";
  EXPECT_EQ(shown(by_name), said);
  EXPECT_EQ(shown(by_name), said);
  const auto gone = undo(*made);
  EXPECT_EQ(without_parts(answer(gone)),
            R"({"deleted":[{"ref":"shelf_1","label":"new at lit_1"}],"count":1})");
  // What leads to a row that was never shown, in a row that is new itself.
  answer(create(R"({"table":"boxes","data":{"site_id":"site_1","building_name":"HALL-00017-B",)"
                R"("shelf_no":918273645,"title":"nails"}})"));
  const std::string box =
      shown(R"({"table":"boxes","filters":[{"field":"title","op":"=","value":"nails"}]})");
  EXPECT_NE(box.find(R"("building_name":"lit_3","shelf_no":"lit_4")"), std::string::npos) << box;
}

TEST_P(KeyParts, a_literal_finds_and_is_written_back_as_what_it_stands_for) {
  shown(R"({"table":"boxes"})");
  for (const char* filter : {R"({"field":"building_name","op":"=","value":"lit_1"})",
                             R"({"field":"shelf_no","op":"in","value":["lit_2"]})"})
    EXPECT_NE(shown(fmt::format(R"({{"table":"boxes","filters":[{}]}})", filter))
                  .find(R"([{"id":"box_1")"),
              std::string::npos)
        << filter;
  answer(update(R"({"table":"boxes","data":{"id":"box_2","building_name":"lit_1",)"
                R"("shelf_no":"lit_2"}})"));
  EXPECT_EQ(rows("boxes")[1],
            "id:102,site_id:1,building_name:\"HALL-00017-B\",shelf_no:918273645,title:\"hay\","
            "note:null");
}

TEST_P(KeyParts, a_query_shows_them_as_a_read_does) {
  EXPECT_EQ(asked("SELECT building_name, shelf_no, title FROM boxes ORDER BY id"),
            R"({"rows":[{"building_name":"lit_1","shelf_no":"lit_2","title":"tools"},)"
            R"({"building_name":"Old Barn","shelf_no":7,"title":"hay"}]})");
  EXPECT_EQ(asked("SELECT building, no, side FROM labels"),
            R"({"rows":[{"building":"lit_1","no":"lit_2","side":"left"}]})");
  EXPECT_EQ(asked("SELECT stands_in, at FROM full_shelves ORDER BY title DESC"),
            R"({"rows":[{"stands_in":"lit_1","at":"lit_2"},{"stands_in":"Old Barn","at":7}]})");
}

TEST_P(KeyParts, a_query_shows_nothing_that_is_computed_of_them) {
  EXPECT_EQ(asked("SELECT 'in ' || building || '!' AS a, no + 0 AS b, substr(building, 1, 8) AS c, "
                  "count(*) AS n FROM labels GROUP BY building, no"),
            R"({"rows":[{"a":"in lit_1!","b":"lit_2","c":"lit_3","n":1}]})");
  EXPECT_EQ(asked("SELECT title AS t FROM boxes WHERE id = 102 UNION SELECT building FROM labels "
                  "ORDER BY 1 DESC"),
            R"({"rows":[{"t":"hay"},{"t":"lit_1"}]})");
  // Part of a key is what stands in its column, and nothing that merely has as many digits.
  EXPECT_EQ(asked("SELECT max(no) AS a, 12345678 AS b, sum(no) * 2 AS c, max(building) AS d "
                  "FROM labels"),
            R"({"rows":[{"a":"lit_2","b":12345678,"c":1836547290,"d":"lit_1"}]})");
  const bool is_sqlite = GetParam() == AlbumsPlace::sqlite;
  asked(is_sqlite ? "SELECT json_array(building, no) AS j FROM labels"
                  : "SELECT json_build_array(building, no) AS j FROM labels");
}

TEST_P(KeyParts, a_part_is_hidden_however_many_digits_and_of_whatever_type_it_is) {
  put("amounts", {{"a", 55512345.5}, {"b", std::int64_t{1}}, {"name", "half"}});
  put("amounts", {{"a", 99812345.25}, {"b", std::int64_t{2}}, {"name", "more"}});
  put("codes", {{"hall", "47115599"}, {"no", std::int64_t{1}}, {"name", "one"}});
  EXPECT_EQ(asked("SELECT name, a + 0 AS x, coalesce(a, 0) AS y FROM amounts WHERE b = 1"),
            R"({"rows":[{"name":"half","x":"lit_1","y":"lit_1"}]})");
  EXPECT_EQ(asked("SELECT min(a) AS m, 91919191.5 AS other FROM amounts"),
            R"({"rows":[{"m":"lit_1","other":91919191.5}]})");
  EXPECT_EQ(asked("SELECT cast(hall AS bigint) AS h, 88881111 AS other FROM codes"),
            R"({"rows":[{"h":"lit_2","other":88881111}]})");
  const std::string ordered = R"({"table":"amounts","columns":["name"],"order":"a","limit":1)";
  const Json first = parse_json(read(ordered + "}").value(), JsonLimits::none()).value();
  const std::string cursor(first.at("cursor").as_string());
  without_parts(from_base64url(cursor).value());
  EXPECT_NE(shown(ordered + R"(,"cursor":")" + cursor + "\"}").find("more"), std::string::npos);
}

TEST_P(KeyParts, a_text_that_reads_like_a_number_is_written_back_as_that_text) {
  put("phones", {{"phone", "+55512345678"}, {"kind", "home"}, {"name", "Ann"}});
  put("phones", {{"phone", "++5551234567"}, {"kind", "x"}, {"name", "Bob"}});
  put("calls", {{"id", std::int64_t{1}}, {"phone", "+55512345678"}, {"kind", "home"}});
  EXPECT_NE(shown(R"({"table":"phones","order":"name"})").find(R"("phone":"lit_1","kind":"home")"),
            std::string::npos);
  EXPECT_NE(shown(R"({"table":"calls"})").find(R"("phone":"lit_1")"), std::string::npos);
  answer(update(R"({"table":"calls","data":{"id":"call_1","phone":"lit_2","kind":"x",)"
                R"("data":{"p":"lit_1","q":"to lit_2"}}})"));
  const std::string stored = rows("calls").front();
  EXPECT_NE(stored.find("phone:\"++5551234567\""), std::string::npos) << stored;
  EXPECT_NE(stored.find("+55512345678"), std::string::npos) << stored;
  EXPECT_EQ(stored.find(":55512345678"), std::string::npos) << stored;
  EXPECT_NE(stored.find("to ++5551234567"), std::string::npos) << stored;
}

TEST_P(KeyParts, a_view_shows_nothing_of_them_either) {
  EXPECT_EQ(shown(R"({"table":"full_shelves","order":"title"})"),
            R"({"rows":[{"stands_in":"Old Barn","at":7,"title":"hay"},)"
            R"({"stands_in":"lit_1","at":"lit_2","title":"tools"}],"has_more":false})");
}

TEST_P(KeyParts, none_names_a_row_nor_stands_in_a_cursor) {
  EXPECT_EQ(schema.find("boxes")->label, "title");
  const std::string ordered =
      R"({"table":"boxes","columns":["title"],"limit":1,"order":["building_name","shelf_no"])";
  const Json first = parse_json(read(ordered + "}").value(), JsonLimits::none()).value();
  const std::string cursor(first.at("cursor").as_string());
  without_parts(from_base64url(cursor).value());
  EXPECT_NE(shown(ordered + R"(,"cursor":")" + cursor + "\"}").find("hay"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Stores, KeyParts,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
