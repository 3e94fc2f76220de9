#include "records/to_keys/params_to_keys.h"

#include <gtest/gtest.h>

#include "records/to_keys/params_for_tests.h"

namespace alfred {
namespace {

std::string quoted(std::string_view key) { return fmt::format("\"{}\"", key); }

TEST(ParamsToKeys, R1_key_columns_are_translated) {
  Library library = Library::with_books();
  EXPECT_EQ(library.keys("books", where("id", R"("book_2")")), where("id", quoted(kEmma)));
  EXPECT_EQ(library.keys("books", where("author_id", R"("author_1")")),
            where("author_id", quoted(kAnn)));
  EXPECT_EQ(library.keys("books", R"({"data":{"title":"x","author_id":"author_2"}})"),
            fmt::format(R"({{"data":{{"title":"x","author_id":"{}"}}}})", kBob));
}

TEST(ParamsToKeys, B14_text_that_looks_like_a_ref_is_text_in_a_text_column) {
  Library library = Library::with_books();
  for (const char* text : {"route_66", "covid_19", "gen_x_1", "book_1", "ref_book_1", "book_99"}) {
    const std::string filter = where("title", quoted(text));
    EXPECT_EQ(library.keys("books", filter), filter);
    const std::string row = fmt::format(R"({{"data":[{{"title":"{}"}}]}})", text);
    EXPECT_EQ(library.keys("books", row), row);
  }
}

TEST(ParamsToKeys, B15_a_ref_inside_prose_stays) {
  Library library = Library::with_books();
  const std::string row = R"({"data":{"title":"like book_1, but for author_2"}})";
  EXPECT_EQ(library.keys("books", row), row);
}

TEST(ParamsToKeys, R1_aliases_and_ref_in_front_work_as_refs) {
  Library library = Library::with_books();
  const TypeNo book = *library.registry.find_type("book");
  ASSERT_TRUE(library.registry.register_generated(book, "Faust", {1, 0}));
  constexpr std::string_view kFaust = "9efb0412-5364-4160-8f8e-9dacbb2ac9e8";
  ASSERT_TRUE(
      library.registry.register_created(book, RecordKey::from_text(kFaust).view(), "gen_book_1"));
  for (const char* ref : {"gen_book_1", "book_3", "ref_book_3"})
    EXPECT_EQ(library.keys("books", where("id", quoted(ref))), where("id", quoted(kFaust)));
}

TEST(ParamsToKeys, R2_null_is_no_ref_and_stays_null) {
  Library library = Library::with_books();
  const std::string row = R"({"data":{"id":null,"author_id":null,"title":null,"chapters":null}})";
  EXPECT_EQ(library.keys("books", row), row);
  EXPECT_EQ(library.keys("books", where("author_id", "null")), where("author_id", "null"));
}

TEST(ParamsToKeys, R2_everything_else_is_refused_in_a_key_column) {
  Library library = Library::with_books();
  for (const char* value :
       {"1", "-1", "1.5", "true", "false", "{}", R"({"ref":"book_1"})", R"("")", R"("book")",
        "123456789", R"([["book_1"]])", "[1]", "[null]", R"([{"id":"book_1"}])"}) {
    const Error error = library.error("books", where("id", value));
    EXPECT_EQ(error.code, ErrorCode::ref_syntax) << value;
    EXPECT_TRUE(error.path.starts_with("filters[0].value")) << error.path;
    EXPECT_EQ(error.allowed, (std::vector<std::string>{"book_2", "book_1"})) << value;
  }
  for (const char* value : {"[]", R"(["author_1"])", "{}", "7"})
    EXPECT_EQ(library.error("books", fmt::format(R"({{"data":{{"author_id":{}}}}})", value)).code,
              ErrorCode::ref_syntax)
        << value;
}

TEST(ParamsToKeys, R4_what_is_no_ref_is_copied_byte_for_byte) {
  Library library = Library::with_books();
  const std::string text =
      " {\t\"table\" : \"books\" ,\r\n \"limit\":1e3, \"x\":[1.50,-0,12345678901234567890,"
      "\"\\u00e9\\/\\ud83d\\ude00 é\"],\n\"data\" : [ {\"title\":\"a\\u0062c\\n\",\"n\":0.10 , "
      "\"o\":{\"id\":\"book_1\",\"deep\":[[],{}]}} , { } ] } \n";
  EXPECT_EQ(library.keys("books", text), text);
}

TEST(ParamsToKeys, R4_only_the_value_is_replaced) {
  Library library = Library::with_books();
  EXPECT_EQ(library.keys("books",
                         "{ \"filters\" : [ { \"value\" :\n\"book_1\" , \"op\":\"=\",\t"
                         "\"field\" : \"id\" } ] }"),
            fmt::format("{{ \"filters\" : [ {{ \"value\" :\n\"{}\" , \"op\":\"=\",\t"
                        "\"field\" : \"id\" }} ] }}",
                        kDune));
}

TEST(ParamsToKeys, escapes_in_names_and_values_are_read) {
  Library library = Library::with_books();
  const std::string_view text =
      R"({"\u0066ilters":[{"\u0066ield":"\u0069d","\u006fp":"in","\u0076alue":["b\u006fok_1"]}],)"
      R"("t\u0061ble":"b\u006foks","d\u0061ta":{"author\u005fid":"\u0061uthor_1"}})";
  EXPECT_EQ(
      library.keys("books", text),
      fmt::format(
          R"({{"\u0066ilters":[{{"\u0066ield":"\u0069d","\u006fp":"in","\u0076alue":["{}"]}}],)"
          R"("t\u0061ble":"b\u006foks","d\u0061ta":{{"author\u005fid":"{}"}}}})",
          kDune, kAnn));
}

TEST(ParamsToKeys, nested_rows_of_a_payload_are_rows_of_their_table) {
  Library library = Library::with_books();
  EXPECT_EQ(
      library.keys("books", R"({"data":[{"title":"T","chapters":[{"book_id":"book_1","no":1},)"
                            R"({"book_id":null}],"author":{"id":"author_2"}}]})"),
      fmt::format(R"({{"data":[{{"title":"T","chapters":[{{"book_id":"{}","no":1}},)"
                  R"({{"book_id":null}}],"author":{{"id":"{}"}}}}]}})",
                  kDune, kBob));
  const Error error =
      library.error("books", R"({"data":[{},{"chapters":[{},{"book_id":"author_1"}]}]})");
  EXPECT_EQ(error.code, ErrorCode::ref_type);
  EXPECT_EQ(error.path, "data[1].chapters[1].book_id");
}

TEST(ParamsToKeys, undeclared_tables_go_by_names) {
  Library library;
  library.read("posts", R"([{"id":31,"writer_id":41,"tags":[{"id":51}]}])");
  EXPECT_EQ(library.keys("posts", R"({"filters":[{"field":"writer_id","value":"writer_1"}],)"
                                  R"("data":{"id":"post_1","tags":[{"id":"tag_1"},7,[{"id":)"
                                  R"("tag_1"}]],"name":"post_1"}})"),
            R"({"filters":[{"field":"writer_id","value":41}],)"
            R"("data":{"id":31,"tags":[{"id":51},7,[{"id":51}]],"name":"post_1"}})");
  // A table, and a type, that this registry never met: it forgets that it was asked.
  EXPECT_EQ(library.error("pages", where("id", R"("page_1")")).code, ErrorCode::ref_unknown);
  EXPECT_EQ(library.error("pages", where("ghost_id", R"("post_1")")).code, ErrorCode::ref_type);
}

TEST(ParamsToKeys, R5_what_a_read_changed_can_still_be_taken_after_a_call) {
  const std::string rows = R"([{"id":31,"writer_id":41,"note":")" + std::string(kAnn) + R"("}])";
  Library library;
  library.read("posts", rows);
  const RefChanges changes = library.registry.changes();
  EXPECT_GE(changes.size(), 5u);
  library.keys("posts", where("writer_id", R"("writer_1")"));
  library.error("posts", where("ghost_id", R"("ghost_1")"));
  EXPECT_EQ(library.registry.changes(), changes);
  library.registry.rollback();
  EXPECT_EQ(RegistryJson::write(library.registry), RegistryJson::write(RefRegistry()));
}

TEST(ParamsToKeys, R5_a_type_that_only_a_call_names_is_unknown_to_the_registry) {
  Library library;
  library.read("posts", R"({"id":31,"page_id":5})");
  const RefRegistry& unchanged = library.registry;
  const std::size_t types = unchanged.type_count();
  // `pages` has the type that page_id had; a ghost's would be a new one.
  EXPECT_EQ(library.keys("pages", where("id", R"("page_1")")),
            R"({"filters":[{"field":"id","op":"=","value":5}]})");
  EXPECT_EQ(library.error("pages", where("ghost_id", R"("ghost_1")")).code, ErrorCode::ref_unknown);
  EXPECT_EQ(library.error("posts", R"({"data":{"ghost":{"id":"page_1"},"ghost_id":null}})").code,
            ErrorCode::ref_type);
  EXPECT_EQ(unchanged.type_count(), types);
  EXPECT_EQ(unchanged.table_of(*unchanged.find_type("page")), "");
}

TEST(ParamsToKeys, R3_another_table_than_the_calls_is_refused) {
  Library library = Library::with_books();
  EXPECT_EQ(library.error("books", R"({"table":"authors","filters":[]})").path, "table");
  EXPECT_EQ(library.error("books", R"({"table":null,"filters":[]})").code, ErrorCode::schema);
  EXPECT_EQ(library.keys("books", R"({"table":"books","filters":[]})"),
            R"({"table":"books","filters":[]})");
}

TEST(ParamsToKeys, wrong_shapes_are_schema_errors_with_a_path) {
  Library library = Library::with_books();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[]", ""},
      {"7", ""},
      {"{}", ""},
      {R"({"table":"books"})", ""},
      {R"({"filters":{}})", "filters"},
      {R"({"or_filters":true})", "or_filters"},
      {R"({"filters":[7]})", "filters[0]"},
      {R"({"filters":[{}]})", "filters[0]"},
      {R"({"filters":[{"field":7}]})", "filters[0]"},
      {R"({"filters":[{"field":["id"],"value":"book_1"}]})", "filters[0]"},
      {R"({"filters":[{"any":7}]})", "filters[0].any"},
      {R"({"filters":[{"any":null}]})", "filters[0].any"},
      {R"({"filters":[null]})", "filters[0]"},
      {R"({"data":7})", "data"},
      {R"({"data":null})", "data"},
      {R"({"filters":null,"data":null})", "data"},
      {R"({"data":[{},7]})", "data[1]"},
      {R"({"data":{"chapters":[7]}})", "data.chapters[0]"},
  };
  for (const auto& [text, path] : cases) {
    const Error error = library.error("books", text);
    EXPECT_EQ(error.code, ErrorCode::schema) << text;
    EXPECT_EQ(error.path, path) << text;
  }
}

TEST(ParamsToKeys, malformed_json_is_an_error_at_its_byte) {
  Library library = Library::with_books();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"{\"filters\":[", "byte 12"},
      {"{\"filters\":[}", "byte 12"},
      {"{\"filters\":[]}x", "byte 14"},
      {"{\"filters\":[],}", "byte 14"},
      {"{\"filters\":[{\"field\":\"id\",\"value\":\"book_1\"}]", "byte 44"},
      {"{\"data\":{\"a\":1,\"a\":2}}", "byte 15"},
      {"{\"data\":{\"a\":1,\"\\u0061\":2}}", "byte 15"},
      {"{\"data\":{\"a\":01}}", "byte 14"},
      {"{\"data\":{\"a\":\"\\ud800\"}}", "byte 14"},
      {"{\"data\":{\"a\":\"\xff\"}}", "byte 14"},
      {"{\"data\":{\"a\":\"\n\"}}", "byte 14"},
  };
  for (const auto& [text, path] : cases) EXPECT_EQ(library.error("books", text).path, path) << text;
}

