#include <gtest/gtest.h>

#include "refs/registry_json.h"

namespace alfred {
namespace {

std::string fault_of(std::string_view text) {
  const Result<RefChanges> changes =
      RegistryJson::read_changes(parse_json(text, JsonLimits::none()).value());
  return changes ? "none" : changes.error().path + ": " + changes.error().message;
}

TEST(RefChangesJson, what_is_no_change_is_refused_with_its_place) {
  EXPECT_EQ(fault_of("[]"), "none");
  EXPECT_EQ(fault_of("{}"), ": changes are an array");
  const std::string kinds =
      "a change is an object with one of declared, registered, changed, literal, turn";
  EXPECT_EQ(fault_of("[{\"turn\":1},{\"deleted\":1}]"), "changes[1]: " + kinds);
  EXPECT_EQ(fault_of("[{\"turn\":-1}]"), "changes[0]: " + kinds);
  EXPECT_EQ(fault_of("[{\"declared\":{\"type\":\"book\"}}]"),
            "changes[0].table: the registry needs a text here");
  EXPECT_EQ(fault_of("[{\"changed\":{\"was\":\"Book 1\",\"entry\":{}}}]"),
            "changes[0].was: a change names the ref it was");
}

}  // namespace
}  // namespace alfred
