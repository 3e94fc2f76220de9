#include "refs/type_names.h"

#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "base/test_size.h"

namespace alfred {
namespace {

TEST(TypeNames, R1_names_of_every_length_are_told_apart) {
  TypeNames names;
  EXPECT_EQ(names.find("a"), TypeNames::kNone);
  std::vector<std::string> added;
  for (std::size_t size = 1; size <= 40; ++size)
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      std::string name(size, 'a');
      name[at] = static_cast<char>('b' + added.size() % 20);
      if (names.find(name) != TypeNames::kNone) continue;
      names.add(name);
      added.push_back(name);
    }
  for (std::size_t i = 0; i < added.size(); ++i) {
    EXPECT_EQ(names.find(added[i]), i);
    EXPECT_EQ(names.find(added[i] + "_"), TypeNames::kNone);
    EXPECT_EQ(names.find(added[i] + std::string(1, '\0')), TypeNames::kNone);
  }
  EXPECT_EQ(names.find(""), TypeNames::kNone);
}

TEST(TypeNames, R1_the_last_can_be_dropped_whatever_grew) {
  std::mt19937 random(20260104);
  TypeNames names;
  std::vector<std::string> model;
  std::map<std::string, std::uint32_t> numbers;
  for (std::size_t i = 0; i < test_size({2'000, 10'000, 100'000}); ++i) {
    const std::string name = "t" + std::to_string(random() % 300) + std::string(random() % 20, 'x');
    const auto known = numbers.find(name);
    ASSERT_EQ(names.find(name), known == numbers.end() ? TypeNames::kNone : known->second);
    if (known == numbers.end() && random() % 3 != 0) {
      numbers[name] = static_cast<std::uint32_t>(model.size());
      names.add(name);
      model.push_back(name);
    } else if (!model.empty()) {
      numbers.erase(model.back());
      names.drop_last();
      model.pop_back();
    }
    ASSERT_EQ(names.size(), model.size());
  }
}

}  // namespace
}  // namespace alfred