TEST(ParamsToKeys, every_prefix_of_a_call_is_refused_or_whole) {
  Library library = Library::with_books();
  const std::string text =
      R"({"filters":[{"field":"id","op":"in","value":["book_1","book_2"]},{"any":[{"field":"a",)"
      R"("value":"lit_x"}]}],"data":[{"author_id":"author_1","chapters":[{"book_id":"book_2"}]}]})";
  ASSERT_TRUE(library.call("books", text).json);
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(library.call("books", text.substr(0, size)).json) << size;
}

TEST(ParamsToKeys, depth_is_bounded) {
  Library library = Library::with_books();
  const auto rows = [](std::size_t levels) {
    std::string text = "{\"data\":";
    for (std::size_t i = 0; i < levels; ++i) text += "[{\"a\":";
    text += "1";
    for (std::size_t i = 0; i < levels; ++i) text += "}]";
    return text + "}";
  };
  const auto groups = [](std::size_t levels) {
    std::string text = "{\"filters\":[";
    for (std::size_t i = 0; i < levels; ++i) text += "{\"any\":[";
    for (std::size_t i = 0; i < levels; ++i) text += "]}";
    return text + "]}";
  };
  EXPECT_TRUE(library.call("notes", rows(400)).json);
  EXPECT_EQ(library.error("notes", rows(1001)).code, ErrorCode::limit);
  EXPECT_TRUE(library.call("books", groups(400)).json);
  EXPECT_EQ(library.error("books", groups(1001)).code, ErrorCode::limit);
  EXPECT_EQ(library.call("books", R"({"data":{"a":[[1]]}})", {.max_depth = 2}).error.code,
            ErrorCode::limit);
}

