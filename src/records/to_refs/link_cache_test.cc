#include "records/to_refs/link_cache.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace alfred {
namespace {

std::string uuid(std::uint32_t number) {
  return fmt::format("{:08x}-0000-4000-8000-{:012x}", number * 2654435761U, number);
}

// The number of the ref that is found, 0 when none is.
std::uint32_t found_in(const LinkCache& cache, const std::string& text36) {
  const RefEnd* const end = cache.find(text36.data());
  if (end != nullptr) EXPECT_GT(end->size(), 0U);
  return end == nullptr
             ? 0
             : static_cast<std::uint32_t>(std::stoul(std::string(end->data(), end->size())));
}

TEST(LinkCache, R1_only_the_exact_text_is_found) {
  LinkCache cache;
  for (std::uint32_t i = 1; i <= 20'000; ++i) cache.put(uuid(i).data(), RefEnd::of(i));
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    const std::uint32_t found = found_in(cache, uuid(i));
    ASSERT_TRUE(found == 0 || found == i) << i;
    for (std::size_t at = 0; at < 36; at += 5) {
      std::string other = uuid(i);
      other[at] = other[at] == 'x' ? 'y' : 'x';
      ASSERT_EQ(found_in(cache, other), 0U) << other;
    }
  }
}

TEST(LinkCache, R1_free_room_is_found_by_no_text) {
  LinkCache cache;
  for (std::uint32_t i = 1; i <= 20; ++i) cache.put(uuid(i).data(), RefEnd::of(i));
  EXPECT_EQ(cache.find(std::string(36, '\0').data()), nullptr);
}

TEST(LinkCache, R2_what_was_put_last_is_found_once_there_is_room) {
  LinkCache cache;
  EXPECT_EQ(found_in(cache, uuid(1)), 0U);
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    cache.put(uuid(i).data(), RefEnd::of(i));
    if (i > 16) ASSERT_EQ(found_in(cache, uuid(i)), i);
  }
}

TEST(LinkCache, R2_few_targets_are_kept) {
  LinkCache cache;
  for (int round = 0; round < 100; ++round)
    for (std::uint32_t i = 1; i <= 40; ++i)
      if (found_in(cache, uuid(i)) == 0) cache.put(uuid(i).data(), RefEnd::of(i));
  int kept = 0;
  for (std::uint32_t i = 1; i <= 40; ++i) kept += found_in(cache, uuid(i)) == i ? 1 : 0;
  EXPECT_GE(kept, 30);
}

TEST(LinkCache, R2_two_that_share_a_place_do_not_take_it_from_each_other) {
  // Many pairs, put in turns: of each, both are found the next time.
  int missed = 0;
  for (std::uint32_t pair = 0; pair < 200; ++pair) {
    LinkCache cache;
    for (std::uint32_t i = 1; i <= 16; ++i) cache.put(uuid(1'000 + i).data(), RefEnd::of(i));
    const std::string one = uuid(2 * pair + 1);
    const std::string other = uuid(2 * pair + 2);
    for (int round = 0; round < 3; ++round)
      for (const std::string& text : {one, other})
        if (found_in(cache, text) == 0) {
          missed += round > 0 ? 1 : 0;
          cache.put(text.data(), RefEnd::of(pair + 1));
        }
  }
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace alfred
