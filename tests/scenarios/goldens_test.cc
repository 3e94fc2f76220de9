// One prompt of each node and step type, as the kitchen shows them, compared with what was read by
// eye (goldens/*.md). ALFRED_UPDATE_GOLDENS=1 writes them anew.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "engine/scenario/scenario_runner.h"
#include "scenario_place.h"

namespace alfred {
namespace {

const std::string kFolder = std::string(ALFRED_SOURCE_DIR) + "/tests/scenarios/goldens/";

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Days and times are those of the run.
std::string without_days(const std::string& text) {
  static const std::regex day("\\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\\b");
  static const std::regex now("\\b[A-Z][a-z]+day, 2026-01-02, [0-2][0-9]:[0-5][0-9] ");
  return std::regex_replace(std::regex_replace(text, day, "2026-01-02"), now,
                            "Friday, 2026-01-02, 03:04 ");
}

std::string golden_of(const Ask& ask) {
  return without_days("# System\n\n" + ask.system + "\n# User\n\n" + ask.user);
}

TEST(Goldens, prompts_are_those_that_were_read_by_eye) {
  const ScenarioPack pack(std::string(ALFRED_SOURCE_DIR) + "/packs/kitchen");
  ScenarioPlace place(PlaceKind::sqlite, pack);
  ScenarioRunner runner(place);
  const Scenario page =
      read_scenario({"goldens/conversation.md", read_text(kFolder + "conversation.md")}).value();
  ASSERT_EQ(runner.run(page), "");

  std::map<std::string, std::string> goldens;  // the last of each name
  for (const Ask& ask : runner.conversation().asked_ever()) {
    std::string name(name_of(ask.node));
    if (ask.node == Node::act) name += "-" + std::string(name_of(*ask.step_type));
    goldens[name] = golden_of(ask);
  }
  EXPECT_EQ(goldens.size(), 9u);
  const bool is_update = ::getenv("ALFRED_UPDATE_GOLDENS") != nullptr;
  for (const auto& [name, text] : goldens) {
    if (is_update) std::ofstream(kFolder + name + ".md", std::ios::binary) << text;
    EXPECT_EQ(read_text(kFolder + name + ".md"), text) << name;
  }
}

}  // namespace
}  // namespace alfred
