// The rows of the catalogue of bad input that concern refs in parameters.
#include <gtest/gtest.h>

#include "records/to_keys/params_for_tests.h"

namespace alfred {
namespace {

Error filter_error(Library& library, std::string_view ref) {
  std::string value;
  append_json_string(value, ref);
  const Error in_payload =
      library.error("chapters", fmt::format(R"({{"data":{{"book_id":{}}}}})", value));
  const Error error = library.error("books", where("id", value));
  EXPECT_EQ(error.code, in_payload.code) << ref;
  EXPECT_EQ(in_payload.path, "data.book_id");
  EXPECT_EQ(error.path, "filters[0].value");
  return error;
}

TEST(BadRefs, B1_never_issued_names_up_to_ten_refs_that_are_known) {
  Library library = Library::with_books();
  const Error error = filter_error(library, "book_99");
  EXPECT_EQ(error.code, ErrorCode::ref_unknown);
  EXPECT_EQ(error.allowed, (std::vector<std::string>{"book_2", "book_1"}));
  for (int i = 0; i < 20; ++i) library.read("books", fmt::format(R"({{"id":"k{}"}})", i));
  EXPECT_EQ(filter_error(library, "book_99").allowed.size(), 10u);
}

TEST(BadRefs, B2_another_sessions_ref_gets_the_same_answer) {
  Library library = Library::with_books();
  Library other = Library::with_books();
  other.read("books", R"({"id":"only there"})");
  const Error forged = filter_error(library, "book_99");
  const Error foreign = filter_error(library, "book_3");
  EXPECT_EQ(forged.code, foreign.code);
  EXPECT_EQ(forged.allowed, foreign.allowed);
  std::string message = foreign.message;
  message.replace(message.find("book_3"), 6, "book_99");
  EXPECT_EQ(message, forged.message);
}

TEST(BadRefs, B3_a_ref_of_another_type) {
  Library library = Library::with_books();
  const Error error = filter_error(library, "author_2");
  EXPECT_EQ(error.code, ErrorCode::ref_type);
  EXPECT_EQ(error.allowed, (std::vector<std::string>{"book_2", "book_1"}));
}

TEST(BadRefs, B4_a_deleted_ref_shows_its_label) {
  Library library = Library::with_books();
  library.registry.mark_deleted(library.registry.find("book_1"));
  const Error error = filter_error(library, "book_1");
  EXPECT_EQ(error.code, ErrorCode::ref_deleted);
  EXPECT_NE(error.message.find("Dune"), std::string::npos) << error.message;
  EXPECT_EQ(error.allowed, (std::vector<std::string>{"book_2"}));
}

TEST(BadRefs, B5_generated_but_not_saved_is_pending) {
  Library library = Library::with_books();
  ASSERT_TRUE(
      library.registry.register_generated(*library.registry.find_type("book"), "Faust", {1, 0}));
  const Error error = filter_error(library, "gen_book_1");
  EXPECT_EQ(error.code, ErrorCode::ref_pending);
  EXPECT_NE(error.message.find("Faust"), std::string::npos) << error.message;
}

TEST(BadRefs, B7_full_uuid_is_refused_even_when_right) {
  Library library = Library::with_books();
  const Error right = filter_error(library, kDune);
  const Error wrong = filter_error(library, "00000000-1111-4222-8333-444444444444");
  EXPECT_EQ(right.code, ErrorCode::ref_syntax);
  EXPECT_EQ(wrong.code, ErrorCode::ref_syntax);
  // Nothing tells whether the key exists.
  EXPECT_EQ(right.allowed, wrong.allowed);
  std::string upper(kDune);
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(filter_error(library, upper).code, ErrorCode::ref_syntax);
}

TEST(BadRefs, B7_text_and_integer_keys_are_refused_and_not_repeated) {
  Library library = Library::with_books();
  library.read("books", R"([{"id":"zanzibar-quux-42"},{"id":918273645},{"id":"quixotic_7"}])");
  for (const char* key :
       {"zanzibar-quux-42", "zanzibar", "-quux-42", "918273645", "id zanzibar-quux-42."})
    EXPECT_EQ(filter_error(library, key).code, ErrorCode::ref_syntax) << key;
  EXPECT_EQ(library.error("books", where("id", "918273645")).code, ErrorCode::ref_syntax);
}

TEST(BadRefs, B8_truncated_and_padded_uuids) {
  Library library = Library::with_books();
  const std::string head(kDune.substr(0, 8));
  const std::string tail(kDune.substr(28));
  for (const std::string& text :
       {head + "-0000-0000-0000-000000000000", ".." + tail, head + "…", head, tail,
        std::string(kDune.substr(0, 35)), std::string(kDune) + "0"}) {
    const Error error = filter_error(library, text);
    EXPECT_EQ(error.code, ErrorCode::ref_syntax) << text;
    EXPECT_EQ(error.message.find(head), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find(tail), std::string::npos) << error.message;
  }
}

TEST(BadRefs, B9_durable_short_ids) {
  Library library = Library::with_books();
  for (const char* id : {"itm_7k2f9m3qw1bx", "ses_000000000000", "agt_copper-fox"})
    EXPECT_EQ(filter_error(library, id).code, ErrorCode::ref_syntax) << id;
}

TEST(BadRefs, B10_numbers_that_are_nearly_right) {
  Library library = Library::with_books();
  for (const char* ref : {"book_01", "book_+1", "book_ 1", "book_1.0", "book_-1", "book_0", "book_",
                          "_1", "book__1", "book1", "book_1_", "gen_book_01", "gen_gen_book_1",
                          "ref_ref_book_1", "lit_1", "book_0x1", "book_1e0"})
    EXPECT_EQ(filter_error(library, ref).code, ErrorCode::ref_syntax) << ref;
}

TEST(BadRefs, B11_a_number_past_every_integer) {
  Library library = Library::with_books();
  EXPECT_EQ(filter_error(library, "book_99999999999999999999").code, ErrorCode::ref_syntax);
  EXPECT_EQ(filter_error(library, "book_" + std::string(100'000, '9')).code, ErrorCode::ref_syntax);
  EXPECT_EQ(filter_error(library, "book_1000000000").code, ErrorCode::ref_syntax);
}

TEST(BadRefs, B12_digits_and_letters_beyond_ascii) {
  Library library = Library::with_books();
  for (const char* ref : {"book_\uff11", "book_\u0661", "b\u043e\u043ek_1", "book\u200b_1",
                          "\u202ebook_1", "book_1\ufeff", "book_\u00b9"})
    EXPECT_EQ(filter_error(library, ref).code, ErrorCode::ref_syntax) << ref;
  const Error escaped = library.error("books", where("id", R"("b\u043eok_1")"));
  EXPECT_EQ(escaped.code, ErrorCode::ref_syntax);
}

TEST(BadRefs, B13_near_misses_are_named_and_never_corrected) {
  Library library = Library::with_books();
  for (const char* ref : {"Book_1", "BOOK_1", " book_1 ", "\"book_1.\"", "book_1\n", "`book_1`"}) {
    const Error error = filter_error(library, ref);
    EXPECT_EQ(error.code, ErrorCode::ref_syntax) << ref;
    EXPECT_NE(error.message.find("did you mean book_1?"), std::string::npos) << error.message;
    EXPECT_EQ(error.allowed, std::vector<std::string>{"book_1"}) << ref;
  }
}

std::string list_of(std::size_t count, std::size_t distinct) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i)
    list += fmt::format("{}\"item_{}\"", i == 0 ? "" : ",", i % distinct + 1);
  return where("id", "[" + list + "]");
}

TEST(BadRefs, B16_a_list_at_its_limit_and_one_past_it) {
  Library library;
  for (int i = 1; i <= 201; ++i) library.read("items", fmt::format(R"({{"id":{}}})", i + 1000));
  const ParamsOptions limit{.max_list = 200};
  const Outcome good = library.call("items", list_of(200, 200), limit);
  ASSERT_TRUE(good.json) << good.error.message;
  EXPECT_EQ(good.report.refs, 200u);
  EXPECT_EQ(good.report.collapsed, 0u);
  const Outcome bad = library.call("items", list_of(201, 201), limit);
  EXPECT_EQ(bad.error.code, ErrorCode::limit);
  EXPECT_EQ(bad.error.path, "filters[0].value");
  EXPECT_NE(bad.error.message.find("201"), std::string::npos);
  // What stands twice counts twice, and a limit is told before what is wrong within it.
  EXPECT_EQ(library.call("items", list_of(201, 3), limit).error.code, ErrorCode::limit);
  EXPECT_EQ(library.call("items", list_of(500, 500), limit).error.code, ErrorCode::limit);
  EXPECT_TRUE(library.call("items", list_of(201, 201)).json);
}

TEST(BadRefs, B16_duplicates_are_collapsed_and_counted) {
  Library library = Library::with_books();
  const Outcome outcome =
      library.call("books", where("id", R"(["book_1","book_2", "ref_book_1" ,"book_1"])"));
  EXPECT_EQ(outcome.json, where("id", fmt::format(R"(["{}","{}"])", kDune, kEmma)));
  EXPECT_EQ(outcome.report.refs, 2u);
  EXPECT_EQ(outcome.report.collapsed, 2u);
}

TEST(BadRefs, B17_one_bad_ref_refuses_the_whole_call_and_every_bad_one_is_named) {
  Library library = Library::with_books();
  const Error one = library.error("books", where("id", R"(["book_1","book_9","book_2"])"));
  EXPECT_EQ(one.code, ErrorCode::ref_unknown);
  EXPECT_EQ(one.path, "filters[0].value[1]");
  const Error many = library.error(
      "books",
      where("id", fmt::format(R"(["book_8","book_1","author_1","{}",7,"book_9"])", kDune)));
  EXPECT_EQ(many.code, ErrorCode::ref_unknown);
  EXPECT_EQ(many.path, "filters[0].value");
  EXPECT_EQ(many.message,
            "5 of 6 refs cannot be used, so nothing was done: book_8 (ref_unknown), author_1 "
            "(ref_type), number 4 (ref_syntax), number 5 (ref_syntax), book_9 (ref_unknown). Use "
            "refs that were shown.");
}

TEST(BadRefs, B17_a_message_of_many_long_refs_stays_short) {
  Library library = Library::with_books();
  std::string list;
  for (int i = 0; i < 50; ++i)
    list += fmt::format("{}\"{}_{}\"", i == 0 ? "" : ",", std::string(40, 'q'), 999'000'000 + i);
  const Error error = library.error("books", where("id", "[" + list + "]"));
  EXPECT_TRUE(error.message.starts_with("50 of 50 refs")) << error.message;
  EXPECT_NE(error.message.find("…"), std::string::npos);
}

TEST(BadRefs, B20_a_linked_row_can_be_used_before_it_was_read) {
  Library library;
  library.read("books", fmt::format(R"({{"id":"{}","author_id":"{}"}})", kDune, kAnn));
  EXPECT_EQ(library.keys("authors", where("id", "\"author_1\"")),
            where("id", fmt::format("\"{}\"", kAnn)));
}

}  // namespace
}  // namespace alfred
