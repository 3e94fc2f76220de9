// Filters: groups, null, keys of every kind, and literals in what is no key.
#include <gtest/gtest.h>

#include "records/to_keys/params_for_tests.h"

namespace alfred {
namespace {

TEST(Filters, or_filters_are_filters) {
  Library library = Library::with_books();
  EXPECT_EQ(library.keys("books", R"({"or_filters":[{"field":"id","value":"book_1"},)"
                                  R"({"field":"title","value":"book_1"}]})"),
            fmt::format(R"({{"or_filters":[{{"field":"id","value":"{}"}},)"
                        R"({{"field":"title","value":"book_1"}}]}})",
                        kDune));
}

TEST(Filters, null_filters_are_no_filters) {
  Library library = Library::with_books();
  for (const std::string_view text :
       {R"({"filters":null})", R"({ "filters" : null , "or_filters":null,"columns":null})",
        R"({"table":"books","filters":null,"columns":["title"],"limit":null})",
        R"({"or_filters":null,"filters":[]})"})
    EXPECT_EQ(library.keys("books", text), text);
  EXPECT_EQ(
      library.keys("books", R"({"or_filters":null,"filters":[{"field":"id","value":"book_1"}]})"),
      fmt::format(R"({{"or_filters":null,"filters":[{{"field":"id","value":"{}"}}]}})", kDune));
  EXPECT_EQ(library.error("books", R"({"filters":nul})").code, ErrorCode::json);
}

TEST(Filters, groups_nest) {
  Library library = Library::with_books();
  const std::string_view text =
      R"({"filters":[{"any":[{"field":"id","op":"=","value":"book_1"},{"all":[{"value":)"
      R"(["author_2"],"op":"in","field":"author_id"},{"field":"n","op":">","value":3}]}]}]})";
  EXPECT_EQ(library.keys("books", text),
            fmt::format(R"({{"filters":[{{"any":[{{"field":"id","op":"=","value":"{}"}},{{"all":)"
                        R"([{{"value":["{}"],"op":"in","field":"author_id"}},{{"field":"n",)"
                        R"("op":">","value":3}}]}}]}}]}})",
                        kDune, kBob));
  const Error error = library.error(
      "books", R"({"filters":[{},{"any":[{"all":[{"field":"id","value":"book_7"}]}]}]})");
  EXPECT_EQ(error.path, "filters[0]");
  EXPECT_EQ(library
                .error("books", R"({"filters":[{"field":"n"},{"any":[{"all":[{"field":"id",)"
                                R"("value":"book_7"}]}]}]})")
                .path,
            "filters[1].any[0].all[0].value");
}

TEST(Filters, R2_nothing_slips_through_beside_a_group) {
  Library library = Library::with_books();
  for (const char* text : {R"({"filters":[{"any":[],"all":[{"field":"id","value":"raw key"}]}]})",
                           R"({"filters":[{"any":[],"field":"id","op":"=","value":"raw key"}]})",
                           R"({"filters":[{"field":"id","op":"=","value":"raw key","all":[]}]})"})
    EXPECT_EQ(library.error("books", text).code, ErrorCode::schema) << text;
}

TEST(Filters, is_null_takes_no_ref) {
  Library library = Library::with_books();
  for (const char* filter :
       {R"({"filters":[{"field":"author_id","op":"is_null"}]})",
        R"({"filters":[{"field":"author_id","op":"is_null","value":true}]})",
        R"({"filters":[{"value":false,"field":"author_id","op":"is_n\u0075ll"}]})",
        R"({"filters":[{"field":"author_id","op":"is_not_null","value":null}]})"})
    EXPECT_EQ(library.keys("books", filter), filter);
  for (const char* value : {"\"author_1\"", "\"a key\"", "[\"a key\"]", "7", "{}"})
    EXPECT_EQ(library
                  .error("books", fmt::format(R"({{"filters":[{{"field":"author_id",)"
                                              R"("op":"is_null","value":{}}}]}})",
                                              value))
                  .code,
              ErrorCode::schema)
        << value;
}

TEST(Filters, member_order_plays_no_part) {
  Library library = Library::with_books();
  EXPECT_EQ(library.keys("books", R"({"filters":[{"value":"author_1","op":"=","field":)"
                                  R"("editor_id"}]})"),
            fmt::format(R"({{"filters":[{{"value":"{}","op":"=","field":"editor_id"}}]}})", kAnn));
}

TEST(Filters, integer_and_text_keys_come_back_as_they_were) {
  Library library;
  library.read("books", R"([{"id":-9223372036854775808},{"id":"a \"b\"\\\né\u0001"},{"id":""},)"
                        R"({"id":"7"},{"id":7},{"id":"5AB7C0DE-1F2E-4D3C-8B4A-5968778695A4"}])");
  EXPECT_EQ(library.keys("books", where("id", R"(["book_1","book_2","book_3","book_4","book_5",)"
                                              R"("book_6"])")),
            where("id", R"([-9223372036854775808,"a \"b\"\\\né\u0001","","7",7,)"
                        R"("5AB7C0DE-1F2E-4D3C-8B4A-5968778695A4"])"));
}

