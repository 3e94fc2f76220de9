// R1: only what must be replaced is replaced.
#include "translate/session.h"

namespace alfred {
namespace {

std::string read_books(std::string_view json) { return Session().read("books", json); }

TEST(RowsToRefs, R1_a_document_without_keys_is_copied_byte_for_byte) {
  for (const std::string_view json : {
           R"([{"name":"a"}])",
           R"({ "b" : 1 , "a" : 2 })",
           "[\n  {\n    \"title\": \"One\",\n\t\"pages\": 12\r\n  }\n]\n",
           R"({"x":[1,[2,[3,{}]],{"y":{}}],"z":"\u0041\/\ud83c\udf72"})",
           "{\"name\":\"\u65e5\u672c \U0001F372 caf\u00e9\"}",
           "  [ ] \n",
           "\t{}",
       })
    EXPECT_EQ(read_books(json), json);
}

TEST(RowsToRefs, R1_numbers_keep_their_spelling) {
  const std::string json = R"([{"a":1.0,"b":1e5,"c":-0,"d":1E+9,"e":-1.50e-3,)"
                           R"("f":123456789012345678901234567890,"g":1e400}])";
  EXPECT_EQ(read_books(json), json);
}

TEST(RowsToRefs, R1_escapes_keep_their_spelling) {
  const std::string json = R"([{"na\u006de":"\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83c\udf72"}])";
  EXPECT_EQ(read_books(json), json);
}

TEST(RowsToRefs, R1_members_keep_their_order_and_white_space) {
  EXPECT_EQ(
      read_books("[ { \"z\" : 1 ,\n \"id\" : 7 ,\t\"a\" : 2 } ,\n{\"a\":3,\"id\":8,\"z\":4} ]"),
      "[ { \"z\" : 1 ,\n \"id\" : \"book_1\" ,\t\"a\" : 2 } ,\n"
      "{\"a\":3,\"id\":\"book_2\",\"z\":4} ]");
}

TEST(RowsToRefs, R1_pretty_printed_rows_stay_pretty) {
  EXPECT_EQ(read_books("[\n  {\n    \"id\": 7,\n    \"name\": \"A\"\n  },\n  {\n    \"id\": 8,\n"
                       "    \"name\": \"B\"\n  }\n]\n"),
            "[\n  {\n    \"id\": \"book_1\",\n    \"name\": \"A\"\n  },\n  {\n    \"id\": "
            "\"book_2\",\n    \"name\": \"B\"\n  }\n]\n");
}

TEST(RowsToRefs, R5_nothing_is_no_rows) {
  for (const std::string_view json : {"", " \n", "[]", "[ ]", "{}", "[{}]", "{}{}\n[]"}) {
    Session session;
    EXPECT_EQ(session.read("books", json), json);
    EXPECT_EQ(session.registry.size(), 0U);
    EXPECT_TRUE(session.registry.changes().empty()) << json;
  }
}

TEST(RowsToRefs, R5_rows_one_after_the_other) {
  EXPECT_EQ(read_books("{\"id\":1}\n{\"id\":2}\n[{\"id\":3},{\"id\":1}]{\"id\":4}\n"),
            "{\"id\":\"book_1\"}\n{\"id\":\"book_2\"}\n[{\"id\":\"book_3\"},{\"id\":\"book_1\"}]"
            "{\"id\":\"book_4\"}\n");
}

TEST(RowsToRefs, A10_a_byte_order_mark_is_passed_over_and_counts_in_offsets) {
  EXPECT_EQ(read_books("\xEF\xBB\xBF[{\"id\":1}]"), "\xEF\xBB\xBF[{\"id\":\"book_1\"}]");
  EXPECT_EQ(read_books("\xEF\xBB\xBF[{\"id\":1,}]"), "json at byte 12");
  EXPECT_EQ(read_books("[]\xEF\xBB\xBF[]"), "json at byte 2");
}

TEST(RowsToRefs, R4_the_same_input_twice_gives_the_same_bytes) {
  Session session;
  const std::string json = R"([{"id":5,"name":"see )" + std::string(kCurry) +
                           R"( lit_1","author_id":"x"},)" + R"({"id":6,"author":{"id":7}}])";
  const std::string first = session.read("books", json);
  const RefRegistry after = session.registry;
  EXPECT_EQ(session.read("books", json), first);
  EXPECT_TRUE(session.registry.changes().empty());
  EXPECT_EQ(oracle::RegistryModel(session.registry), oracle::RegistryModel(after));
}

// The rows after the first are recognised by the bytes before their values. Whatever changes
// between two rows must not change what becomes of them.
TEST(RowsToRefs, a_row_with_more_white_space_than_the_one_before_is_read_the_same) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":1,"author":{"id":5},"name":"A","x":[1]},)"
                                  R"({"id": 2,"author": {"id": 6},"name": "B","x": [2]}])"),
            R"([{"id":"book_1","author":{"id":"author_1"},"name":"A","x":[1]},)"
            R"({"id": "book_2","author": {"id": "author_2"},"name": "B","x": [2]}])");
  EXPECT_EQ(session.label("book_2"), "B");
}

TEST(RowsToRefs, a_member_that_held_no_rows_at_first_may_hold_some_later) {
  EXPECT_EQ(read_books(R"([{"id":1,"author":null},{"id":2,"author":{"id":5}},)"
                       R"({"id":3,"author":"x"},{"id":4,"author":[{"id":5},6,[{"id":7}]]}])"),
            R"([{"id":"book_1","author":null},{"id":"book_2","author":{"id":"author_1"}},)"
            R"({"id":"book_3","author":"x"},)"
            R"({"id":"book_4","author":[{"id":"author_1"},6,[{"id":"author_2"}]]}])");
}

TEST(RowsToRefs, rows_may_lack_columns_or_have_others) {
  EXPECT_EQ(read_books(R"([{"id":1,"a":1,"b":2},{"id":2,"b":2},{"b":1,"id":3},{},{"id":4,"a":1},)"
                       R"({"id":5,"a":1,"b":2,"c_id":9}])"),
            R"([{"id":"book_1","a":1,"b":2},{"id":"book_2","b":2},{"b":1,"id":"book_3"},{},)"
            R"({"id":"book_4","a":1},{"id":"book_5","a":1,"b":2,"c_id":"c_1"}])");
}

TEST(RowsToRefs, a_table_may_be_nested_in_itself) {
  Session session({{"parts", "", {"id"}, "name", {}, {{"parts", "parts"}}}});
  EXPECT_EQ(
      session.read("parts", R"([{"id":1,"parts":[{"id":2,"parts":[]},{"parts":null,"id":1}]},)"
                            R"({"id":2,"parts":{"id":3,"name":"c"}}])"),
      R"([{"id":"part_1","parts":[{"id":"part_2","parts":[]},{"parts":null,"id":"part_1"}]},)"
      R"({"id":"part_2","parts":{"id":"part_3","name":"c"}}])");
  EXPECT_EQ(session.label("part_3"), "c");
}

}  // namespace
}  // namespace alfred
