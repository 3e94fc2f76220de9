// A database of somebody's own, SQLite and PostgreSQL, as time goes by: tables come and go, and
// processes end in the middle.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/place_for_tests.h"
#include "engine/session/session.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {
namespace {

enum class Kept : std::uint8_t { in_a_file, on_a_server };

class OwnPlaces : public testing::TestWithParam<Kept> {
 protected:
  static std::string call(RecordService& service, std::string_view tool, std::string_view params) {
    const Result<std::string> answer = service.call(tool, json_for_tests(params), OpId::random());
    return answer ? *answer
                  : std::string(error_name(answer.error().code)) + ": " + answer.error().message;
  }
  static std::string titles(RecordService& service) {
    return read_for_tests(service, R"({"table":"books","columns":["title"]})");
  }

  OwnDatabase own_{GetParam() == Kept::on_a_server ? PostgresForTests::server().fresh_database()
                                                   : ""};
};

TEST_P(OwnPlaces, R9_a_table_that_comes_later_gets_another_word_for_its_refs) {
  call(*own_.open(), "db_create", R"({"table":"books","data":{"title":"Kept"}})");
  // Derived together, `book` would be called book, and `books` books.
  own_.add_tables({.name = "later",
                   .version = 1,
                   .sql = "CREATE TABLE book (id integer PRIMARY KEY, name text NOT NULL, "
                          "of_id integer REFERENCES books (id));",
                   .owners = {}});
  const auto service = own_.open();
  EXPECT_EQ(titles(*service), R"([{"id":"book_1","title":"Kept"}])");
  EXPECT_EQ(
      call(*service, "db_create", R"({"table":"book","data":{"name":"New","of_id":"book_1"}})"),
      R"({"created":[{"ref":"book2_1","label":"New"}],"count":1})");
  EXPECT_EQ(read_for_tests(*service, R"({"table":"book","columns":["name","of_id"]})"),
            R"([{"id":"book2_1","name":"New","of_id":"book_1"}])");
  call(*service, "db_update", R"({"table":"books","data":{"id":"book_1","title":"Changed"}})");
  // It stays so.
  EXPECT_EQ(titles(*own_.open()), R"([{"id":"book_1","title":"Changed"}])");
  EXPECT_EQ(read_for_tests(*own_.open(), R"({"table":"book","columns":["name"]})"),
            R"([{"id":"book2_1","name":"New"}])");
  // A workspace that knows none of them calls them as they are called.
  EXPECT_EQ(titles(*own_.open(0, "fresh")), R"([{"id":"books_1","title":"Changed"}])");
}

// Committed there, and gone before it was told here: whoever looks is told what the rows say.
TEST_P(OwnPlaces, I15_after_a_crash_the_items_of_a_batch_are_what_their_rows_are) {
  const Json declared = json_for_tests(
      own_.open()
          ->declare_batch(json_for_tests(R"({"table":"books","items":["a","b","c"]})"),
                          OpId::random())
          .value());
  const std::string id(declared.at("id").as_string());
  const Json rows = json_for_tests("{\"table\":\"books\",\"batch\":\"" + id +
                                   "\",\"data\":[{\"ref\":\"a\",\"title\":\"A\"},"
                                   "{\"ref\":\"b\",\"title\":\"B\"}]}");
  EXPECT_FALSE(own_.open(2)->call("db_create", rows, OpId::random()));
  const std::string status = own_.open()->batch_status(id).value();
  for (const char* item : {R"("ref":"a","status":"complete")", R"("ref":"b","status":"complete")",
                           R"("ref":"c","status":"pending")"})
    EXPECT_NE(status.find(item), std::string::npos) << status;
  EXPECT_EQ(titles(*own_.open()), R"([{"id":"book_1","title":"A"},{"id":"book_2","title":"B"}])");
}

TEST_P(OwnPlaces, a_batch_is_told_as_other_processes_left_it) {
  const auto looking = own_.open();
  const Json declared = json_for_tests(
      looking->declare_batch(json_for_tests(R"({"table":"books","items":["a"]})"), OpId::random())
          .value());
  const std::string id(declared.at("id").as_string());
  const Json rows = json_for_tests("{\"table\":\"books\",\"batch\":\"" + id +
                                   "\",\"data\":[{\"ref\":\"a\",\"title\":\"A\"}]}");
  ASSERT_TRUE(own_.open()->call("db_create", rows, OpId::random()));
  const std::string status = looking->batch_status(id).value();
  EXPECT_NE(status.find(R"("ref":"a","status":"complete")"), std::string::npos) << status;
}

TEST_P(OwnPlaces, R8_users_have_refs_of_their_own_although_rows_have_no_owners) {
  const auto ann = own_.open_for("ann");
  const auto bob = own_.open_for("bob");
  call(*ann, "db_create", R"({"table":"books","data":[{"title":"A"},{"title":"B"}]})");
  call(*ann, "db_delete",
       R"({"table":"books","filters":[{"field":"_ref","op":"in","value":["book_1"]}]})");
  EXPECT_EQ(titles(*ann), R"([{"id":"book_2","title":"B"}])");
  EXPECT_EQ(bob->workspace().registry().size(), 0U);
  EXPECT_EQ(titles(*bob), R"([{"id":"book_1","title":"B"}])");  // the rows are everybody's
  EXPECT_EQ(own_.open_for("me")->workspace().id(), own_.open_for("")->workspace().id());
  EXPECT_NE(own_.open_for("")->workspace().id(), ann->workspace().id());
}

TEST_P(OwnPlaces, R8_a_session_of_another_is_unknown) {
  SystemClock clock;
  OsRandom random;
  const std::string id = Session::open(own_.place_of("ann"), {}, clock, random).value()->id();
  SessionOptions options;
  options.id = id;
  EXPECT_TRUE(Session::open(own_.place_of("ann"), options, clock, random));
  const auto other = Session::open(own_.place_of("bob"), options, clock, random);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::session);
}

