// Keys and links: which ref stands where, and what is registered.
#include "translate/session.h"

namespace alfred {
namespace {

std::vector<EntityType> library() {
  return {{"books", "", {"id"}, "title", {{"author_id", "authors"}}, {{"loans", "loans"}}},
          {"authors", "", {"id"}, "name", {}, {}},
          {"loans", "", {"book", "day"}, "note", {{"book", "books"}}, {}},
          {"covers", "", {"book_id"}, "", {{"book_id", "books"}}, {}},
          {"lines", "", {}, "", {{"book_id", "books"}}, {}}};
}

TEST(Columns, R2_a_key_column_is_one_in_capitals_too) {
  Session session;
  EXPECT_EQ(
      session.read("books", R"([{"ID":5,"Author_ID":17,"authorId":18,"shelfID":2}])"),
      R"([{"ID":"book_1","Author_ID":"author_1","authorId":"author_2","shelfID":"shelf_1"}])");
  EXPECT_EQ(session.read("books", R"([{"id":5,"Id":5,"PAID":1,"kid":2,"grid_Id_card":3}])"),
            R"([{"id":"book_1","Id":"book_1","PAID":1,"kid":2,"grid_Id_card":3}])");
}

TEST(RowsToRefs, D11_uuid_integer_and_text_keys) {
  EXPECT_EQ(
      Session(library()).read("authors", R"([{"id":")" + std::string(kCod) +
                                             R"("},{"id":-9223372036854775808},{"id":"de"},)" +
                                             R"({"id":""},{"id":"\u0064e"},{"id":0}])"),
      R"([{"id":"author_1"},{"id":"author_2"},{"id":"author_3"},)"
      R"({"id":"author_4"},{"id":"author_3"},{"id":"author_5"}])");
}

TEST(RowsToRefs, D11_an_upper_case_uuid_is_another_key_than_a_lower_case_one) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":"F527CC94-5AF5-451D-9E4A-16FDB9582BDC"},{"id":")" +
                                      std::string(kCod) + R"("}])"),
            R"([{"id":"book_1"},{"id":"book_2"}])");
  EXPECT_EQ(session.registry.key(0).kind(), KeyKind::text);
  EXPECT_EQ(session.registry.key(1).kind(), KeyKind::uuid);
}

TEST(RowsToRefs, D11_an_escaped_uuid_is_the_same_key) {
  EXPECT_EQ(
      Session().read("books", R"([{"id":"\u0061508000d-9b55-40f0-8886-dbdd88bd2de2"},{"id":")" +
                                  std::string(kCurry) + R"("}])"),
      R"([{"id":"book_1"},{"id":"book_1"}])");
}

TEST(RowsToRefs, D11_a_composite_key_puts_the_ref_in_front) {
  Session session(library());
  EXPECT_EQ(
      session.read("loans", R"([{"book":7,"day":"monday","note":"n"},{ "day":"monday","book":8},)"
                            R"({"book":7,"day":"monday"}])"),
      R"([{"id":"loan_1","book":"book_1","day":"monday","note":"n"},)"
      R"({"id":"loan_2", "day":"monday","book":"book_2"},)"
      R"({"id":"loan_1","book":"book_1","day":"monday"}])");
  EXPECT_EQ(session.label("loan_1"), "n");
  EXPECT_EQ(session.status("book_1"), RefStatus::linked);
}

TEST(RowsToRefs, D11_a_row_that_lacks_a_part_of_its_key_gets_no_ref) {
  Session session(library());
  EXPECT_EQ(session.read("loans", R"([{"book":7},{"book":7,"day":null},{"day":1}])"),
            R"([{"book":"book_1"},{"book":"book_1","day":null},{"day":1}])");
  EXPECT_EQ(session.registry.find("loan_1"), kNoEntity);
}

TEST(RowsToRefs, D11_a_row_that_has_a_column_id_gets_its_ref_under_another_name) {
  Session session(library());
  EXPECT_EQ(session.read("loans",
                         R"([{"book":7,"day":1},{"book":7,"day":2,"id":"x"},{"book":7,"day":1}])"),
            R"([{"id":"loan_1","book":"book_1","day":1},{"_ref":"loan_2","book":"book_1","day":2,)"
            R"("id":"x"},{"id":"loan_1","book":"book_1","day":1}])");
}

TEST(RowsToRefs, D11_a_table_whose_key_is_a_link_has_refs_of_its_own) {
  Session session(library());
  EXPECT_EQ(session.read("covers", R"([{"book_id":7,"size":2},{"book_id":null}])"),
            R"([{"id":"cover_1","book_id":"book_1","size":2},{"book_id":null}])");
}

TEST(RowsToRefs, a_table_without_a_key_has_no_refs_but_its_links_are_translated) {
  Session session(library());
  EXPECT_EQ(session.read("lines", R"([{"id":3,"book_id":7}])"), R"([{"id":3,"book_id":"book_1"}])");
}

