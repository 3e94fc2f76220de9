#include "base/late_library.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(LateLibrary, A_function_of_a_library_that_is_there_can_be_called) {
  LateLibrary library("libm.so.6", "libc6");
  double (*root)(double) = nullptr;
  library.take("sqrt", root);
  ASSERT_FALSE(library.error());
  EXPECT_EQ(root(9.0), 3.0);
}

TEST(LateLibrary, R1_a_library_that_is_not_there_names_itself_and_its_package) {
  LateLibrary library("libnobody-has-this.so.9", "libnobody9");
  int (*function)() = nullptr;
  library.take("anything", function);
  EXPECT_EQ(function, nullptr);
  ASSERT_TRUE(library.error());
  EXPECT_EQ(library.error()->code, ErrorCode::file);
  EXPECT_NE(library.error()->message.find("libnobody-has-this.so.9"), std::string::npos);
  EXPECT_NE(library.error()->message.find("apt-get install libnobody9"), std::string::npos);
  EXPECT_NE(library.error()->detail.find("libnobody-has-this.so.9"), std::string::npos);
}

TEST(LateLibrary, R1_a_function_that_is_missing_makes_it_unusable) {
  LateLibrary library("libm.so.6", "libc6");
  double (*function)(double) = nullptr;
  library.take("a_function_nobody_wrote", function);
  library.take("sqrt", function);
  EXPECT_EQ(function, nullptr);
  ASSERT_TRUE(library.error());
  EXPECT_EQ(library.error()->detail, "it has no a_function_nobody_wrote");
}

}  // namespace
}  // namespace alfred
