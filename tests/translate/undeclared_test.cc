// Tables that nobody declared: what a name of a member or a column says about tables, and what not.
#include <set>

#include "records/to_keys/params_to_keys.h"
#include "refs/hiding/key_shapes.h"
#include "refs/registry/registry_json.h"
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

const std::string kU(kCurry);

TEST(RowsToRefs, R3_I3_no_type_shows_a_key) {
  for (const std::string& rows :
       {R"({"id":1,"items":{")" + kU + R"(":{"id":77}}})", R"({"id":1,")" + kU + R"(":{"id":77}})",
        R"({")" + kU + R"(_id":5})",
        std::string(R"({"804512967_id":5,"x":{"804512967":{"id":3}}})")}) {
    Session session;
    const std::string shown = session.read("books", rows);
    EXPECT_EQ(shown.find("a508000d"), std::string::npos) << shown;
    for (std::size_t i = 0; i < session.registry.type_count(); ++i)
      EXPECT_FALSE(has_key_shape(session.registry.type_name(static_cast<TypeNo>(i)))) << shown;
  }
  Session session;
  EXPECT_EQ(session.read("books", R"({"id":1,"items":{")" + kU + R"(":{"id":77}}})"),
            R"({"id":"book_1","items":{"lit_1":{"id":"item_row_1"}}})");
}

TEST(RowsToRefs, R3_I3_a_known_text_key_is_no_type) {
  Session session;
  session.read("people", R"([{"id":"alice-wonderland"},{"id":"wonder_land"}])");
  EXPECT_EQ(session.read("books", R"({"m":{"alice-wonderland":{"id":5}},"wonder_land":{"id":5}})"),
            R"({"m":{"lit_1":{"id":"m_row_1"}},"lit_2":{"id":"book_row_1"}})");
  EXPECT_EQ(session.read("books", R"({"wonder_land_id":5,"Wonder_land":{"id":5}})"),
            R"({"lit_3":"row_1","lit_4":{"id":"book_row_1"}})");
}

TEST(RowsToRefs, R3_I3_a_key_that_becomes_known_in_the_same_read_is_no_type) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"m":{"alice-wonderland":{"id":5}}},)"
                                  R"({"id":"alice-wonderland"}])"),
            R"([{"m":{"lit_1":{"id":"m_row_1"}}},{"id":"book_1"}])");
  EXPECT_FALSE(session.registry.find_type("alice_wonderland"));
}

TEST(RowsToRefs, R3_I1_different_names_have_different_types) {
  Session session;
  EXPECT_EQ(session.read("书", R"([{"id":1,"作者_id":1,"出版社_id":1,"_id":1}])"),
            R"([{"id":"row_1","作者_id":"row2_1","出版社_id":"row3_1","_id":"row4_1"}])");
  const std::string forty(40, 'a');
  const std::string shown =
      session.read("t", R"({")" + forty + R"(x_id":1,")" + forty + R"(y_id":1})");
  std::set<std::string> types;
  for (std::size_t i = 0; i < session.registry.type_count(); ++i)
    types.insert(std::string(session.registry.type_name(static_cast<TypeNo>(i))));
  EXPECT_EQ(types.size(), session.registry.type_count());
  EXPECT_EQ(session.registry.size(), 6u) << shown;
}

TEST(RowsToRefs, R3_I1_a_numbered_type_is_not_what_a_column_of_that_name_means) {
  Session session;
  EXPECT_EQ(session.read("a.users", R"({"id":1})"), R"({"id":"user_1"})");
  EXPECT_EQ(session.read("b.users", R"({"id":1})"), R"({"id":"user2_1"})");
  EXPECT_EQ(session.read("notes", R"({"user2_id":1,"user_id":1,"user2":{"id":1}})"),
            R"({"user2_id":"user22_1","user_id":"user_1","user2":{"id":"user22_1"}})");
}

TEST(RowsToRefs, R3_what_types_are_called_survives_saving) {
  const std::string rows = R"([{"id":1,"作者_id":1,"出版社_id":2,"m":{")" + kU + R"(":{"id":3}}}])";
  Session session;
  const std::string shown = session.read("书", rows);
  Result<RefRegistry> again = RegistryJson::read(RegistryJson::write(session.registry));
  ASSERT_TRUE(again) << again.error().message;
  session.registry = std::move(*again);
  EXPECT_EQ(session.read("书", rows), shown);
  EXPECT_EQ(session.registry.size(), 4u);
}

TEST(RowsToRefs, R3_the_entries_of_a_map_share_one_type) {
  Session session;
  std::string rows = R"({"m":{)";
  for (int i = 0; i < 300; ++i)
    rows += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"id":)" + std::to_string(i) + "}";
  session.read("books", rows + "}}");
  EXPECT_EQ(session.registry.type_count(), 1u);
  EXPECT_EQ(session.registry.size(), 300u);
}

TEST(RowsToRefs, a_key_that_is_declared_otherwise_is_noticed) {
  Session session({{"loans", "", {"book", "reader"}, "", {}, {}}});
  EXPECT_EQ(session.read("loans", R"({"book":1,"reader":2})"),
            R"({"id":"loan_1","book":1,"reader":2})");
  const auto declare = [&](std::vector<std::string> key) {
    session.types = *EntityTypes::make({{"loans", "", std::move(key), "", {}, {}}});
  };
  declare({"reader", "book"});
  EXPECT_EQ(session.read("loans", R"({"book":1,"reader":2})"), "schema at ");
  EXPECT_NE(session.message.find("(book, reader)"), std::string::npos) << session.message;
  ByteBuffer out;
  const Result<ParamsReport> asked =
      translate_params(session.registry, session.types, "loans",
                       R"({"filters":[{"field":"id","op":"=","value":"loan_1"}]})", out);
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::schema);
  session.types = EntityTypes();
  EXPECT_EQ(session.read("loans", R"({"id":1})"), "schema at ");
}

}  // namespace
}  // namespace alfred
