#include "alfred/translate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "records/to_keys/params_for_tests.h"

namespace alfred {
namespace {

TEST(Translator, rows_go_out_and_parameters_come_back) {
  Translator translator = Translator::open().value();
  EXPECT_EQ(translator.rows_to_refs("books", R"([{"id":17,"title":"Dune"}])").value(),
            R"([{"id":"book_1","title":"Dune"}])");
  EXPECT_EQ(translator.params_to_keys("books", R"({"data":{"id":"book_1"}})").value(),
            R"({"data":{"id":17}})");
  EXPECT_EQ(translator.params_to_keys("books", R"({"data":{"id":"book_2"}})").error().code,
            ErrorCode::ref_unknown);
  EXPECT_EQ(translator.rows_to_refs("books", "[").error().code, ErrorCode::json);
}

TEST(Translator, what_was_saved_is_known_when_opened_again) {
  Translator first = Translator::open(kLibraryTypes).value();
  first.begin_turn(4);
  ASSERT_TRUE(first.rows_to_refs("authors", R"({"id":"k","name":"Ann"})"));
  Translator second = Translator::open(kLibraryTypes, first.save()).value();
  EXPECT_EQ(second.save(), first.save());
  EXPECT_EQ(second.format_for_prompt(), first.format_for_prompt());
  EXPECT_EQ(second.format_for_prompt(),
            "| Ref | Type | Label | Status |\n|---|---|---|---|\n| author_1 | author | Ann | read "
            "|\n");
  Translator moved = std::move(second);
  EXPECT_EQ(moved.params_to_keys("authors", where("id", "\"author_1\"")).value(),
            where("id", "\"k\""));
}

TEST(Translator, says_what_is_wrong_with_types_and_with_what_was_saved) {
  EXPECT_EQ(Translator::open("[[entity]]\n").error().code, ErrorCode::schema);
  EXPECT_EQ(Translator::open("", "{}").error().code, ErrorCode::schema);
  EXPECT_EQ(Translator::open("", "[").error().code, ErrorCode::json);
}

TEST(Translator, many_columns_in_one_row_are_read_once_each) {
  std::string row = "{\"id\":1";
  for (int i = 0; i < 5'000; ++i) row += fmt::format(",\"c{}\":{}", i, i);
  Translator translator = Translator::open().value();
  const Result<std::string> shown = translator.rows_to_refs("wide", row + "}");
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_EQ(translator.params_to_keys("wide", "{\"data\":" + *shown + "}"),
            "{\"data\":" + row + "}}");
  EXPECT_EQ(translator.rows_to_refs("wide", row + ",\"c7\":0}").error().code,
            ErrorCode::json_dupkey);
}

}  // namespace
}  // namespace alfred
