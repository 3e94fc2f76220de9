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

// Names and values, one a line; ?: no outline.
std::string outlined(std::string_view json) {
  const auto members = outline_members(json);
  if (!members) return "?";
  std::string out;
  for (const JsonMember& one : *members) (((out += one.name) += '=') += one.value) += '\n';
  return out;
}

TEST(JsonMembers, an_outline_is_of_what_the_reader_refuses_too) {
  EXPECT_EQ(outlined(R"( { "id" : 7 , "n":{"a":100000000000000000000,"b":1e400} } )"),
            "id=7\nn={\"a\":100000000000000000000,\"b\":1e400}\n");
  EXPECT_EQ(outlined(R"({"s":"\ud83d \\ud83d","d":"\ud83d\ude00"})"),
            "s=\"\\ud83d \\\\ud83d\"\nd=\"\\ud83d\\ude00\"\n");
  EXPECT_EQ(outlined(R"({"a":{"x":1,"x":2}})"), "a={\"x\":1,\"x\":2}\n");
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  EXPECT_EQ(outlined("{\"a\":" + deep + "}"), "a=" + deep + "\n");
  EXPECT_EQ(outlined("{}"), "");
}

TEST(JsonMembers, what_is_no_object_or_names_one_twice_has_no_outline) {
  for (const char* json : {"", "1", "[]", "{", R"({"a")", R"({"a":})", R"({"a":1,})", R"({"a":1}x)",
                           R"({"a":tru})", R"({"a":1,"a":2})", R"({"a":[1,{]})", R"({,"a":1})"})
    EXPECT_EQ(outlined(json), "?") << json;
}

}  // namespace
}  // namespace alfred
