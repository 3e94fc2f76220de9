#include "pack/scenario/scenario.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

std::string page(std::string_view blocks) {
  return "# A title\n\nProse.\n\n" + std::string(blocks);
}

Error error_of(const std::string& text) {
  const Result<Scenario> scenario = read_scenario({"scenarios/x.md", text});
  EXPECT_FALSE(scenario) << text;
  return scenario ? Error{} : scenario.error();
}

TEST(Scenario, steps_are_the_fenced_blocks_in_order) {
  const Result<Scenario> scenario = read_scenario(
      {"scenarios/x.md", page("```call db_create op=a\n{\"table\": \"books\"}\n```\nMore prose.\n"
                              "```refused ref_unknown\n```\n\n```outside\ndelete from books;\n```\n"
                              "```call db_create killed=2\n{}\n```\n```restart\n```\n")});
  ASSERT_TRUE(scenario) << scenario.error().message << scenario.error().path;
  EXPECT_EQ(scenario->title, "A title");
  ASSERT_EQ(scenario->steps.size(), 5U);
  EXPECT_EQ(scenario->steps[0].kind, StepKind::call);
  EXPECT_EQ(scenario->steps[0].name, "db_create");
  EXPECT_EQ(scenario->steps[0].options.at("op"), "a");
  EXPECT_EQ(scenario->steps[0].json.at("table").as_string(), "books");
  EXPECT_EQ(scenario->steps[0].line, 5U);
  EXPECT_EQ(scenario->steps[1].name, "ref_unknown");
  EXPECT_EQ(scenario->steps[2].text, "delete from books;\n");
  EXPECT_EQ(scenario->steps[3].options.at("killed"), "2");
  EXPECT_EQ(scenario->steps[4].kind, StepKind::restart);
}

TEST(Scenario, R1_R3_what_is_no_block_is_an_error_at_its_line) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"```cal db_read\n{}\n```\n", "scenarios/x.md:5"},
      {"```\n```\n", "scenarios/x.md:5"},
      {"```call\n{}\n```\n", "scenarios/x.md:5"},
      {"```call db_reed\n{}\n```\n", "scenarios/x.md:5"},
      {"```call db_read twice=1\n{}\n```\n", "scenarios/x.md:5"},
      {"```call db_read op\n{}\n```\n", "scenarios/x.md:5"},
      {"```rows\n[]\n```\n", "scenarios/x.md:5"},
      {"```rows books\n[\n  {\"a\": 1},\n  {\"a\" 1}\n]\n```\n", "scenarios/x.md:8"},
      {"```outside\n\n```\n", "scenarios/x.md:5"},
      {"```restart\nnow\n```\n", "scenarios/x.md:5"},
      {"```given books\n{}\n```\n", "scenarios/x.md:5"},
      {"```generate books\n[1]\n```\n", "scenarios/x.md:5"},
      {"```reject books\n[]\n```\n", "scenarios/x.md:5"},
      {"```rows books\n{\"where\": {}}\n```\n", "scenarios/x.md:5"},
      {"```call db_create killed=soon\n{}\n```\n", "scenarios/x.md:5"},
      {"```user answers=later\nhi\n```\n", "scenarios/x.md:5"},
      {"```user\nhi\n```\n```model act step=0\n{}\n```\n", "scenarios/x.md:8"},
      {"```user\nhi\n```\n```model act finish=early\n{}\n```\n", "scenarios/x.md:8"},
      {"```rows books\n[]\n", "scenarios/x.md:5"},
  };
  for (const auto& [blocks, place] : bad) {
    const Error error = error_of(page(blocks));
    EXPECT_EQ(error.path, place) << blocks << error.message;
    EXPECT_EQ(error.code, ErrorCode::pack);
  }
  EXPECT_EQ(error_of("Prose without a title\n").path, "scenarios/x.md:1");
  EXPECT_EQ(error_of("# Title without steps\n").path, "scenarios/x.md:1");
}

TEST(Scenario, R2_nothing_is_called_without_saying_what_comes_of_it) {
  EXPECT_EQ(error_of(page("```call db_read\n{}\n```\n")).path, "scenarios/x.md:5");
  EXPECT_EQ(error_of(page("```call db_read\n{}\n```\n```rows a\n[]\n```\n")).path,
            "scenarios/x.md:5");
  EXPECT_EQ(error_of(page("```rows a\n[]\n```\n```expect\n{}\n```\n")).path, "scenarios/x.md:8");
}

TEST(Scenario, tables_are_the_packs) {
  Pack pack;
  pack.entities.emplace_back().table = "books";
  pack.scenarios = {{"scenarios/x.md", page("```rows books\n[]\n```\n")}};
  EXPECT_TRUE(check_scenarios(pack));
  pack.scenarios.push_back({"scenarios/y.md", page("```rows boks\n[]\n```\n")});
  const Result<void> checked = check_scenarios(pack);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().path, "scenarios/y.md:5");
}

}  // namespace
}  // namespace alfred
