#include "surface/cli/config/session_tuning.h"

#include <gtest/gtest.h>

#include "pack/load/folder_for_tests.h"

namespace alfred::cli {
namespace {

Result<SessionTuning> tuned(const std::string& file, const std::string& prompts = "") {
  const FolderForTests folder({{"config.toml", file}});
  Arguments arguments;
  if (!prompts.empty()) arguments.add("--prompts", {prompts});
  const Result<Config> config =
      Config::load(arguments, [&](const std::string& name) -> std::string {
        return name == "ALFRED_HOME" ? folder.path() : "";
      });
  if (!config) return Unexpected(config.error());
  return session_tuning(*config);
}

TEST(SessionTuning, R1_what_is_set_is_set_and_nothing_else) {
  EXPECT_TRUE(tuned("")->settings.empty());
  const Result<SessionTuning> set = tuned("[session]\ngoal_turns = 0\nprompt_tokens = 9000\n");
  ASSERT_TRUE(set) << set.error().message;
  SessionSettings settings;
  for (const auto& [setting, value] : set->settings) settings.*setting = value;
  SessionSettings expected;
  expected.goal_turns = 0;
  expected.prompt_tokens = 9000;
  EXPECT_EQ(settings, expected);
}

TEST(SessionTuning, R2_a_number_out_of_its_bounds_is_refused_with_them) {
  for (const char* file : {"[session]\nprompt_tokens = 10\n", "[session]\nfull_turns = 0\n",
                           "[session]\nreplans = 99999999999\n"}) {
    const Result<SessionTuning> refused = tuned(file);
    ASSERT_FALSE(refused) << file;
    EXPECT_NE(refused.error().message.find(" It is a number from "), std::string::npos);
    EXPECT_NE(refused.error().path.find("config.toml:2:1"), std::string::npos);
  }
  EXPECT_FALSE(tuned("[session]\nzone = 1\n"));
}

TEST(SessionTuning, a_folder_of_prompts_replaces_those_of_the_same_name) {
  const FolderForTests prompts({{"think.md", "# Mine\n"}});
  const Result<SessionTuning> set = tuned("", prompts.path());
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->texts.at("think"), "# Mine\n");
  EXPECT_EQ(set->texts.at("reply"), embedded_core_texts().at("reply"));
  EXPECT_FALSE(tuned("", prompts.path() + "/none"));
}

}  // namespace
}  // namespace alfred::cli
