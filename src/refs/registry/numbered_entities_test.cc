#include "refs/registry/numbered_entities.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace alfred {
namespace {

TEST(NumberedEntities, R1_a_number_that_nobody_has_leads_to_nobody) {
  NumberedEntities numbers;
  for (const std::uint32_t number : {0U, 1U, 7U, 0xffffffffU})
    EXPECT_EQ(numbers.at(number), kNoEntity);
  numbers.push_back(4);
  EXPECT_EQ(numbers.at(0), kNoEntity);
  EXPECT_EQ(numbers.at(1), 4U);
  EXPECT_EQ(numbers.at(2), kNoEntity);
}

TEST(NumberedEntities, a_run_takes_no_memory_and_knows_its_numbers) {
  NumberedEntities numbers;
  for (EntityNo entity = 10; entity < 1000; ++entity) numbers.push_back(entity);
  EXPECT_EQ(numbers.memory_bytes(), 0U);
  EXPECT_TRUE(numbers.is_in_run(999));
  EXPECT_EQ(numbers.number_in_run(999), 990U);
  EXPECT_FALSE(numbers.is_in_run(9));
  EXPECT_FALSE(numbers.is_in_run(1000));
  EXPECT_FALSE(numbers.is_in_run(kNoEntity));
  numbers.push_back(2000);
  EXPECT_EQ(numbers.at(991), 2000U);
  EXPECT_FALSE(numbers.is_in_run(2000));
}

TEST(NumberedEntities, R2_who_takes_the_last_ones_away_takes_the_gaps_before_them) {
  NumberedEntities numbers;
  numbers.push_back(0);
  numbers.set(5, 9);
  EXPECT_EQ(numbers.size(), 5U);
  EXPECT_EQ(numbers.at(3), kNoEntity);
  numbers.take_away(5);
  EXPECT_EQ(numbers.size(), 1U);
}

// Against a map that does nothing clever. Entities go up, as in a registry, with and without gaps.
RC_GTEST_PROP(NumberedEntities, R1_R2_as_a_map_has_them, ()) {
  NumberedEntities numbers;
  std::map<std::uint32_t, EntityNo> model;
  EntityNo next = *rc::gen::inRange<EntityNo>(0, 5);
  const auto size = [&] { return model.empty() ? 0U : model.rbegin()->first; };
  for (int i = *rc::gen::inRange(0, 60); i > 0; --i) {
    const int what = *rc::gen::inRange(0, 8);
    if (what == 0 && !model.empty()) {
      const auto gone =
          std::next(model.begin(), *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(model)));
      numbers.take_away(gone->first);
      model.erase(gone);
    } else if (what == 1 && !model.empty()) {
      const std::uint32_t last = size();
      numbers.take_away(last);
      model.erase(last);
    } else if (what == 2) {
      const auto number = *rc::gen::inRange<std::uint32_t>(1, size() + 5);
      numbers.set(number, next);
      model[number] = next++;
    } else {
      next += what == 3 ? 2 : 0;
      numbers.push_back(next);
      model[size() + 1] = next++;
    }
    RC_ASSERT(numbers.size() == size());
    for (std::uint32_t number = 0; number < size() + 3; ++number) {
      const auto known = model.find(number);
      RC_ASSERT(numbers.at(number) == (known == model.end() ? kNoEntity : known->second));
    }
    for (const auto& [number, entity] : model)
      if (numbers.is_in_run(entity)) RC_ASSERT(numbers.number_in_run(entity) == number);
  }
}

}  // namespace
}  // namespace alfred
