// What the calls of a write step are told as (write_words.cc).
#include <gtest/gtest.h>

#include "interpreter/rules/doing/readings_for_tests.h"
#include "interpreter/rules/doing/writes.h"

namespace alfred::rules {
namespace {

class WriteWords : public testing::Test {
 protected:
  WriteWords() {
    facts.known.push_back({.ref = "novel_1", .type = "novel", .label = "Emma"});
    facts.pending_items = {"gen_evening_1", "gen_evening_2"};
  }
  // What is told after the call that saved two evenings came back with this answer.
  std::string saved(const JsonObject& answer) {
    JsonArray rows;
    for (const char* number : {"1", "2"})
      rows.push_back(JsonObject{{"on_day", std::string("2026-03-0") + number},
                                {"part", "late"},
                                {"novel_id", "novel_1"},
                                {"ref", std::string("gen_evening_") + number}});
    CallFact made{.tool = "db_create", .params = {{"table", "evenings"}, {"data", rows}}};
    made.answer = &answer;
    facts.steps = {StepFact{.calls = {made}}};
    const Program program{{Doing{.verb = Verb::save, .table = "evenings"}}};
    const WritePlan plan = plan_writes(club.book(), facts, program, 0);
    EXPECT_EQ(plan.calls.size(), 1u);
    return plan.say;
  }
  ReadingsForTests club;
  Facts facts = ReadingsForTests::facts();
};

TEST_F(WriteWords, rows_without_a_name_are_told_by_what_they_hold) {
  const std::string said = saved({{"completed", JsonArray{JsonObject{{"ref", "gen_evening_1"}},
                                                          JsonObject{{"ref", "gen_evening_2"}}}}});
  for (const char* part : {"2026-03-01", "2026-03-02", "late", "Emma"})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(said.find("novel_1"), std::string::npos) << said;
}

TEST_F(WriteWords, what_was_not_saved_is_not_told) {
  const std::string said = saved({{"completed", JsonArray{JsonObject{{"ref", "gen_evening_2"}}}}});
  EXPECT_EQ(said.find("2026-03-01"), std::string::npos) << said;
  EXPECT_NE(said.find("2026-03-02"), std::string::npos) << said;
}

TEST_F(WriteWords, before_the_call_nothing_is_told) {
  const Program program{{Doing{.verb = Verb::save, .table = "evenings"}}};
  EXPECT_EQ(plan_writes(club.book(), facts, program, 0).say, "");
}

}  // namespace
}  // namespace alfred::rules
