// How large a test campaign is: the environment variable ALFRED_TEST_SIZE is quick, modest or all.
// For tests only.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace alfred {

struct TestSizes {
  std::size_t quick;
  std::size_t modest;
  std::size_t all;
};

inline std::size_t test_size(const TestSizes& sizes) {
  const char* chosen = std::getenv("ALFRED_TEST_SIZE");
  const std::string_view size = chosen == nullptr ? "modest" : chosen;
  if (size == "quick") return sizes.quick;
  return size == "all" ? sizes.all : sizes.modest;
}

}  // namespace alfred
