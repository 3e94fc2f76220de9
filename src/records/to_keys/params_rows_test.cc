// Rows that come back: those of tables with composite keys, names that were masked, and what a call
// may not say.
#include <gtest/gtest.h>

#include "records/to_keys/params_for_tests.h"

namespace alfred {
namespace {

// What was read comes back as data, byte for byte.
void expect_round_trip(Library& library, std::string_view table, const std::string& row) {
  const std::string shown = library.read(table, row);
  EXPECT_EQ(library.keys(table, R"({"data":)" + shown + "}"), R"({"data":)" + row + "}") << shown;
}

std::string book_loan(std::string_view rest) {
  return fmt::format(R"({{"book_id":"{}",{}}})", kDune, rest);
}

TEST(RowsBack, I6_rows_of_composite_tables_come_back_equal) {
  Library library = Library::with_books();
  for (const std::string& row :
       {book_loan(R"("reader_no":5)"), book_loan(R"("reader_no":5,"id":9)"),
        book_loan(R"("reader_no":5,"_ref":"x")"), book_loan(R"("id":null,"_ref":3,"reader_no":6)"),
        book_loan(R"("reader_no":5,"_ref2":1,"id":"a text")"), book_loan(R"("reader_no":null)"),
        book_loan(R"("reader_no":null,"id":7)"), book_loan(R"("_ref":7)"),
        book_loan(R"("reader_no":"warehouse-77")"),
        std::string(R"({"book_id":null,"reader_no":5,"id":"loan"})"), std::string("{}")})
    expect_round_trip(library, "loans", row);
  expect_round_trip(library, "seats", R"({"room":"A","id":3,"_ref":5})");
  expect_round_trip(library, "profiles", fmt::format(R"({{"author_id":"{}","id":5}})", kAnn));
}

TEST(RowsBack, a_refs_place_is_behind_the_rows_own_columns) {
  Library library = Library::with_books();
  EXPECT_EQ(library.read("loans", book_loan(R"("reader_no":5,"_ref":1)")),
            R"({"_ref2":"loan_1","book_id":"book_1","reader_no":5,"_ref":1})");
  EXPECT_EQ(library.read("loans", book_loan(R"("reader_no":null,"id":1)")),
            R"({"_ref":null,"book_id":"book_1","reader_no":null,"id":1})");
}

TEST(RowsBack, columns_that_disagree_with_the_ref_are_refused) {
  Library library = Library::with_books();
  library.read("loans",
               "[" + book_loan(R"("reader_no":5)") + "," + book_loan(R"("reader_no":6)") + "]");
  for (const char* row :
       {R"({"id":"loan_1","book_id":"book_2","reader_no":5})", R"({"id":"loan_1","reader_no":6})",
        R"({"id":"loan_1","reader_no":"5"})", R"({"id":"loan_1","reader_no":null})",
        R"({"id":"loan_1","book_id":null})", R"({"id":"loan_1","reader_no":5.0})",
        R"({"id":"loan_1","_ref":"loan_2"})", R"({"id":"loan_1","_ref":"loan_1"})",
        R"({"reader_no":6,"id":"loan_1"})"})
    EXPECT_EQ(library.error("loans", fmt::format(R"({{"data":{}}})", row)).code, ErrorCode::schema)
        << row;
  EXPECT_EQ(library.error("loans", R"({"data":{"id":"loan_1","book_id":"book_9"}})").code,
            ErrorCode::ref_unknown);
  EXPECT_EQ(library.keys("loans", R"({"data":{"id":"loan_1","reader_no":5}})"),
            fmt::format(R"({{"data":{{"book_id":"{}","reader_no":5}}}})", kDune));
}

TEST(RowsBack, B22_names_that_look_like_literals_come_back) {
  Library library = Library::with_books();
  for (const char* row :
       {R"({"lit_1":1,"lit_2":2,"x":"lit_3"})",
        R"({"lit_2":{"lit_1":"lit_2"},"lit_7":[{"lit_1":1}]})",
        R"({"5ab7c0de-1f2e-4d3c-8b4a-5968778695a4":1,"lit_1":2,"split_1":3,"lit_x":4})"})
    expect_round_trip(library, "notes", row);
  library.read("codes", R"({"id":"zanzibar-quux-42"})");
  for (const char* row : {R"({"zanzibar-quux-42":{"id":4},"a":1})", R"({"zanzibar-quux-42_id":4})"})
    expect_round_trip(library, "notes", row);
  const Error unknown = library.error("notes", R"({"data":{"lit_99":1}})");
  EXPECT_EQ(unknown.code, ErrorCode::literal_unknown);
}

TEST(RowsBack, a_name_and_the_literal_that_stands_for_it_are_one_member_twice) {
  Library library = Library::with_books();
  const std::string name(kAnn);
  const std::string shown = library.read("notes", R"({")" + name + R"(":1})");
  EXPECT_EQ(shown, R"({"lit_1":1})");
  EXPECT_EQ(library.error("notes", R"({"data":{"lit_1":1,")" + name + R"(":2}})").code,
            ErrorCode::json_dupkey);
}

TEST(RowsBack, a_field_that_was_masked_is_restored) {
  Library library = Library::with_books();
  library.read("notes", fmt::format(R"({{"{}_id":4,"lit_5":1}})", kAnn));
  EXPECT_EQ(library.keys("notes", where("lit_1", R"("row_1")")),
            where(fmt::format("{}_id", kAnn), "4"));
  EXPECT_EQ(library.keys("notes", where("lit_2", "1")), where("lit_5", "1"));
}

// A ref that leads to no live row of the column's type stops the whole call, wherever it stands.
TEST(RowsBack, I5_one_ref_that_does_not_resolve_stops_the_call) {
  Library library = Library::with_books();
  library.registry.mark_deleted(library.registry.find("book_2"));
  for (const char* bad : {"book_9", "book_2", "author_1", "gen_book_1", "Book_1", "7"})
    for (const char* params :
         {R"({{"filters":[{{"field":"id","op":"in","value":["book_1","{}"]}}]}})",
          R"({{"filters":[{{"any":[{{"field":"id","op":"=","value":"{}"}}]}}]}})",
          R"({{"data":[{{"id":"book_1"}},{{"chapters":[{{"book_id":"{}"}}]}}]}})"})
      library.error("books", fmt::format(fmt::runtime(params), bad));
}

TEST(KeyFilters, D5_only_field_op_and_value_stand_in_a_filter_on_a_key) {
  Library library = Library::with_books();
  const Error error = library.error(
      "books",
      fmt::format(R"({{"filters":[{{"field":"id","op":"=","value":"book_1","or":"{}"}}]}})",
                  kDune));
  EXPECT_EQ(error.code, ErrorCode::schema);
  EXPECT_EQ(error.allowed, (std::vector<std::string>{"field", "op", "value"}));
}

TEST(KeyFilters, D5_a_field_that_is_nearly_a_key_column_is_refused) {
  Library library = Library::with_books();
  for (const char* field :
       {"ID", " id", "Id ", "'id'", "`id`", "\\\"id\\\"", "books.id", "[id]", "public.books.ID"}) {
    const Error error = library.error("books", where(field, "7"));
    EXPECT_EQ(error.code, ErrorCode::schema) << field;
    EXPECT_EQ(error.allowed, std::vector<std::string>{"id"}) << field;
    EXPECT_EQ(error.path, "filters[0].field") << field;
  }
  EXPECT_EQ(library.error("books", where("AUTHOR_ID", "7")).allowed,
            std::vector<std::string>{"author_id"});
  EXPECT_EQ(library.error("loans", where("Reader_No", "7")).allowed,
            std::vector<std::string>{"reader_no"});
  EXPECT_EQ(library.error("loans", where("ID", "7")).allowed, std::vector<std::string>{"id"});
  EXPECT_EQ(library.error("undeclared", where("t.owner_id", "7")).allowed,
            std::vector<std::string>{"owner_id"});
  EXPECT_EQ(library.keys("books", where("Title", "7")), where("Title", "7"));
}

TEST(SafeErrors, R6_I3_no_error_repeats_a_key_that_reads_like_a_ref) {
  Library library = Library::with_books();
  library.read("people", R"([{"id":"alicewonder_17"},{"id":"zanzibar_4"}])");
  for (const char* text : {"alicewonder_17", "ALICEWONDER_17", " alicewonder_17", "alicewon_1",
                           "zanzibar_4", "zanzibar_41", "gen_alicewonder_17", "ref_zanzibar_4"}) {
    for (const char* table : {"books", "people"}) {
      const Error error = library.error(table, where("id", fmt::format("\"{}\"", text)));
      std::string shown = error.message + error.path;
      for (const std::string& one : error.allowed) shown += "\n" + one;
      for (const char* piece : {"alicewon", "ALICEWON", "onder_17", "ONDER_17", "zanzibar"})
        EXPECT_EQ(shown.find(piece), std::string::npos) << shown;
    }
    const Error list = library.error("books", where("id", fmt::format(R"(["{}","book_9"])", text)));
    EXPECT_EQ(list.message.find("alicewon"), std::string::npos) << list.message;
    EXPECT_EQ(list.message.find("zanzibar"), std::string::npos) << list.message;
  }
}

TEST(SafeErrors, B13_only_what_would_be_accepted_is_suggested) {
  Library library = Library::with_books();
  const Error never = library.error("books", where("id", "\"Book_99\""));
  EXPECT_EQ(never.message.find("did you mean"), std::string::npos) << never.message;
  EXPECT_EQ(never.allowed, (std::vector<std::string>{"book_2", "book_1"}));
  EXPECT_EQ(library.error("books", where("id", "\"Author_1\"")).allowed,
            (std::vector<std::string>{"book_2", "book_1"}));
}

TEST(SafeErrors, labels_and_names_cannot_break_out_of_a_message) {
  Library library;
  library.read("books", R"({"id":1,"title":"a\nb\u001b[31m \"x\" `y` | z"})");
  library.registry.mark_deleted(library.registry.find("book_1"));
  const Error deleted = library.error("books", where("id", "\"book_1\""));
  EXPECT_NE(deleted.message.find(R"(("a\nb\u{1b}[31m \"x\" \`y\` \| z"))"), std::string::npos)
      << deleted.message;
  const Error named = library.error("notes", R"({"data":{"a\nb\u001b\"c.d[0]":{"owner_id":7}}})");
  EXPECT_EQ(named.path, R"(data."a\nb\u{1b}\"c.d[0]".owner_id)");
}

TEST(SafeErrors, a_member_named_twice_is_refused_wherever_it_stands) {
  Library library = Library::with_books();
  for (const char* params :
       {R"({"data":{"meta":{"a":1,"a":2}}})", R"({"data":{},"other":[{"a":1,"a":2}]})",
        R"({"filters":[{"field":"title","op":"=","value":{"x":1,"\u0078":2}}]})"})
    EXPECT_EQ(library.error("books", params).code, ErrorCode::json_dupkey) << params;
}

TEST(SafeErrors, a_byte_order_mark_is_skipped_as_in_rows) {
  Library library = Library::with_books();
  EXPECT_EQ(library.keys("books", "\xEF\xBB\xBF" + where("id", "null")),
            "\xEF\xBB\xBF" + where("id", "null"));
}

}  // namespace
}  // namespace alfred
