#include "refs/tag_group.h"

#include <random>

#include <gtest/gtest.h>

#include "base/test_size.h"

namespace alfred {
namespace {

TEST(TagGroup, a_tag_is_found_in_every_slot_and_in_no_other) {
  for (std::size_t slot = 0; slot < TagGroup::kSlots; ++slot) {
    TagGroup group{};
    group.unused = 0x80808080;
    group.tags[slot] = 0x80;
    SlotSet found = group.with(0x80);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.first(), slot);
    found.drop_first();
    EXPECT_TRUE(found.empty());
    EXPECT_TRUE(group.with(0x7f).empty());
  }
}

TEST(TagGroup, random_groups_give_what_plain_code_gives) {
  std::mt19937_64 random(20260102);
  for (std::size_t i = 0; i < test_size({2'000, 20'000, 1'000'000}); ++i) {
    TagGroup group{};
    for (std::uint8_t& tag : group.tags) tag = static_cast<std::uint8_t>(random() % 4);
    group.unused = static_cast<std::uint32_t>(random());
    for (std::uint8_t tag = 0; tag < 4; ++tag)
      ASSERT_EQ(group.with(tag), group.plain_with(tag)) << i;
  }
}

}  // namespace
}  // namespace alfred
