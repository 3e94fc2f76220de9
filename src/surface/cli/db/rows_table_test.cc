#include "surface/cli/db/rows_table.h"

#include <gtest/gtest.h>

namespace alfred::cli {
namespace {

std::string table_of(std::string_view json) {
  return rows_table(parse_json(json, JsonLimits::none()).value().as_array());
}

TEST(RowsTable, nested_rows_stand_below_their_row) {
  EXPECT_EQ(table_of(R"([{"id":"book_1","title":"Ülo","loans":[{"id":"loan_1","days":3}]},
                         {"id":"book_22","title":null,"loans":[]}])"),
            "id       title  loans\n"
            "-------  -----  -----\n"
            "book_1   Ülo\n"
            "    loans:\n"
            "    id      days\n"
            "    ------  ----\n"
            "    loan_1  3\n"
            "book_22         []\n");
  EXPECT_EQ(table_of("[]"), "(no rows)\n");
}

TEST(RowsTable, R1_a_long_cell_is_cut_at_a_character) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "é";
  std::string cut;
  for (int i = 0; i < 47; ++i) cut += "é";
  EXPECT_NE(table_of("[{\"a\":\"" + text + "\"}]").find(cut + "…\n"), std::string::npos);
}

TEST(RowsTable, R2_a_ref_stands_with_its_label) {
  const JsonArray rows{JsonObject{{"id", "loan_1"}, {"book_id", "book_1"}}};
  EXPECT_EQ(rows_table(rows, {{"book_1", "Dune\n"}}),
            "id      book_id\n"
            "------  ---------------\n"
            "loan_1  book_1 (Dune\\n)\n");
}

TEST(RowsTable, R3_no_cell_moves_the_cursor) {
  const std::string table = table_of(R"([{"a":"x\ny\u001b[31m"}])");
  EXPECT_NE(table.find("x\\ny\\u001b[31m"), std::string::npos) << table;
  EXPECT_EQ(table.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace alfred::cli
