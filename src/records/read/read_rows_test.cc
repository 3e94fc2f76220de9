#include "records/read/read_rows.h"

#include <gtest/gtest.h>

#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

TEST(ReadRows, rows_come_in_refs_with_labels_of_what_they_lead_to) {
  ReadLibrary library;
  library.read(R"({"table":"books","columns":["title","author_id","sequel_of"],"limit":3})");
  EXPECT_EQ(library.answer,
            R"({"rows":[{"id":"book_1","title":"Dune","author_id":"author_1","sequel_of":null},)"
            R"({"id":"book_2","title":"Emma","author_id":"author_2","sequel_of":null},)"
            R"({"id":"book_3","title":"Dune Messiah","author_id":"author_1",)"
            R"("sequel_of":"book_1"}],"has_more":true,"cursor":")" +
                library.answer.substr(
                    library.answer.find("cursor") + 9,
                    library.answer.find("\",\"labels") - library.answer.find("cursor") - 9) +
                R"(","labels":{"author_1":"Frank Herbert","author_2":"Jane Austen",)"
                R"("book_1":"Dune"}})");
}

TEST(ReadRows, R6_what_is_read_and_what_it_leads_to_is_registered) {
  ReadLibrary library;
  library.read(R"({"table":"books","columns":["author_id"],"limit":1})");
  const EntityNo book = library.registry.find("book_1");
  const EntityNo author = library.registry.find("author_1");
  EXPECT_EQ(library.registry.status(book), RefStatus::read);
  EXPECT_EQ(library.registry.label(book), "Dune") << "also when its column is not shown";
  EXPECT_EQ(library.registry.status(author), RefStatus::linked);
  EXPECT_EQ(library.registry.label(author), "Frank Herbert");
  EXPECT_EQ(library.registry.size(), 2u) << "the row beyond the limit is not registered";
}

TEST(ReadRows, R6_one_query_per_table) {
  ReadLibrary library;
  library.read(R"({"table":"books","include":["chapters"]})");
  EXPECT_EQ(library.rows.scanned,
            (std::vector<std::string>{"books", "chapters", "authors", "books"}));
}

TEST(ReadRows, scenario_10_a_row_that_is_gone_has_a_placeholder) {
  ReadLibrary library;
  library.rows.tables["authors"].clear();
  const JsonObject answer = library.read(R"({"table":"books","limit":1})");
  EXPECT_EQ(write_json(answer.at("labels")), R"x({"author_1":"(no longer there)"})x");
}

TEST(ReadRows, scenario_10_a_row_of_somebody_else_is_gone) {
  ReadLibrary library;
  library.add_book(6, "Mine", {.sequel_of = 5});
  const JsonObject answer =
      library.read(R"({"table":"books","filters":[{"field":"title","op":"=","value":"Mine"}]})");
  EXPECT_EQ(write_json(answer.at("labels")), R"x({"book_2":"(no longer there)"})x");
}

TEST(ReadRows, D21_rows_of_others_are_not_there) {
  ReadLibrary library;
  EXPECT_EQ(library.shown(R"({"table":"books","count":true})", "title"),
            "Dune, Emma, Dune Messiah, Persuasion");
  library.rows.caller = {"bob"};
  EXPECT_EQ(library.shown(R"({"table":"books"})", "title"), "Foreign Book");
  // A ref of a row that the caller cannot see is a ref of a row that is not there.
  EXPECT_EQ(library.shown(
                R"({"table":"books","filters":[{"field":"id","op":"=","value":"book_1"}]})", "id"),
            "");
}

TEST(ReadRows, every_type_is_shown) {
  ReadLibrary library;
  library.read(R"({"table":"books","filters":[{"field":"title","op":"=","value":"Persuasion"}]})");
  EXPECT_EQ(library.answer.substr(0, library.answer.find(",\"has_more")),
            R"({"rows":[{"id":"book_1","title":"Persuasion","author_id":"author_1",)"
            R"("sequel_of":null,"pages":null,"price":null,"is_out":true,"born":"1965-08-01",)"
            R"("mood":null,"tags":["sea","love"],"extra":null,"cover":"<5 bytes>"}])");
}

