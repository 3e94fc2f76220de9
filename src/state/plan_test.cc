#include "state/plan.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

const std::vector<std::string> kSubdomains{"books", "loans"};

ThinkAnswer plan_of(std::vector<std::uint32_t> groups) {
  ThinkAnswer answer{.goal = "g"};
  for (const std::uint32_t group : groups)
    answer.steps.push_back({.subdomain = "books", .group = group, .description = "do"});
  return answer;
}

ErrorCode refused(const ThinkAnswer& answer) {
  const Result<void> checked = check_plan(answer, kSubdomains);
  EXPECT_FALSE(checked);
  return checked ? ErrorCode::bug : checked.error().code;
}

TEST(CheckPlan, A16_no_steps_too_many_steps_and_groups_that_do_not_ascend) {
  EXPECT_TRUE(check_plan(plan_of({1, 1, 2, 3}), kSubdomains));
  EXPECT_EQ(refused(plan_of({})), ErrorCode::plan);
  EXPECT_EQ(refused(plan_of(std::vector<std::uint32_t>(500, 1))), ErrorCode::plan);
  EXPECT_EQ(refused(plan_of(std::vector<std::uint32_t>(13, 1))), ErrorCode::plan);
  EXPECT_TRUE(check_plan(plan_of(std::vector<std::uint32_t>(12, 1)), kSubdomains));
  for (const auto& groups : std::vector<std::vector<std::uint32_t>>{{2}, {1, 3}, {1, 2, 1}, {0}})
    EXPECT_EQ(refused(plan_of(groups)), ErrorCode::plan);
}

TEST(CheckPlan, A17_a_total_is_the_number_of_items) {
  ThinkAnswer answer = plan_of({1});
  answer.steps[0].batch = PlannedBatch{3, {{"gen_book_1", "A"}, {"gen_book_2", "B"}}};
  EXPECT_EQ(refused(answer), ErrorCode::batch_count);
  answer.steps[0].batch->total = 2;
  EXPECT_TRUE(check_plan(answer, kSubdomains));
}

TEST(CheckPlan, A18_an_item_is_named_once) {
  ThinkAnswer answer = plan_of({1});
  answer.steps[0].batch = PlannedBatch{2, {{"gen_book_1", "A"}, {"gen_book_1", "B"}}};
  EXPECT_EQ(refused(answer), ErrorCode::batch_dup);
}

TEST(CheckPlan, a_subdomain_that_there_is_not_is_refused_with_those_there_are) {
  ThinkAnswer answer = plan_of({1});
  answer.steps[0].subdomain = "cars";
  EXPECT_EQ(refused(answer), ErrorCode::plan);
  EXPECT_EQ(check_plan(answer, kSubdomains).error().allowed, kSubdomains);
}

TEST(CheckPlan, a_proposal_and_a_question_say_what_they_are) {
  EXPECT_EQ(refused({.goal = "g", .decision = Decision::propose}), ErrorCode::plan);
  EXPECT_EQ(refused({.goal = "g", .decision = Decision::clarify}), ErrorCode::plan);
  EXPECT_TRUE(check_plan({.goal = "g", .decision = Decision::clarify, .questions = {"which?"}},
                         kSubdomains));
}

TEST(Plan, groups_run_in_order) {
  Plan plan{.steps = {{.group = 1}, {.group = 1}, {.group = 2}}};
  EXPECT_EQ(plan.current_group(), 1U);
  plan.steps[0].status = StepStatus::complete;
  EXPECT_EQ(plan.current_group(), 1U);
  plan.steps[1].status = StepStatus::blocked;
  EXPECT_EQ(plan.current_group(), 2U);
  plan.steps[2].status = StepStatus::failed;
  EXPECT_TRUE(plan.is_finished());
}

}  // namespace
}  // namespace alfred
