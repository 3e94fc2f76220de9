// A pack's categories behind the port that records look at them through.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pack/pack.h"
#include "records/record_context.h"

namespace alfred {

class PackCategories final : public WordCategories {
 public:
  explicit PackCategories(std::shared_ptr<const Pack> pack) : pack_(std::move(pack)) {}
  std::vector<std::string> members_of(std::string_view category) const override {
    return pack_->categories.members_of(category);
  }
  std::vector<std::string> near_misses(std::string_view category) const override {
    return pack_->categories.near_misses(category);
  }
  bool is_known(std::string_view words) const override {
    return !pack_->categories.categories_of(words).empty();
  }

 private:
  std::shared_ptr<const Pack> pack_;
};

}  // namespace alfred
