#include "refs/keys/tag_group.h"

#include <random>

#include <gtest/gtest.h>

#include "base/test_size.h"

namespace alfred {
namespace {

TEST(TagGroup, a_tag_is_found_in_every_slot_and_in_no_other) {
  for (std::size_t slot = 0; slot < TagGroup::kSlots; ++slot) {
    TagGroup group{};
    group.passed = 0x80;
    group.tags[slot] = 0x80;
    SlotSet found = group.with(0x80);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.first(), slot);
    found.drop_first();
    EXPECT_TRUE(found.empty());
    EXPECT_TRUE(group.with(0x7f).empty());
  }
}

TEST(TagGroup, a_slot_leads_where_it_was_told_and_no_other_changes) {
  TagGroup group{};
  std::uint32_t expected[TagGroup::kSlots] = {};
  std::mt19937 random(7);
  for (int i = 0; i < 1'000; ++i) {
    const std::size_t slot = random() % TagGroup::kSlots;
    expected[slot] = random() & 0xffffff;
    group.set_low(slot, expected[slot] | 0xff000000);
    for (std::size_t at = 0; at < TagGroup::kSlots; ++at) ASSERT_EQ(group.low(at), expected[at]);
  }
  EXPECT_TRUE(group.with(1).empty());
  EXPECT_EQ(group.passed, 0);
}

TEST(TagGroup, random_groups_give_what_plain_code_gives) {
  std::mt19937_64 random(20260102);
  for (std::size_t i = 0; i < test_size({2'000, 20'000, 1'000'000}); ++i) {
    TagGroup group{};
    for (std::uint8_t& tag : group.tags) tag = static_cast<std::uint8_t>(random() % 4);
    group.passed = static_cast<std::uint8_t>(random());
    for (std::uint8_t tag = 0; tag < 4; ++tag)
      ASSERT_EQ(group.with(tag), group.plain_with(tag)) << i;
  }
}

}  // namespace
}  // namespace alfred
