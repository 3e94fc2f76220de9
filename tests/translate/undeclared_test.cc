// Tables that nobody declared: what a name of a member or a column says about tables, and what not.
#include "translate/session.h"

namespace alfred {
namespace {

std::string table_of(const Session& session, std::string_view type) {
  const std::optional<TypeNo> known = session.registry.find_type(type);
  return known ? std::string(session.registry.table_of(*known)) : "no such type";
}

TEST(RowsToRefs, R2_a_nested_member_binds_no_table) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":1,"author":{"id":17,"name":"Ann"}}])"),
            R"([{"id":"book_1","author":{"id":"author_1","name":"Ann"}}])");
  EXPECT_EQ(table_of(session, "author"), "");
  EXPECT_EQ(session.read("authors", R"([{"id":17,"name":"Ann"},{"id":18}])"),
            R"([{"id":"author_1","name":"Ann"},{"id":"author_2"}])");
  EXPECT_EQ(table_of(session, "author"), "authors");
}

TEST(RowsToRefs, R2_a_linking_column_binds_no_table) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":1,"author_id":17}])"),
            R"([{"id":"book_1","author_id":"author_1"}])");
  EXPECT_EQ(table_of(session, "author"), "");
  EXPECT_EQ(session.read("authors", R"([{"id":17}])"), R"([{"id":"author_1"}])");
  EXPECT_EQ(table_of(session, "author"), "authors");
}

TEST(RowsToRefs, R2_a_member_and_a_column_of_one_name_mean_the_same_rows) {
  const std::string rows = R"([{"id":1,"author_id":17,"author":{"id":17}}])";
  const std::string shown =
      R"([{"id":"book_1","author_id":"author_1","author":{"id":"author_1"}}])";
  Session session;
  EXPECT_EQ(session.read("books", rows), shown);
  Session knows_authors;
  EXPECT_EQ(knows_authors.read("authors", R"({"id":17})"), R"({"id":"author_1"})");
  EXPECT_EQ(knows_authors.read("books", rows), shown);
  EXPECT_EQ(table_of(knows_authors, "author"), "authors");
}

TEST(RowsToRefs, R2_a_member_named_as_a_known_table_holds_its_rows) {
  Session session;
  EXPECT_EQ(session.read("a.books", R"({"id":1})"), R"({"id":"book_1"})");
  EXPECT_EQ(session.read("books", R"({"id":1})"), R"({"id":"book2_1"})");
  EXPECT_EQ(session.read("shelves", R"({"id":1,"books":[{"id":1}]})"),
            R"({"id":"shelf_1","books":[{"id":"book2_1"}]})");
}

TEST(RowsToRefs, R2_a_member_named_as_a_declared_table_holds_its_rows) {
  Session session({{"authors", "writer", {"no"}, "", {}, {}}});
  EXPECT_EQ(session.read("books", R"({"authors":[{"no":17,"id":3}]})"),
            R"({"authors":[{"no":"writer_1","id":3}]})");
  EXPECT_EQ(table_of(session, "writer"), "authors");
}

TEST(RowsToRefs, R2_a_member_of_the_name_of_the_table_that_is_read) {
  Session session;
  EXPECT_EQ(session.read("parts", R"({"parts":[{"id":2}],"part":{"id":3},"id":1})"),
            R"({"parts":[{"id":"part_1"}],"part":{"id":"part_2"},"id":"part_3"})");
  EXPECT_EQ(table_of(session, "part"), "parts");
}

TEST(RowsToRefs, R2_a_member_without_a_name_is_of_no_other_type) {
  Session session;
  EXPECT_EQ(session.read("books", R"({"author_id":1,"":{"id":1}})"),
            R"({"author_id":"author_1","":{"id":"row_1"}})");
}

}  // namespace
}  // namespace alfred
