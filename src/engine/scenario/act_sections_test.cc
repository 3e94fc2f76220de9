#include "engine/scenario/act_sections.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

Ask ask_with(StepType type, std::initializer_list<std::string_view> titles) {
  Ask ask{.node = Node::act, .step_type = type};
  ask.facts_json = R"({"step":{"subdomain":"books"}})";
  for (const std::string_view title : titles)
    ask.user.append("## ").append(title).append("\ntext\n```\n## quoted\n```\n\n");
  return ask;
}

TEST(ActSections, R1_headings_are_the_matrix_in_its_order) {
  EXPECT_EQ(
      section_fault(ask_with(StepType::read, {"books", "STATUS", "Task", "Schema",
                                              "Entities in Context", "Conversation", "DECISION"})),
      "");
  EXPECT_NE(
      section_fault(ask_with(StepType::read, {"books", "STATUS", "Schema", "Task",
                                              "Entities in Context", "Conversation", "DECISION"})),
      "");
  EXPECT_NE(
      section_fault(ask_with(StepType::read, {"books", "STATUS", "Task", "Schema", "Schema",
                                              "Entities in Context", "Conversation", "DECISION"})),
      "");
  EXPECT_NE(
      section_fault(ask_with(StepType::read, {"books", "STATUS", "Task", "Batch Manifest", "Schema",
                                              "Entities in Context", "Conversation", "DECISION"})),
      "");
  EXPECT_NE(section_fault(
                ask_with(StepType::generate, {"books", "STATUS", "Task", "Schema",
                                              "Entities in Context", "Conversation", "DECISION"})),
            "");
}

TEST(ActSections, R2_only_what_may_be_empty_may_be_missing) {
  EXPECT_EQ(section_fault(ask_with(StepType::analyze,
                                   {"books", "STATUS", "User Profile", "Task", "Data Available",
                                    "Entities in Context", "Conversation", "DECISION"})),
            "");
  EXPECT_NE(section_fault(ask_with(StepType::analyze,
                                   {"books", "STATUS", "Task", "Conversation", "DECISION"})),
            "");
  EXPECT_NE(section_fault(ask_with(StepType::write, {"books", "STATUS", "Task", "Schema",
                                                     "Entities in Context", "DECISION"})),
            "");
}

}  // namespace
}  // namespace alfred