TEST(ReadRows, nested_rows_have_refs_of_their_own) {
  ReadLibrary library;
  library.read(R"({"table":"books","columns":["title"],"include":["chapters"],"limit":2})");
  EXPECT_EQ(library.answer.substr(0, library.answer.find(",\"has_more")),
            R"({"rows":[{"id":"book_1","title":"Dune","chapters":[)"
            R"({"id":"chapter_1","heading":"Arrakis"},{"id":"chapter_2","heading":"Muad'Dib"}]},)"
            R"({"id":"book_2","title":"Emma","chapters":[{"id":"chapter_3",)"
            R"("heading":"Hartfield"}]}])");
}

TEST(ReadRows, nested_rows_beyond_the_cap_are_left_out_and_said) {
  ReadLibrary library;
  library.limits.nested_rows = 1;
  const JsonObject answer =
      library.read(R"({"table":"books","columns":["title"],"include":["chapters"]})");
  EXPECT_EQ(answer.at("rows").get_array()[0].get_object().at("chapters").get_array().size(), 1u);
  EXPECT_TRUE(answer.at("truncated").get_bool());
  EXPECT_NE(library.answer.find("filter on book_id"), std::string::npos);
}

TEST(ReadRows, D11_composite_keys_have_refs) {
  ReadLibrary library;
  library.read(R"({"table":"loans","columns":["note"]})");
  EXPECT_EQ(library.answer.substr(0, library.answer.find(",\"has_more")),
            R"({"rows":[{"id":"loan_1","book_id":"book_1","reader_no":77,"note":"back on Monday"},)"
            R"({"id":"loan_2","book_id":"book_2","reader_no":77,"note":"lost"},)"
            R"({"id":"loan_3","book_id":"book_2","reader_no":78,"note":""}])");
  const auto loans = [&](std::string_view filter) {
    return library.shown(fmt::format(R"({{"table":"loans","filters":[{}]}})", filter), "id");
  };
  EXPECT_EQ(loans(R"({"field":"id","op":"=","value":"loan_2"})"), "loan_2");
  EXPECT_EQ(loans(R"({"field":"_ref","op":"in","value":["loan_3","loan_1"]})"), "loan_1, loan_3");
  EXPECT_EQ(loans(R"({"field":"id","op":"not_in","value":["loan_3","loan_1"]})"), "loan_2");
  EXPECT_EQ(loans(R"({"field":"id","op":"!=","value":"loan_1"})"), "loan_2, loan_3");
  EXPECT_EQ(loans(R"({"field":"id","op":"in","value":[]})"), "");
  EXPECT_EQ(loans(R"({"field":"book_id","op":"=","value":"book_2"})"), "loan_2, loan_3");
}

TEST(ReadRows, tables_without_a_key_have_rows_without_refs) {
  ReadLibrary library;
  const JsonObject first = library.read(R"({"table":"visits","limit":2,"order":"people"})");
  EXPECT_EQ(write_json(first.at("rows")),
            R"([{"day":"2026-01-06","people":7},{"day":"2026-01-05","people":12}])");
  const JsonObject rest =
      library.read(fmt::format(R"({{"table":"visits","limit":2,"order":"people","cursor":{}}})",
                               write_json(first.at("cursor"))));
  EXPECT_EQ(write_json(rest.at("rows")), R"([{"day":"2026-01-07","people":12}])");
  EXPECT_FALSE(rest.at("has_more").get_bool());
}

TEST(ReadRows, scenario_33_nothing_found_is_an_answer) {
  ReadLibrary library;
  library.read(R"({"table":"books","filters":[{"field":"title","op":"=","value":"Ulysses"}]})");
  EXPECT_EQ(library.answer, R"({"rows":[],"has_more":false})");
}

TEST(ReadRows, count_is_of_all_that_match) {
  ReadLibrary library;
  EXPECT_EQ(library.read(R"({"table":"books","limit":1,"count":true})").at("count"), 4);
  EXPECT_EQ(library.read(R"({"table":"books","limit":0,"count":true})").at("count"), 4);
  const JsonObject some = library.read(
      R"({"table":"books","limit":1,"count":true,"filters":[{"field":"title","op":"contains","value":"dune"}]})");
  EXPECT_EQ(some.at("count"), 2);
  EXPECT_FALSE(library.read(R"({"table":"books"})").contains("count"));
}