// Keys of several columns.

Library with_loans() {
  Library library = Library::with_books();
  EXPECT_EQ(library.read("loans", fmt::format(R"([{{"book_id":"{}","reader_no":5}},)"
                                              R"({{"book_id":"{}","reader_no":6}}])",
                                              kDune, kEmma)),
            R"([{"id":"loan_1","book_id":"book_1","reader_no":5},)"
            R"({"id":"loan_2","book_id":"book_2","reader_no":6}])");
  return library;
}

TEST(CompositeKeys, a_ref_becomes_columns_and_their_values) {
  Library library = with_loans();
  EXPECT_EQ(library.keys("loans", where("id", "\"loan_2\"")),
            fmt::format(R"({{"filters":[{{"field":["book_id","reader_no"],"op":"=","value":)"
                        R"(["{}",6]}}]}})",
                        kEmma));
  EXPECT_EQ(library.keys("loans", R"({"filters":[{"value":["loan_1","loan_2"],"op":"in",)"
                                  R"("field":"_ref"}]})"),
            fmt::format(R"({{"filters":[{{"value":[["{}",5],["{}",6]],"op":"in",)"
                        R"("field":["book_id","reader_no"]}}]}})",
                        kDune, kEmma));
  EXPECT_EQ(library.keys("loans", where("book_id", "\"book_1\"")),
            where("book_id", fmt::format("\"{}\"", kDune)));
  EXPECT_EQ(library.keys("loans", where("reader_no", "5")), where("reader_no", "5"));
  EXPECT_EQ(library.error("loans", where("id", "\"book_1\"")).code, ErrorCode::ref_type);
}

TEST(CompositeKeys, a_part_called_id_is_no_ref) {
  Library library = with_loans();
  EXPECT_EQ(library.read("seats", R"({"room":"hall","id":12})"),
            R"({"_ref":"seat_1","room":"hall","id":12})");
  EXPECT_EQ(library.keys("seats", where("id", "12")), where("id", "12"));
  EXPECT_EQ(library.keys("seats", where("_ref", "\"seat_1\"")),
            R"({"filters":[{"field":["room","id"],"op":"=","value":["hall",12]}]})");
  EXPECT_EQ(library.keys("seats", R"({"data":{"id":13}})"), R"({"data":{"id":13}})");
}

TEST(CompositeKeys, a_key_that_is_one_link_stays_one_column) {
  Library library = Library::with_books();
  EXPECT_EQ(library.read("profiles", fmt::format(R"({{"author_id":"{}","bio":"b"}})", kAnn)),
            R"({"id":"profile_1","author_id":"author_1","bio":"b"})");
  EXPECT_EQ(library.keys("profiles", where("id", "\"profile_1\"")),
            where("author_id", fmt::format("\"{}\"", kAnn)));
  EXPECT_EQ(library.keys("profiles", where("id", "[\"profile_1\"]")),
            where("author_id", fmt::format("[\"{}\"]", kAnn)));
}

TEST(CompositeKeys, in_a_row_the_ref_becomes_the_columns_that_the_row_lacks) {
  Library library = with_loans();
  EXPECT_EQ(library.keys("loans", R"({"data":{"id":"loan_1","due":"May"}})"),
            fmt::format(R"({{"data":{{"book_id":"{}","reader_no":5,"due":"May"}}}})", kDune));
  EXPECT_EQ(library.keys("loans", R"({"data":[{"reader_no":5,"_ref":"loan_1"}]})"),
            fmt::format(R"({{"data":[{{"reader_no":5,"book_id":"{}"}}]}})", kDune));
  const std::string whole = fmt::format(R"({{"book_id":"{}", "reader_no":5}})", kDune);
  for (const char* row : {R"({"id":"loan_1","book_id":"book_1", "reader_no":5})",
                          R"({"book_id":"book_1","_ref" : "loan_1" , "reader_no":5})",
                          R"({"book_id":"book_1", "reader_no":5 , "id":"loan_1"})",
                          R"({"id":null,"book_id":"book_1", "reader_no":5})"})
    EXPECT_EQ(library.keys("loans", fmt::format(R"({{"data":{}}})", row)),
              fmt::format(R"({{"data":{}}})", whole))
        << row;
  EXPECT_EQ(library.keys("loans", R"({"data":{"id":null}})"), R"({"data":{}})");
  EXPECT_EQ(library.error("loans", R"({"data":{"id":"book_1"}})").path, "data.id");
  // Beside _ref, id is a column of the row.
  EXPECT_EQ(library.keys("loans", R"({"data":[{"_ref":"loan_1","id":7},{"id":"loan_2"}]})"),
            fmt::format(R"({{"data":[{{"book_id":"{}","reader_no":5,"id":7}},)"
                        R"({{"book_id":"{}","reader_no":6}}]}})",
                        kDune, kEmma));
}

