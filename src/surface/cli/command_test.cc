#include "surface/cli/command.h"

#include <sstream>

#include <gtest/gtest.h>

namespace alfred::cli {
namespace {

std::string reported(const Error& error) {
  std::ostringstream out;
  (void)report(error, out);
  return out.str();
}

TEST(Report, the_place_of_a_mistake_is_said_once) {
  EXPECT_EQ(reported(Error{ErrorCode::value, "No.", "limit", {}, {}}),
            "alfred: No. (at limit) [value]\n");
  EXPECT_EQ(reported(Error{ErrorCode::json, "This is no JSON (at byte 10).", "byte 10", {}, {}}),
            "alfred: This is no JSON (at byte 10). [json]\n");
  EXPECT_EQ(reported(Error{ErrorCode::json, "This is not JSON: byte 9", "byte 9", {}, {}}),
            "alfred: This is not JSON: byte 9 [json]\n");
  EXPECT_EQ(reported(Error{ErrorCode::json, "It is too deep.", "byte 9", {}, {}}),
            "alfred: It is too deep. (at byte 9) [json]\n");
  EXPECT_EQ(reported(Error{ErrorCode::json, "No.", "", {}, {}}), "alfred: No. [json]\n");
}

}  // namespace
}  // namespace alfred::cli
