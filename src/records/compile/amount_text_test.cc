#include "records/compile/amount_text.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

std::optional<double> amount(std::string_view text) { return take_amount(text); }

const UnitWords kUnits{{"cup", "cup"},   {"cups", "cup"},  {"g", "g"},
                       {"tbsp", "tbsp"}, {"can", "can"},   {"fl oz", "fl oz"},
                       {"oz", "oz"},     {"fl", "flagon"}, {"fluid ounces", "fl oz"}};

std::string line(std::string_view text, const UnitWords& units = kUnits) {
  const AmountLine read = read_amount_line(text, units);
  return (read.amount ? std::to_string(*read.amount).substr(0, 4) : "-") + "|" + read.unit + "|" +
         read.name + "|" + read.notes;
}

TEST(AmountText, R1_amounts_as_people_write_them) {
  EXPECT_EQ(amount("2"), 2);
  EXPECT_EQ(amount("1.5 kg"), 1.5);
  EXPECT_EQ(amount("1/2"), 0.5);
  EXPECT_EQ(amount("1 1/2 cups"), 1.5);
  EXPECT_EQ(amount("½"), 0.5);
  EXPECT_EQ(amount("1½ cups"), 1.5);
  EXPECT_EQ(amount("200g"), 200);
}

TEST(AmountText, R2_what_is_no_amount) {
  for (const char* bad : {"", "some", "2-3", "2 - 3", "2–3", "1/0", "50%", "1.2.3", "-2", "1/2/3"})
    EXPECT_FALSE(amount(bad)) << bad;
}

TEST(AmountText, minutes_of_hours_and_minutes) {
  EXPECT_EQ(read_minutes("20 min"), 20);
  EXPECT_EQ(read_minutes("25 minutes"), 25);
  EXPECT_EQ(read_minutes("1 h 20 min"), 80);
  EXPECT_EQ(read_minutes("1h20m"), 80);
  EXPECT_EQ(read_minutes("1 1/2 hours"), 90);
  EXPECT_EQ(read_minutes("25"), 25);
  for (const char* bad : {"", "a while", "20 30", "20 min or so", "2 days", "5-10 min", "20 min 3"})
    EXPECT_FALSE(read_minutes(bad)) << bad;
}

TEST(AmountText, R3_a_line_loses_nothing) {
  EXPECT_EQ(line("2 cups rice, rinsed"), "2.00|cup|rice|rinsed");
  EXPECT_EQ(line("3 eggs"), "3.00||eggs|");
  EXPECT_EQ(line("200g tofu"), "200.|g|tofu|");
  EXPECT_EQ(line("1 1/2 Tbsp. of oil"), "1.50|tbsp|oil|");
  EXPECT_EQ(line("salt, to taste"), "-||salt|to taste");
  EXPECT_EQ(line("2-3 leaves"), "-||2-3 leaves|");
  EXPECT_EQ(line("1 can"), "1.00||can|");
  EXPECT_EQ(line("2"), "-||2|");
  EXPECT_EQ(line("2, x"), "-||2|x");
  EXPECT_EQ(line(""), "-|||");
}

TEST(AmountText, R4_units_are_those_of_the_pack) {
  EXPECT_EQ(line("8 fl oz milk"), "8.00|fl oz|milk|");
  EXPECT_EQ(line("8 Fluid  Ounces of milk"), "8.00|fl oz|milk|");
  EXPECT_EQ(line("1 fl ale"), "1.00|flagon|ale|");
  EXPECT_EQ(line("8 fl oz"), "8.00|flagon|oz|");
  EXPECT_EQ(line("2 cupsful rice"), "2.00||cupsful rice|");
  EXPECT_EQ(line("2 cups rice", {}), "2.00||cups rice|");
  EXPECT_EQ(line("3 shelves books", {{"shelves", "shelf"}}), "3.00|shelf|books|");
}

}  // namespace
}  // namespace alfred
