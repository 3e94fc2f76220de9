#include "records/to_refs/link_cache.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace alfred {
namespace {

std::string uuid(std::uint32_t number) {
  return fmt::format("{:08x}-0000-4000-8000-{:012x}", number * 2654435761U, number);
}

TEST(LinkCache, R1_only_the_exact_text_is_found) {
  LinkCache cache;
  for (std::uint32_t i = 1; i <= 20'000; ++i) cache.put(uuid(i).data(), i);
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    const std::uint32_t found = cache.find(uuid(i).data());
    ASSERT_TRUE(found == 0 || found == i) << i;
    for (std::size_t at = 0; at < 36; at += 5) {
      std::string other = uuid(i);
      other[at] = other[at] == 'x' ? 'y' : 'x';
      ASSERT_EQ(cache.find(other.data()), 0U) << other;
    }
  }
}

TEST(LinkCache, R2_what_was_put_last_is_found_once_there_is_room) {
  LinkCache cache;
  EXPECT_EQ(cache.find(uuid(1).data()), 0U);
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    cache.put(uuid(i).data(), i);
    if (i > 16) ASSERT_EQ(cache.find(uuid(i).data()), i);
  }
}

TEST(LinkCache, R2_few_targets_are_kept) {
  LinkCache cache;
  for (int round = 0; round < 100; ++round)
    for (std::uint32_t i = 1; i <= 40; ++i)
      if (cache.find(uuid(i).data()) == 0) cache.put(uuid(i).data(), i);
  int kept = 0;
  for (std::uint32_t i = 1; i <= 40; ++i) kept += cache.find(uuid(i).data()) == i ? 1 : 0;
  EXPECT_GE(kept, 30);
}

}  // namespace
}  // namespace alfred
