// A pack's categories behind the port that records look at them through.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pack/categories.h"
#include "records/record_context.h"

namespace alfred {

class PackCategories final : public WordCategories {
 public:
  explicit PackCategories(Categories categories) : categories_(std::move(categories)) {}
  std::vector<std::string> members_of(std::string_view category) const override {
    return categories_.members_of(category);
  }
  std::vector<std::string> near_misses(std::string_view category) const override {
    return categories_.near_misses(category);
  }
  bool is_known(std::string_view words) const override {
    return !categories_.categories_of(words).empty();
  }

 private:
  Categories categories_;
};

}  // namespace alfred
