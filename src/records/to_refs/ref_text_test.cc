#include "records/to_refs/ref_text.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace alfred {
namespace {

std::string written(std::string_view type, std::uint32_t number) {
  std::array<char, kRefSlack> bytes{};
  char* const after = write_ref(bytes.data(), RefStart(type), RefEnd::of(number));
  return {bytes.data(), after};
}

TEST(RefText, a_number_of_any_length_ends_a_ref) {
  for (std::uint32_t power = 1; power <= 100'000'000; power *= 10)
    for (const std::uint32_t number : {power, power + power / 10, 9 * power, 10 * power - 1})
      EXPECT_EQ(written("ri", number), "\"ri_" + std::to_string(number) + '"');
  for (std::uint32_t number = 1; number < 3'000'000; number += 7)
    ASSERT_EQ(written("a", number), "\"a_" + std::to_string(number) + '"');
}

TEST(RefText, the_next_number_ends_a_ref_as_if_it_were_spelled) {
  const auto text = [](const RefEnd& end) { return std::string(end.data(), end.size()); };
  RefEnd end = RefEnd::of(1);
  for (std::uint32_t number = 2; number < 1'200'000; ++number) {
    end = end.next(number);
    ASSERT_EQ(text(end), std::to_string(number) + '"');
  }
  for (const std::uint32_t last :
       {9'999'998U, 99'999'998U, 99'999'999U, 100'000'000U, 123'456'788U})
    EXPECT_EQ(text(RefEnd::of(last).next(last + 1)), std::to_string(last + 1) + '"');
  EXPECT_EQ(text(RefEnd().next(7)), "7\"");
}

TEST(RefText, a_type_of_any_length_starts_a_ref) {
  for (std::size_t size = 1; size <= Ref::kMaxTypeBytes; ++size) {
    const std::string type(size, 'x');
    EXPECT_EQ(written(type, Ref::kMaxNumber), '"' + type + "_999999999\"");
  }
}

}  // namespace
}  // namespace alfred