TEST(CompositeKeys, other_declarations_than_the_refs_were_read_with_are_refused) {
  Library library = with_loans();
  Library without;
  without.types = EntityTypes();
  without.registry = std::move(library.registry);
  EXPECT_EQ(without.error("loans", where("id", "\"loan_1\"")).code, ErrorCode::schema);
  EXPECT_EQ(without.error("fines", R"({"data":{"loan_id":"loan_1"}})").code, ErrorCode::schema);
  Library simple;
  simple.types = EntityTypes();
  simple.read("loans", R"({"id":77})");
  simple.types = read_entity_types(kLibraryTypes, "types").value();
  EXPECT_EQ(simple.error("loans", where("id", "\"loan_1\"")).code, ErrorCode::schema);
}

// Literals.

TEST(Literals, come_back_as_the_text_they_stand_for) {
  Library library = Library::with_books();
  library.read(
      "books",
      fmt::format(R"([{{"id":"x","title":"see {}"}},{{"id":"y","title":"lit_1"}}])", kAnn));
  EXPECT_EQ(library.keys("books", R"({"data":{"title":"re lit_1: lit_2, split_1 lit_1x lit_"},)"
                                  R"("filters":[{"field":"title","value":["lit_1",{"lit_2":)"
                                  R"("lit_1"}]}]})"),
            fmt::format(R"({{"data":{{"title":"re {0}: lit_1, split_1 lit_1x lit_"}},)"
                        R"("filters":[{{"field":"title","value":["{0}",{{"lit_1":"{0}"}}]}}]}})",
                        kAnn));
}

TEST(Literals, R4_the_rest_of_the_string_keeps_its_escapes) {
  Library library = Library::with_books();
  library.read("books", fmt::format(R"({{"id":"x","title":"{}"}})", kAnn));
  EXPECT_EQ(library.keys("books", R"({"data":{"title":"caf\u00e9 \/ l\u0069t_1\n\u0041"}})"),
            fmt::format(R"({{"data":{{"title":"caf\u00e9 \/ {}\n\u0041"}}}})", kAnn));
}

TEST(Literals, are_escaped_where_JSON_needs_it) {
  Library library = Library::with_books();
  ASSERT_TRUE(library.registry.register_literal("a\"b\\c\n\x01é"));
  EXPECT_EQ(library.keys("books", R"({"data":{"title":"<lit_1>"}})"),
            R"({"data":{"title":"<a\"b\\c\n\u0001é>"}})");
}

TEST(Literals, unknown_ones_are_refused) {
  Library library = Library::with_books();
  for (const char* text : {"lit_1", "see lit_99.", "lit_0", "lit_99999999999999999999"}) {
    const Error error = library.error("books", fmt::format(R"({{"data":{{"title":"{}"}}}})", text));
    EXPECT_EQ(error.code, ErrorCode::literal_unknown) << text;
    EXPECT_EQ(error.path, "data.title");
    EXPECT_EQ(library.error("books", where("title", fmt::format("\"{}\"", text))).code,
              ErrorCode::literal_unknown);
  }
}

TEST(Literals, a_column_named_like_a_key_gets_its_name_back) {
  Library library;
  const std::string rows = fmt::format(R"({{"id":1,"{}":2,"of {}":{{"id":3}}}})", kAnn, kBob);
  const std::string shown = library.read("things", rows);
  EXPECT_EQ(shown.find(kAnn), std::string::npos) << shown;
  EXPECT_EQ(shown.find(kBob), std::string::npos) << shown;
  EXPECT_EQ(library.keys("things", "{\"data\":" + shown + "}"), "{\"data\":" + rows + "}");
}

}  // namespace
}  // namespace alfred