TEST(ParamsToKeys, a_row_of_many_columns_is_no_trap) {
  Library library = Library::with_books();
  std::string text = "{\"data\":{\"c\":0";
  for (int i = 0; i < 20'000; ++i) text += fmt::format(",\"c{}\":{}", i, i);
  EXPECT_EQ(library.keys("books", text + "}}"), text + "}}");
}

TEST(ParamsToKeys, translate_filters_and_payload_take_the_parts_alone) {
  Library library = Library::with_books();
  ByteBuffer out;
  ASSERT_TRUE(translate_filters(library.registry, library.types, "books",
                                R"([{"field":"id","value":"book_1"}])", out));
  EXPECT_EQ(out.view(), fmt::format(R"([{{"field":"id","value":"{}"}}])", kDune));
  out.clear();
  ASSERT_TRUE(translate_payload(library.registry, library.types, "books",
                                R"({"author_id":"author_2"})", out));
  EXPECT_EQ(out.view(), fmt::format(R"({{"author_id":"{}"}})", kBob));
  out.clear();
  const auto bad = translate_payload(library.registry, library.types, "books",
                                     R"([{},{"author_id":"author_7"}])", out);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().path, "data[1].author_id");
  EXPECT_EQ(out.view(), "");
}

}  // namespace
}  // namespace alfred
