#include "base/json/json_members.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

// Where the repeated member stands; -1: none.
int repeated(std::string_view json) {
  const char* const found = find_repeated_member(json);
  return found == nullptr ? -1 : static_cast<int>(found - json.data());
}

TEST(JsonMembers, a_name_that_stands_twice_in_one_object_is_found) {
  EXPECT_EQ(repeated(R"({"a":1,"a":2})"), 7);
  EXPECT_EQ(repeated(R"([1,{"a":{"b":1,"b":[]}}])"), 15);
  EXPECT_EQ(repeated(R"({"a":1,"\u0061":2})"), 7);
  EXPECT_EQ(repeated(R"({"a":[{"x":"y"}],"a":0})"), 17);
  EXPECT_EQ(repeated(R"({"a\"":1,"b":["{","a"],"a\"":0})"), 23);
  EXPECT_EQ(repeated(R"(["{",{"a":1,"a":2}])"), 12);
}

TEST(JsonMembers, names_of_different_objects_and_values_are_none) {
  for (const char* json :
       {"", "1", R"("a")", "[]", "{}", R"([{"a":1},{"a":1}])", R"({"a":{"a":{"a":"a"}}})",
        R"({"a":"b","b":"a","c":["a","a"]})", R"({"a":"\"a\":1,\"a\":2","A":1})", R"(["{"])",
        R"("{")", R"(["{a,",{"a":1}])"})
    EXPECT_EQ(repeated(json), -1) << json;
}

}  // namespace
}  // namespace alfred