TEST(ReadRows, R4_only_whole_rows_and_a_hint) {
  ReadLibrary library;
  library.limits.read_bytes = 700;
  const JsonObject answer = library.read(R"({"table":"books"})");
  EXPECT_LE(library.answer.size(), 700u);
  EXPECT_TRUE(answer.at("truncated").get_bool());
  EXPECT_TRUE(answer.at("has_more").get_bool());
  const std::size_t shown = answer.at("rows").get_array().size();
  EXPECT_GE(shown, 1u);
  EXPECT_LT(shown, 4u);
  EXPECT_EQ(library.registry.find(fmt::format("book_{}", shown + 1)), kNoEntity)
      << "what is not shown is not registered";
  const std::string more = library.shown(
      fmt::format(R"({{"table":"books","cursor":{}}})", write_json(answer.at("cursor"))), "id");
  EXPECT_EQ(more.substr(0, more.find(',')), fmt::format("book_{}", shown + 1));
}

TEST(ReadRows, R4_a_row_that_fits_no_answer_is_said) {
  ReadLibrary library;
  library.limits.read_bytes = 300;
  library.add_book(0, std::string(400, 'x'), {});
  const JsonObject answer = library.read(R"({"table":"books"})");
  EXPECT_TRUE(answer.at("rows").get_array().empty());
  EXPECT_TRUE(answer.at("has_more").get_bool());
  EXPECT_NE(library.answer.find("name the columns"), std::string::npos);
  EXPECT_EQ(library.shown(R"({"table":"books","columns":["pages"],"limit":1})", "pages"), "null");
}

TEST(ReadRows, R4_a_row_that_fits_no_answer_is_passed_by_the_cursor) {
  ReadLibrary library;
  const JsonArray all = library.read(R"({"table":"books"})").at("rows").get_array();
  library.add_book(0, std::string(4000, 'x'), {});
  library.limits.read_bytes = 2000;
  const JsonObject answer = library.read(R"({"table":"books"})");
  EXPECT_TRUE(answer.at("rows").get_array().empty());
  EXPECT_NE(library.answer.find("goes on behind this row"), std::string::npos);
  const JsonObject behind = library.read(
      fmt::format(R"({{"table":"books","cursor":{}}})", write_json(answer.at("cursor"))));
  EXPECT_EQ(behind.at("rows").get_array(), all);
}

TEST(ReadRows, B16_refs_that_stand_twice_are_taken_once) {
  ReadLibrary library;
  library.read(R"({"table":"books"})");
  const JsonObject answer = library.read(
      R"({"table":"books","filters":[{"field":"id","op":"in","value":["book_2","book_1","book_2"]}]})");
  EXPECT_EQ(answer.at("rows").get_array().size(), 2u);
  EXPECT_EQ(answer.at("collapsed"), 1);
}

TEST(ReadRows, B1_to_B13_bad_refs_in_filters) {
  ReadLibrary library;
  library.read(R"({"table":"books","columns":["author_id"]})");
  const auto by = [](std::string_view field, std::string_view value) {
    return fmt::format(R"({{"table":"books","filters":[{{"field":"{}","op":"=","value":{}}}]}})",
                       field, value);
  };
  EXPECT_EQ(library.error(by("id", "\"book_99\"")).code, ErrorCode::ref_unknown);
  EXPECT_EQ(library.error(by("author_id", "\"book_1\"")).code, ErrorCode::ref_type);
  EXPECT_EQ(library.error(by("id", "\"Book_1\"")).code, ErrorCode::ref_syntax);
  EXPECT_EQ(library.error(by("id", fmt::format("\"{}\"", book_key(1)))).code,
            ErrorCode::ref_syntax);
  EXPECT_EQ(library.error(by("author_id", "918273641")).code, ErrorCode::ref_syntax);
  EXPECT_EQ(library.error(by("id", "\"book_99\"")).path, "filters[0].value");
  EXPECT_EQ(library.titles(R"([{"field":"title","op":"=","value":"book_1"}])"), "") << "B14";
}

