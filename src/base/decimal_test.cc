#include "base/decimal.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "alfred/random.h"
#include "base/test_size.h"

namespace alfred {
namespace {

Decimal of(std::string_view text) { return read_decimal(text).value(); }

TEST(Decimal, R1_takes_numbers_and_nothing_else) {
  for (const char* good : {"0", "-0", "1", "-1.50", "1e3", "1.5E-10", "00012", "1e+22"})
    EXPECT_TRUE(read_decimal(good)) << good;
  for (const char* bad : {"", "-", "+1", ".5", "1.", "1e", "1e+", "1x", " 1", "1 ", "0x10", "NaN",
                          "Infinity", "1.2.3", "1e9999999999", "--1"})
    EXPECT_FALSE(read_decimal(bad)) << bad;
}

TEST(Decimal, R2_texts_of_one_number_are_equal) {
  EXPECT_EQ(of("1.50"), of("15e-1"));
  EXPECT_EQ(of("0.0"), of("-0e7"));
  EXPECT_EQ(of("1200"), of("0.0012e6"));
  EXPECT_NE(of("9007199254740993"), of("9007199254740992"));
}

TEST(Decimal, R3_a_double_stands_for_its_shortest_digits) {
  EXPECT_EQ(exact_double(of("0.1000")), 0.1);
  EXPECT_EQ(exact_double(of("1e300")), 1e300);
  EXPECT_EQ(exact_double(of("5e-324")), 5e-324);
  for (const char* lost : {"12345678901234567.12", "0.1000000000000000055", "1e400", "1e-400",
                           "9007199254740993", "1152921504606847232"})
    EXPECT_FALSE(exact_double(of(lost))) << lost;
}

TEST(Decimal, an_integer_is_one_of_64_bits) {
  EXPECT_EQ(exact_integer(of("9223372036854775807")), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(exact_integer(of("-9223372036854775808")), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(exact_integer(of("1e18")), 1'000'000'000'000'000'000);
  EXPECT_EQ(exact_integer(of("0.000")), 0);
  for (const char* none : {"9223372036854775808", "1.5", "1e19", "1e300", "0.001"})
    EXPECT_FALSE(exact_integer(of(none))) << none;
}

TEST(Decimal, compares_by_value) {
  const std::vector<const char*> rising{"-1e300", "-12.5", "-12", "-0.1", "0",     "1e-9",
                                        "0.1",    "0.12",  "1",   "9.9",  "10.01", "1e19"};
  for (std::size_t i = 0; i < rising.size(); ++i)
    for (std::size_t j = 0; j < rising.size(); ++j)
      EXPECT_EQ(compare_decimals(of(rising[i]), of(rising[j])), i < j ? -1 : (i > j ? 1 : 0))
          << rising[i] << " " << rising[j];
}

TEST(Decimal, every_double_is_the_one_its_digits_say) {
  const std::uint64_t seed = OsRandom().next_u64();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (std::size_t i = 0; i < test_size({1'000, 10'000, 1'000'000}); ++i) {
    const double number =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random.next_u64())),
                   static_cast<int>(random.next_u64() % 200) - 100);
    ASSERT_EQ(exact_double(decimal_of(number)), number);
  }
}

TEST(Decimal, R4_C10_a_number_that_a_double_would_change_is_refused_by_name) {
  const Result<void> told =
      check_digits(R"({"a":"12345678901234567.12","price" : [1.5,12345678901234567.12]})");
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().code, ErrorCode::value);
  EXPECT_EQ(told.error().path, "price");
  EXPECT_EQ(told.error().message,
            "price is 12345678901234567.12: more digits than a number keeps, it would be rounded. "
            "Give it with 15 digits at most, or as a whole number of 64 bits.");
  EXPECT_FALSE(check_digits("0.1000000000000000055"));
  EXPECT_FALSE(check_digits(R"({"n":1.00000000000000000001e0})"));
  for (const char* kept : {R"({"a":9007199254740993,"b":0.30000000000000004,"c":1e300})",
                           R"("\"12345678901234567.12")", "1.50000000000000000000", "-0.0",
                           "1e-400", "[]", "", "\"", "\"\\"})
    EXPECT_TRUE(check_digits(kept)) << kept;
}

}  // namespace
}  // namespace alfred
