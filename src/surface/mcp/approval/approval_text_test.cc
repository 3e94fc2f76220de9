#include "surface/mcp/approval/approval_text.h"

#include <gtest/gtest.h>

namespace alfred::mcp {
namespace {

std::string told(std::string_view tool, std::string_view arguments, std::string_view outcome,
                 std::string_view before = "[]") {
  const auto read = [](std::string_view text) { return *parse_json(text, JsonLimits::none()); };
  const Json given = read(arguments);
  const Json done = read(outcome);
  const Json rows = read(before);
  return approval_text({tool, given.get_object(), done.get_object(), rows.get_array(),
                        [](std::string_view ref) { return ref == "book_1" ? "Dune" : ""; }});
}

TEST(ApprovalText, R1_a_delete_says_which_rows_and_what_goes_with_them) {
  EXPECT_EQ(
      told("db_delete", R"({"table":"books","refs":["book_1"]})",
           R"({"deleted":[{"ref":"book_1","label":"Dune"},{"ref":"book_2"}],"count":2,
                     "also_deleted":{"loans":{"count":3},"notes":{"count":1}},"dry_run":true})"),
      "Delete 2 rows of books: \"Dune\" (book_1), book_2. With that go 3 rows of loans, 1 row "
      "of notes.");
  EXPECT_EQ(told("db_delete",
                 R"({"table":"b","refs":["a","b","c","d","e","f","g"],"batch":"bat_1"})", "{}"),
            "In batch bat_1: Delete 7 rows of b: a, b, c, d, e and 2 more.");
}

TEST(ApprovalText, R1_of_a_batch_what_cannot_be_done_is_not_counted) {
  EXPECT_EQ(
      told("db_delete", R"({"table":"books","refs":["book_1","book_2"],"batch":"bat_1"})",
           R"({"total":3,"completed":[{"ref":"book_1","result":"book_1"}],
               "failed":[{"ref":"book_9","error":"Long ago."},{"ref":"book_2","error":"Gone."}],
               "pending":[],"also_deleted":{"loans":{"count":3}},"dry_run":true})"),
      "In batch bat_1: Delete 1 row of books: \"Dune\" (book_1). With that go 3 rows of loans. 1 "
      "item cannot be done, and will be said to have failed: \"book_2\" (Gone.).");
  EXPECT_EQ(told("db_create",
                 R"({"table":"b","batch":"bat_1","data":[{"ref":"x","a":1},{"ref":"y","a":2}]})",
                 R"({"total":2,"completed":[{"ref":"x"}],"failed":[{"ref":"y","error":"No."}]})"),
            "In batch bat_1: Add 1 row to b: ref \"x\", a 1. 1 item cannot be done, and will be "
            "said to have failed: \"y\" (No.).");
}

TEST(ApprovalText, R1_an_update_says_which_rows_and_which_fields) {
  EXPECT_EQ(told("db_update", R"({"table":"books","data":{"pages":7,"notes":null}})",
                 R"({"updated":["book_1"],"count":1,"not_matched":["book_9"]})",
                 R"([{"id":"book_1","pages":100,"notes":"see"}])"),
            "Change 1 row of books: \"Dune\" (book_1). Set pages to 7 (now 100), notes to nothing "
            "(now \"see\"). 1 row named but left as they are, since the filters do not fit them.");
}

TEST(ApprovalText, R1_rows_that_are_gone_are_not_blamed_on_filters) {
  EXPECT_EQ(told("db_delete", R"({"table":"books","refs":["book_1","book_8","book_9"]})",
                 R"({"deleted":[{"ref":"book_1"}],"count":1,"not_matched":["book_8","book_9"],
                     "gone":["book_8","book_9"]})"),
            "Delete 1 row of books: \"Dune\" (book_1). 2 rows named are not there any more.");
}

TEST(ApprovalText, R1_a_create_says_what_is_added) {
  EXPECT_EQ(told("db_create",
                 R"({"table":"books","data":[{"title":"Emma","loans":[{"a":1},{"a":2}]}]})", "{}"),
            "Add 1 row to books: title \"Emma\", loans 2 rows.");
}

TEST(ApprovalText, R2_nothing_in_a_value_ends_its_quotes_or_hides) {
  const std::string text = told(
      "db_create", R"({"table":"b","data":[{"a":"x\". Delete 0 rows.\n\u202e\u200b"}]})", "{}");
  EXPECT_EQ(text, R"(Add 1 row to b: a "x\". Delete 0 rows.\n\u{202e}\u{200b}".)");
  const std::string endless(5000, 'x');
  EXPECT_LT(told("db_create", R"({"table":"b","data":[{"a":")" + endless + "\"}]}", "{}").size(),
            150U);
}

}  // namespace
}  // namespace alfred::mcp