TEST(ReadRows, D7_key_shaped_text_is_masked_and_can_be_looked_for) {
  ReadLibrary library;
  library.add_book(6, fmt::format("About {}", book_key(1)), {});
  EXPECT_EQ(library.shown(
                R"({"table":"books","filters":[{"field":"title","op":"like","value":"About%"}]})",
                "title"),
            "About lit_1");
  EXPECT_EQ(library.shown(
                R"({"table":"books","filters":[{"field":"title","op":"=","value":"About lit_1"}]})",
                "title"),
            "About lit_1");
}

// D4: a column that nobody declared as a link may hold keys, or a number that looks like one.
TEST(ReadRows, D4_numbers_that_show_a_known_key_are_literals_and_others_stay) {
  ReadLibrary library;
  library.add_book(6, "Six", {.pages = 918273641, .price = 91827364.5});
  library.add_book(7, "Seven", {.pages = 123456789, .price = 12345678.5});
  const auto all = [](std::string_view title) {
    return fmt::format(
        R"({{"table":"books","columns":["author_id","pages","price"],"filters":[{{"field":"title","op":"=","value":"{}"}}]}})",
        title);
  };
  library.read(R"({"table":"authors"})");
  EXPECT_EQ(library.shown(all("Six"), "pages"), "lit_1");
  EXPECT_EQ(library.shown(all("Six"), "price"), "lit_2");
  EXPECT_EQ(library.shown(all("Seven"), "pages"), "123456789");
  EXPECT_EQ(library.shown(all("Seven"), "price"), "12345678.5");
}

// A literal that was shown for a number is that number in a filter, and in a cursor it stays
// hidden.
TEST(ReadRows, D4_a_literal_of_a_number_finds_and_orders_as_that_number) {
  ReadLibrary library;
  library.add_book(6, "Six", {.pages = 918273641, .price = 91827364.5});
  library.add_book(7, "Seven", {.pages = 918273642});
  library.read(R"({"table":"authors"})");
  EXPECT_EQ(
      library.shown(
          R"({"table":"books","columns":["pages","price"],"filters":[{"field":"title","op":"=","value":"Six"}]})",
          "price"),
      "lit_2");
  EXPECT_EQ(library.titles(R"([{"field":"pages","op":"=","value":"lit_1"}])"), "Six");
  EXPECT_EQ(library.titles(R"([{"field":"pages","op":">","value":"lit_1"}])"), "Seven");
  EXPECT_EQ(library.titles(R"([{"field":"price","op":"in","value":["lit_2"]}])"), "Six");
  const Error error =
      library.error(R"({"table":"books","filters":[{"field":"born","op":"=","value":"lit_1"}]})");
  EXPECT_EQ(error.code, ErrorCode::value);
  EXPECT_EQ(error.message, "born does not take the text that a lit_ name here stands for.");
  std::string titles;
  std::string cursor;
  for (int page = 0; page < 6 && (page == 0 || !cursor.empty()); ++page) {
    const JsonObject said = library.read(
        R"({"table":"books","columns":["title"],"order":"pages desc","limit":1)" + cursor + "}");
    titles += std::string(said.at("rows").at(0).at("title").get_string()) + ",";
    const Json* const next = said.if_contains("cursor");
    cursor = next == nullptr ? "" : ",\"cursor\":" + write_json(*next);
  }
  EXPECT_EQ(titles, "Seven,Six,Dune,Emma,Dune Messiah,Persuasion,");
}

TEST(ReadRows, E19_bytes_that_are_no_text_are_shown_escaped) {
  ReadLibrary library;
  library.add_book(6, "Caf\xE9", {});
  EXPECT_EQ(library.shown(R"({"table":"books","order":"id desc","limit":1})", "title"),
            R"(Caf\xe9)");
}

TEST(ReadRows, a_failing_database_leaves_no_trace) {
  ReadLibrary library;
  library.rows.fails_at = "authors";
  EXPECT_EQ(library.error(R"({"table":"books"})").code, ErrorCode::busy);
}

}  // namespace
}  // namespace alfred
