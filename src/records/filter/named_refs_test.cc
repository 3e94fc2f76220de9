#include "records/filter/named_refs.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

JsonObject object(std::string_view text) {
  return parse_json(text, JsonLimits::none()).value().as_object();
}

TEST(NamedRefs, R1_refs_are_the_first_filter) {
  EXPECT_EQ(write_json(with_ref_filter(object(R"({"table":"t","limit":3})"))),
            R"({"table":"t","limit":3})");
  EXPECT_EQ(write_json(with_ref_filter(object(R"({"table":"t","refs":["a_1"],"limit":3})"))),
            R"({"table":"t","limit":3,"filters":[{"field":"_ref","op":"in","value":["a_1"]}]})");
  EXPECT_EQ(write_json(
                with_ref_filter(object(R"({"filters":[{"field":"x"}],"refs":["a_1"],"limit":3})"))),
            R"({"filters":[{"field":"_ref","op":"in","value":["a_1"]},{"field":"x"}],"limit":3})");
  EXPECT_EQ(write_json(with_ref_filter(object(R"({"filters":null,"refs":[]})"))),
            R"({"filters":[{"field":"_ref","op":"in","value":[]}]})");
}

TEST(NamedRefs, R2_a_path_is_told_as_the_call_had_it) {
  const JsonObject both = object(R"({"refs":["a_1"],"filters":[{},{}]})");
  EXPECT_EQ(path_as_given("filters[0].value[2]", both), "refs[2]");
  EXPECT_EQ(path_as_given("filters[2].field", both), "filters[1].field");
  EXPECT_EQ(path_as_given("filters[1]", both), "filters[0]");
  EXPECT_EQ(path_as_given("filters", both), "filters");
  EXPECT_EQ(path_as_given("data.name", both), "data.name");
  EXPECT_EQ(path_as_given("filters[", both), "filters[");
  EXPECT_EQ(path_as_given("filters", object(R"({"refs":[]})")), "refs");
  EXPECT_EQ(path_as_given("filters[1].value", object(R"({"filters":[]})")), "filters[1].value");
}

}  // namespace
}  // namespace alfred
