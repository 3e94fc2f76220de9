// Every scenario of the packs that ship, on every kind of database; and that the runner notices
// what comes out otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include "engine/scenario/scenario_runner.h"
#include "scenario_place.h"

namespace alfred {
namespace {

const ScenarioPack& kitchen() {
  static const ScenarioPack pack(std::string(ALFRED_SOURCE_DIR) + "/packs/kitchen");
  return pack;
}
const ScenarioPack& bookshelf() {
  static const ScenarioPack pack(std::string(ALFRED_SOURCE_DIR) + "/packs/bookshelf");
  return pack;
}

struct Case {
  const ScenarioPack* pack;
  const Scenario* scenario;
  PlaceKind place;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.scenario->file << " on " << place_name(one.place);
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const ScenarioPack* pack : {&kitchen(), &bookshelf()})
    for (const Scenario& scenario : pack->scenarios)
      for (const PlaceKind place :
           {PlaceKind::sqlite, PlaceKind::postgres, PlaceKind::own_sqlite, PlaceKind::own_postgres})
        out.push_back({pack, &scenario, place});
  return out;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.pack->pack.name + "_" + info.param.scenario->file;
  name.erase(name.size() - 3);
  name.replace(name.find("scenarios/"), 10, "");
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + place_name(info.param.place);
}

class Scenarios : public testing::TestWithParam<Case> {};

TEST_P(Scenarios, come_out_right) {
  ScenarioPlace place(GetParam().place, *GetParam().pack);
  EXPECT_EQ(ScenarioRunner(place).run(*GetParam().scenario), "");
}
INSTANTIATE_TEST_SUITE_P(OfPacks, Scenarios, testing::ValuesIn(cases()), case_name);

TEST(Packs, every_page_of_their_scenarios_folder_is_one_that_runs) {
  for (const ScenarioPack* pack : {&kitchen(), &bookshelf()}) {
    const std::filesystem::directory_iterator pages(pack->folder + "/scenarios");
    const auto there = std::distance(begin(pages), end(pages));
    EXPECT_EQ(static_cast<std::size_t>(there), pack->scenarios.size()) << pack->pack.name;
  }
}

// Conversations once more, with the session opened anew from the store after every move.
std::vector<Case> conversations() {
  std::vector<Case> out;
  for (const Case& one : cases()) {
    const std::vector<ScenarioStep>& steps = one.scenario->steps;
    const bool is_talk = std::any_of(steps.begin(), steps.end(), [](const ScenarioStep& step) {
      return step.kind == StepKind::user;
    });
    if (is_talk && one.place == PlaceKind::sqlite) out.push_back(one);
  }
  return out;
}

class Reopened : public testing::TestWithParam<Case> {};

TEST_P(Reopened, come_out_right_when_every_move_opens_them_anew) {
  ScenarioPlace place(GetParam().place, *GetParam().pack);
  EXPECT_EQ(ScenarioRunner(place, {.reopens = true, .on_difference = {}}).run(*GetParam().scenario),
            "");
}
INSTANTIATE_TEST_SUITE_P(OfPacks, Reopened, testing::ValuesIn(conversations()), case_name);

// A conversation about tables that nobody declared anything of.
TEST(NothingDeclared, a_conversation_comes_out_right) {
  const std::string name = "nothing-declared.md";
  std::ifstream file(std::string(ALFRED_SOURCE_DIR) + "/tests/scenarios/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  const Result<Scenario> scenario = read_scenario({name, text.str()});
  ASSERT_TRUE(scenario) << scenario.error().path << scenario.error().message;
  for (const PlaceKind kind : {PlaceKind::own_sqlite, PlaceKind::own_postgres}) {
    ScenarioPlace place(kind, bookshelf(), false);
    EXPECT_EQ(ScenarioRunner(place).run(*scenario), "") << place_name(kind);
  }
}

// What the runner says of a page on an empty bookshelf.
std::string run_page(const std::string& blocks) {
  const Scenario scenario = read_scenario({"scenarios/x.md", "# X\n\n" + blocks}).value();
  ScenarioPlace place(PlaceKind::sqlite, bookshelf());
  return ScenarioRunner(place).run(scenario);
}

constexpr const char* kAdd =
    "```call db_create\n{\"table\": \"authors\", \"data\": {\"name\": \"Ann\"}}\n```\n";

TEST(ScenarioRunner, R1_what_comes_out_otherwise_is_a_failure_at_its_line) {
  const std::string add = kAdd;
  EXPECT_EQ(run_page(add + "```expect\n{\"count\": 1}\n```\n"), "");
  const std::string good = add + "```expect\n{\"count\": 1}\n```\n";
  const std::vector<std::pair<std::string, std::string>> bad{
      {add + "```expect\n{\"count\": 2}\n```\n", "scenarios/x.md:6: "},
      {add + "```expect\n{\"created\": [{\"ref\": \"author_2\"}]}\n```\n", "scenarios/x.md:6: "},
      {add + "```refused value\n```\n", "scenarios/x.md:6: "},
      {good + "```rows authors\n[]\n```\n", "scenarios/x.md:9: "},
      {good + "```rows authors\n[{\"name\": \"Bob\"}]\n```\n", "scenarios/x.md:9: "},
      {good + "```rows authors\n[{\"name\": \"Ann\"}, {\"name\": \"Ann\"}]\n```\n",
       "scenarios/x.md:9: "},
      {good + "```outside\ndelete from nothing;\n```\n", "scenarios/x.md:9: "},
      {"```call db_read\n{\"table\": \"x\"}\n```\n```expect\n{}\n```\n", "scenarios/x.md:6: "},
      {"```call db_read\n{\"table\": \"x\"}\n```\n```refused value\n```\n", "scenarios/x.md:6: "},
      {"```call db_read\n{\"table\": \"x\"}\n```\n```refused table\n{\"path\": \"y\"}\n```\n",
       "scenarios/x.md:6: "},
      {"```call db_read killed=1\n{\"table\": \"authors\"}\n```\n", "scenarios/x.md:3: "},
  };
  for (const auto& [page, place] : bad) {
    const std::string failure = run_page(page);
    EXPECT_TRUE(failure.starts_with(place)) << page << failure;
  }
}

TEST(ScenarioRunner, R1_a_reject_holds_until_it_is_accepted) {
  const std::string add = kAdd;
  EXPECT_EQ(
      run_page("```reject authors\n{\"name\": \"Ann\"}\n```\n" + add +
               "```refused conflict\n```\n```accept authors\n```\n" + add +
               "```expect\n{\"count\": 1}\n```\n```rows authors\n[{\"name\": \"Ann\"}]\n```\n"),
      "");
}

TEST(ScenarioRunner, R2_a_key_that_is_shown_is_a_failure) {
  // A nine-digit key, and a text beside it that happens to hold the same digits.
  const std::string keyed =
      "```outside\ninsert into authors (id, name) values (987654321, 'Ann'), (3, 'no. "
      "987654321');\n```\n";
  const std::string read =
      "```call db_read\n{\"table\": \"authors\"}\n```\n```expect\n{\"rows\": {\"$count\": 2}}\n"
      "```\n";
  EXPECT_EQ(
      run_page(keyed + "```outside\nupdate authors set name = 'Bob' where id = 3;\n```\n" + read),
      "");
  const std::string query =
      "```call query\n{\"sql\": \"select 987654000 + 321 as top from authors\"}\n```\n"
      "```expect\n{}\n```\n";
  const std::string failure = run_page(keyed + query);
  EXPECT_NE(failure.find("a piece of a key is shown"), std::string::npos) << failure;
}

}  // namespace
}  // namespace alfred
