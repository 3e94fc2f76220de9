#include "surface/mcp/approval/row_caption.h"

#include <gtest/gtest.h>

namespace alfred::mcp {
namespace {

Field field(const char* name, FieldType type, bool is_unique = false) {
  Field out;
  out.name = name;
  out.type = type;
  out.is_unique = is_unique;
  return out;
}

Table invoices() {
  Table table;
  table.key = {"id"};
  table.fields = {field("id", FieldType::integer), field("paid", FieldType::boolean)};
  return table;
}

TEST(RowCaption, R1_a_unique_column_comes_before_a_text) {
  Table table = invoices();
  EXPECT_EQ(caption_field(table), nullptr);
  table.fields.push_back(field("memo", FieldType::text));
  table.fields.push_back(field("terms", FieldType::text));
  EXPECT_EQ(caption_field(table)->name, "memo");
  table.fields.push_back(field("number", FieldType::integer, true));
  EXPECT_EQ(caption_field(table)->name, "number");
  table.fields.push_back(field("code", FieldType::text, true));
  EXPECT_EQ(caption_field(table)->name, "code");
}

TEST(RowCaption, R2_neither_keys_nor_links_nor_what_is_hidden) {
  Table table = invoices();
  table.key = {"code"};
  table.fields.push_back(field("code", FieldType::text, true));
  table.fields.push_back(field("of", FieldType::text, true));
  table.fields.back().link = FieldLink{"others", OnDelete::refuse};
  table.fields.push_back(field("pin", FieldType::text));
  table.fields.back().is_hidden = true;
  EXPECT_EQ(caption_field(table), nullptr);
}

}  // namespace
}  // namespace alfred::mcp