TEST(RowsToRefs, B14_what_looks_like_a_ref_in_a_text_column_is_just_text) {
  const std::string json = R"([{"title":"route_66","note":"covid_19 gen_x_1 book_1"}])";
  EXPECT_EQ(Session(library()).read("books", json), json);
}

TEST(RowsToRefs, B14_what_looks_like_a_ref_in_a_key_column_is_a_key) {
  EXPECT_EQ(Session(library()).read("books", R"([{"id":"book_9"},{"id":"route_66"}])"),
            R"([{"id":"book_1"},{"id":"book_2"}])");
}

TEST(RowsToRefs, B15_a_ref_inside_prose_stays) {
  Session session(library());
  EXPECT_EQ(session.read("books", R"({"id":1,"title":"like book_1"})"),
            R"({"id":"book_1","title":"like book_1"})");
}

TEST(RowsToRefs, B20_D6_links_to_rows_not_read_yet_are_registered_as_linked) {
  Session session(library());
  EXPECT_EQ(
      session.read("books", R"([{"id":1,"author_id":"x","loans":[{"book":2,"day":1}]},)"
                            R"({"id":2,"author_id":"x"},{"id":3,"author_id":null}])"),
      R"([{"id":"book_1","author_id":"author_1","loans":[{"id":"loan_1","book":"book_2","day":1}]},)"
      R"({"id":"book_2","author_id":"author_1"},{"id":"book_3","author_id":null}])");
  EXPECT_EQ(session.status("author_1"), RefStatus::linked);
  EXPECT_EQ(session.status("book_2"), RefStatus::read);
  session.registry.begin();
  EXPECT_EQ(session.read("authors", R"({"id":"x","name":"Ann"})"),
            R"({"id":"author_1","name":"Ann"})");
  EXPECT_EQ(session.status("author_1"), RefStatus::read);
}

TEST(RowsToRefs, D8_a_link_to_a_deleted_row_shows_its_tombstone_unless_the_row_is_back) {
  Session session(library());
  EXPECT_EQ(session.read("authors", R"([{"id":")" + std::string(kCod) + R"("}])"),
            R"([{"id":"author_1"}])");
  session.registry.begin();
  session.registry.mark_deleted(0);
  const std::string links = R"([{"author_id":")" + std::string(kCod) + R"("},{"author_id":")" +
                            std::string(kCod) + R"("}])";
  EXPECT_EQ(session.read("books", links), R"([{"author_id":"author_1"},{"author_id":"author_1"}])");
  EXPECT_EQ(session.read("authors", R"([{"id":")" + std::string(kCod) + R"("}])"),
            R"([{"id":"author_2"}])");
  EXPECT_EQ(session.read("books", links), R"([{"author_id":"author_2"},{"author_id":"author_2"}])");
}

TEST(RowsToRefs, D8_a_row_that_comes_back_in_the_same_read_has_one_ref_in_it) {
  Session session({{"parts", "", {"id"}, "", {{"in_id", "parts"}}, {}}});
  const std::string id = quoted(kCod);
  EXPECT_EQ(session.read("parts", "{\"id\":" + id + "}"), R"({"id":"part_1"})");
  session.registry.begin();
  session.registry.mark_deleted(0);
  const std::string json =
      "[{\"id\":1,\"in_id\":" + id + "},{\"id\":" + id + ",\"in_id\":" + id + "}]";
  const std::string shown =
      R"([{"id":"part_2","in_id":"part_3"},{"id":"part_3","in_id":"part_3"}])";
  EXPECT_EQ(session.read("parts", json), shown);
  EXPECT_EQ(session.read("parts", json), shown);
}

// Keys wait in dozens before they are registered; nobody may notice.
TEST(RowsToRefs, many_rows_with_many_links_are_numbered_in_their_order) {
  Session session(library());
  std::string json;
  std::string shown;
  for (int i = 1; i <= 300; ++i) {
    const std::string number = std::to_string(i);
    json += R"({"title":"t)" + number + R"(","id":)" + std::to_string(1000 - i) +
            R"(,"author_id":")" + std::string(i % 3 == 0 ? kCod : kCurry) +
            R"(","loans":[{"day":)" + number + R"(,"book":)" + std::to_string(1000 - i) + "}]}\n";
    shown += R"({"title":"t)" + number + R"(","id":"book_)" + number + R"(","author_id":"author_)" +
             (i % 3 == 0 ? "2" : "1") + R"(","loans":[{"id":"loan_)" + number + R"(","day":)" +
             number + R"(,"book":"book_)" + number + "\"}]}\n";
  }
  EXPECT_EQ(session.read("books", json), shown);
  EXPECT_EQ(session.label("book_300"), "t300");
}

