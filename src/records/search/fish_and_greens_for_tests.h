// Categories for the tests of searches.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_context.h"

namespace alfred {

// Fish, leafy greens, and what is called after a fish and is none.
class FishAndGreens final : public WordCategories {
 public:
  std::vector<std::string> members_of(std::string_view category) const override {
    const auto found = kinds.find(category);
    return found == kinds.end() ? std::vector<std::string>() : found->second;
  }
  std::vector<std::string> near_misses(std::string_view category) const override {
    return category == "fish" ? std::vector<std::string>{"fish sauce", "cod liver oil"}
                              : std::vector<std::string>();
  }
  bool is_known(std::string_view words) const override {
    return words == "fish sauce" || words == "cod liver oil";
  }
  std::map<std::string, std::vector<std::string>, std::less<>> kinds{
      {"fish", {"cod", "salmon", "sea bass"}}, {"leafy greens", {"spinach", "kale"}}};
};

}  // namespace alfred
