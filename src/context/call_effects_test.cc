#include "context/call_effects.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

Step step_with(std::vector<std::pair<std::string, std::string>> calls) {
  Step step;
  for (const auto& [tool, answer] : calls)
    step.calls.push_back(
        {1, tool, JsonObject{}, parse_json(answer, JsonLimits::none()).value(), std::nullopt});
  return step;
}

TEST(CallEffects, R1_a_read_names_its_rows_and_counts_those_without_a_ref) {
  const auto effects = effects_of(step_with(
      {{"db_read", R"({"rows":[{"id":"book_1"},{"title":"x"}]})"}, {"db_read", R"({"count":7})"}}));
  EXPECT_EQ(effects[0].read, std::vector<std::string>{"book_1"});
  EXPECT_EQ(effects[0].rows, 2u);
  EXPECT_EQ(effects[1].rows, 7u);
}

TEST(CallEffects, R1_writes_name_what_they_did_in_either_form) {
  const auto effects =
      effects_of(step_with({{"db_create", R"({"created":[{"ref":"book_1"}],"count":1})"},
                            {"db_update", R"({"updated":["book_2"],"count":1})"},
                            {"db_delete", R"({"deleted":[{"ref":"book_3"}],"count":1})"}}));
  EXPECT_EQ(effects[0].created, std::vector<std::string>{"book_1"});
  EXPECT_EQ(effects[1].updated, std::vector<std::string>{"book_2"});
  EXPECT_EQ(effects[2].deleted, std::vector<std::string>{"book_3"});
}

TEST(CallEffects, R1_an_item_of_a_batch_counts_in_the_call_that_completed_it) {
  const auto effects = effects_of(
      step_with({{"db_create", R"({"total":2,"completed":[{"ref":"gen_book_1","result":"book_1"}],
         "failed":[],"pending":["gen_book_2"]})"},
                 {"db_create", R"({"total":2,"completed":[{"ref":"gen_book_1","result":"book_1"},
         {"ref":"gen_book_2","result":"book_2"}],"failed":[],"pending":[]})"},
                 {"db_delete", R"({"total":1,"completed":[{"ref":"book_9","result":""}],
         "failed":[{"ref":"book_8","error":"no"}],"pending":[]})"}}));
  EXPECT_EQ(effects[0].created, std::vector<std::string>{"book_1"});
  EXPECT_EQ(effects[1].created, std::vector<std::string>{"book_2"});
  EXPECT_EQ(effects[2].deleted, std::vector<std::string>{"book_9"});
  EXPECT_EQ(effects[2].failed, 1u);
}

TEST(CallEffects, R2_a_refused_call_did_nothing) {
  Step step;
  step.calls.push_back({1, "db_create", JsonObject{}, std::nullopt, CallError{"value", "no"}});
  const CallEffects effects = effects_of(step).at(0);
  EXPECT_TRUE(effects.is_refused);
  EXPECT_TRUE(effects.created.empty());
}

}  // namespace
}  // namespace alfred
