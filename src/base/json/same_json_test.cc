#include "base/json/same_json.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(SameJson, it_says_what_the_operator_says) {
  constexpr const char* kTexts[] = {"null",
                                    "1",
                                    "1.0",
                                    "2",
                                    "\"a\"",
                                    "[]",
                                    "[1,2]",
                                    "[1,2,3]",
                                    "[[1],{\"a\":1}]",
                                    "[[1],{\"a\":2}]",
                                    "{}",
                                    "{\"a\":1,\"b\":[{\"c\":null}]}",
                                    "{\"b\":[{\"c\":null}],\"a\":1}",
                                    "{\"a\":1,\"b\":[{\"d\":null}]}",
                                    "{\"a\":1}",
                                    "{\"a\":null}",
                                    "18446744073709551615"};
  for (const char* const left : kTexts)
    for (const char* const right : kTexts) {
      const Json a = parse_json(left, JsonLimits::none()).value();
      const Json b = parse_json(right, JsonLimits::none()).value();
      EXPECT_EQ(is_same_json(a, b), a == b) << left << " " << right;
    }
}

}  // namespace
}  // namespace alfred