TEST(RowsToRefs, B21_one_ref_past_the_limit_is_an_error_and_nothing_is_registered) {
  Session session({}, {.max_entities = 2});
  EXPECT_EQ(session.read("books", R"([{"id":1}])"), R"([{"id":"book_1"}])");
  EXPECT_EQ(session.read("books", R"([{"id":1},{"id":2},{"id":3}])"), "limit at ");
  EXPECT_NE(session.message.find("2 refs"), std::string::npos) << session.message;
  EXPECT_EQ(session.registry.size(), 1U);
  EXPECT_EQ(session.read("books", R"([{"id":2},{"id":1}])"),
            R"([{"id":"book_2"},{"id":"book_1"}])");
}

TEST(RowsToRefs, D3_tables_that_share_a_ref_name_are_told_apart) {
  Session session;
  EXPECT_EQ(session.read("boxes", R"({"id":1})"), R"({"id":"box_1"})");
  EXPECT_EQ(session.read("box", R"({"id":1})"), R"({"id":"box2_1"})");
  EXPECT_EQ(session.read("boxes", R"({"id":2})"), R"({"id":"box_2"})");
  EXPECT_EQ(session.read("shop.box", R"({"id":1,"box_id":2})"),
            R"({"id":"box3_1","box_id":"box_2"})");
}

TEST(RowsToRefs, R2_without_declarations_names_say_what_is_a_key) {
  EXPECT_EQ(Session().read("order_items", R"({"id":1,"order_id":2,"id_card":3,"paid":4,"_id":5})"),
            R"({"id":"order_item_1","order_id":"order_1","id_card":3,"paid":4,"_id":"row_1"})");
}

TEST(RowsToRefs, with_declarations_only_declared_columns_are_keys) {
  EXPECT_EQ(Session(library()).read("authors", R"({"id":1,"order_id":2,"books":[{"id":3}]})"),
            R"({"id":"author_1","order_id":2,"books":[{"id":3}]})");
}

TEST(RowsToRefs, a_registry_that_uses_another_name_for_a_table_is_refused) {
  Session session({{"books", "volume", {"id"}, "", {}, {}}});
  session.registry.begin();
  ASSERT_TRUE(session.registry.type_named("book", "books"));
  EXPECT_EQ(session.read("books", R"({"id":1})"), "schema at ");
  EXPECT_NE(session.message.find("book_1"), std::string::npos) << session.message;
}

TEST(RowsToRefs, labels_come_from_the_declared_column) {
  Session session(library());
  const std::string long_name = std::string(199, 'z') + "\u00e9 and more";
  static_cast<void>(
      session.read("authors", R"([{"id":1,"name":"\u0041nn","title":"no"},{"id":2,"name":null},)"
                              R"({"name":")" +
                                  long_name + R"(","id":3}])"));
  EXPECT_EQ(session.label("author_1"), "Ann");
  EXPECT_EQ(session.label("author_2"), "");
  EXPECT_EQ(session.label("author_3"), std::string(199, 'z'));
}

TEST(RowsToRefs, labels_of_undeclared_tables_come_from_the_first_column_that_usually_names) {
  Session session;
  static_cast<void>(session.read("books",
                                 R"([{"id":1,"description":"d","title":"t","name":"n"},)"
                                 R"({"id":2,"description":"d","title":"t","name":null},)"
                                 R"({"id":3,"note":"x"},{"id":4,"title":["t"],"slug":"s"}])"));
  EXPECT_EQ(session.label("book_1"), "n");
  EXPECT_EQ(session.label("book_2"), "t");
  EXPECT_EQ(session.label("book_3"), "");
  EXPECT_EQ(session.label("book_4"), "s");
}

TEST(RowsToRefs, of_two_labels_for_a_row_that_of_the_row_that_ends_later_stays) {
  Session session({{"parts", "", {"id"}, "name", {}, {{"in", "parts"}}}});
  const std::string inside = R"({"id":1,"name":"outer","in":{"id":1,"name":"inner"}})";
  static_cast<void>(session.read("parts", inside));
  EXPECT_EQ(session.label("part_1"), "outer");
  std::string many;  // more than may wait: the outer row's key is settled before the row ends
  for (int i = 2; i < 100; ++i) many += R"({"id":)" + std::to_string(i) + R"(,"name":"x"},)";
  static_cast<void>(session.read(
      "parts", R"({"id":1,"name":"late","in":[)" + many + R"({"id":1,"name":"early"}]})"));
  EXPECT_EQ(session.label("part_1"), "late");
  EXPECT_EQ(session.label("part_99"), "x");
}

TEST(RowsToRefs, labels_are_masked) {
  Session session;
  static_cast<void>(session.read(
      "books",
      R"([{"id":1,"name":"of )" + std::string(kCurry) +
          R"(\n"},{"id":2,"name":"tail ..16fdb958"},{"id":"16fdb958-9b55-40f0-8886-dbdd88bd2de2"}])"));
  EXPECT_EQ(session.label("book_1"), "of lit_1\n");
  EXPECT_EQ(session.label("book_2"), "tail ..lit_2");
}

}  // namespace
}  // namespace alfred
