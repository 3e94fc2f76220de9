#include "storage/check_rule.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

Table books() {
  Table table;
  table.name = "books";
  for (const char* const name : {"id", "Pages", "years", "password", "owner"})
    table.fields.emplace_back().name = name;
  table.fields[3].is_hidden = true;
  table.owner = "owner";
  return table;
}

TEST(CheckRule, R1_the_rule_is_told_on_one_line) {
  const Table table = books();
  EXPECT_EQ(check_conflict("((pages\n   > 0))", &table).message,
            "The database's own check `pages > 0` refuses this row. Give Pages another value.");
  EXPECT_EQ(check_conflict("(pages > 0) AND (years < 9)", &table).message,
            "The database's own check `(pages > 0) AND (years < 9)` refuses this row. Give other "
            "values for Pages, years.");
  EXPECT_EQ(check_conflict("good_numbers", &table).message,
            "The database's own check `good_numbers` refuses this row. Give other values.");
  EXPECT_EQ(check_conflict("", &table).message,
            "The database's own check refuses this row. Give other values.");
}

TEST(CheckRule, R1_what_may_be_a_key_or_is_long_is_cut) {
  const Table table = books();
  EXPECT_EQ(check_conflict("pages <> '7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377'", &table)
                .message.find("52e8d6a1c377"),
            std::string::npos);
  EXPECT_LT(check_conflict("pages > 0" + std::string(5000, ' ') + std::string(5000, '+'), &table)
                .message.size(),
            200U);
}

TEST(CheckRule, R2_columns_are_named_and_unknown_ones_are_not) {
  const Table table = books();
  EXPECT_EQ(check_conflict("Pages > 0", &table).path, "Pages");
  for (const char* const rule :
       {"length(password) > 8", "books_password_check", "owner <> pages"}) {
    EXPECT_EQ(check_conflict(rule, &table).message,
              "The database's own check refuses this row. Give other values.");
    EXPECT_EQ(check_conflict(rule, &table).path, "");
  }
}

}  // namespace
}  // namespace alfred