TEST_P(OwnPlaces, R10_tables_and_columns_that_come_and_go_are_noticed) {
  const auto service = own_.open();
  call(*service, "db_create", R"({"table":"books","data":{"title":"Kept"}})");
  own_.add_tables({.name = "later",
                   .version = 1,
                   .sql = "ALTER TABLE books ADD COLUMN pages integer;"
                          "CREATE TABLE shelves (id integer PRIMARY KEY, name text NOT NULL);"
                          "DROP TABLE notes;",
                   .owners = {}});
  EXPECT_EQ(call(*service, "db_create", R"({"table":"shelves","data":{"name":"Top"}})"),
            R"({"created":[{"ref":"shelf_1","label":"Top"}],"count":1})");
  EXPECT_EQ(read_for_tests(*service, R"({"table":"books","columns":["title","pages"]})"),
            R"([{"id":"book_1","title":"Kept","pages":null}])");
  EXPECT_TRUE(read_for_tests(*service, R"({"table":"notes"})").starts_with("table: "));
  own_.add_tables(
      {.name = "still_later", .version = 1, .sql = "DROP TABLE shelves;", .owners = {}});
  EXPECT_TRUE(read_for_tests(*service, R"({"table":"shelves"})").starts_with("table: "));
  const std::string gone =
      call(*service, "db_create", R"({"table":"shelves","data":{"name":"x"}})");
  EXPECT_EQ(gone.find("could not"), std::string::npos) << gone;
  EXPECT_TRUE(service->query(json_for_tests(R"({"sql":"SELECT count(*) AS n FROM books"})")));
  const Result<bool> again = service->renew_schema();
  EXPECT_TRUE(again && !*again);
}

TEST_P(OwnPlaces, a_place_follows_its_tables_and_so_does_the_pack_that_was_derived) {
  RecordPlace place = own_.place_of("");
  const auto knows_shelves = [](const RecordPlace& one) {
    const auto& all = one.pack->subdomains;
    const bool is_there = std::any_of(all.begin(), all.end(), [](const Subdomain& subdomain) {
      return subdomain.name == "shelves";
    });
    EXPECT_EQ(one.schema->find("shelves") != nullptr, is_there);
    return is_there;
  };
  own_.add_tables({.name = "later",
                   .version = 1,
                   .sql = "CREATE TABLE shelves (id integer PRIMARY KEY, name text NOT NULL);",
                   .owners = {}});
  const std::shared_ptr<const Pack> before = place.pack;
  follow_tables(place);  // nobody has looked
  EXPECT_EQ(place.pack, before);
  ASSERT_TRUE(place.live->now());
  RecordPlace narrowed = place;
  narrowed.narrow = [](const Schema& whole) -> Result<std::shared_ptr<const Schema>> {
    return std::make_shared<const Schema>(whole);
  };
  follow_tables(narrowed);
  EXPECT_FALSE(knows_shelves(narrowed));
  follow_tables(place);
  EXPECT_TRUE(knows_shelves(place));
  const std::shared_ptr<const Pack> after = place.pack;
  follow_tables(place);
  EXPECT_EQ(place.pack, after);
}

TEST_P(OwnPlaces, R10_a_ref_that_another_process_gave_is_known) {
  const auto one = own_.open();
  const auto other = own_.open();
  call(*one, "db_create", R"({"table":"books","data":{"title":"New"}})");
  EXPECT_EQ(
      read_for_tests(
          *other,
          R"({"table":"books","columns":["title"],"filters":[{"field":"_ref","op":"in","value":["book_1"]}]})"),
      R"([{"id":"book_1","title":"New"}])");
  EXPECT_TRUE(
      read_for_tests(
          *other, R"({"table":"books","filters":[{"field":"_ref","op":"in","value":["book_9"]}]})")
          .starts_with("ref_unknown: "));
}

INSTANTIATE_TEST_SUITE_P(Stores, OwnPlaces, testing::Values(Kept::in_a_file, Kept::on_a_server),
                         [](const testing::TestParamInfo<Kept>& kept) {
                           return kept.param == Kept::in_a_file ? "sqlite" : "postgres";
                         });

}  // namespace
}  // namespace alfred
