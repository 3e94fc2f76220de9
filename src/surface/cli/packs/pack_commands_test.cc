#include "surface/cli/packs/pack_commands.h"

#include <gtest/gtest.h>

#include <sstream>

#include "pack/load/folder_for_tests.h"

namespace alfred::cli {
namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome check(const std::string& folder) {
  Arguments arguments;
  arguments.add("dir", {folder});
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_pack_check(arguments, {in, out, err});
  return {code, out.str(), err.str()};
}

TEST(PackCommands, R1_a_good_pack_is_summed_up) {
  const Outcome outcome = check(std::string(ALFRED_SOURCE_DIR) + "/packs/bookshelf");
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("bookshelf: ")) << outcome.out;
  EXPECT_NE(outcome.out.find("4 entity types"), std::string::npos) << outcome.out;
}

TEST(PackCommands, R1_a_bad_one_is_shown_where_it_is_bad) {
  const FolderForTests folder({{"pack.toml", "name = \"x\"\ncolour = 1\n"}});
  const Outcome outcome = check(folder.path());
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_TRUE(outcome.out.empty());
  EXPECT_NE(outcome.err.find("pack.toml:2:1"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("allowed:"), std::string::npos) << outcome.err;
}

TEST(PackCommands, R1_a_scenario_that_cannot_be_read_is_shown_at_its_line) {
  const FolderForTests folder({{"pack.toml", "name = \"x\"\nscenarios = [\"scenarios/a.md\"]\n"},
                               {"scenarios/a.md", "# A\n\n```call db_read\n{\"table\": }\n```\n"}});
  const Outcome outcome = check(folder.path());
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_NE(outcome.err.find("scenarios/a.md:4"), std::string::npos) << outcome.err;
}

TEST(PackCommands, R1_a_phrase_that_is_none_is_shown_where_it_is) {
  const FolderForTests folder(
      {{"pack.toml",
        "name = \"x\"\nschema = \"schema.sql\"\n[[entity]]\ntable = \"books\"\nref = \"book\"\n"
        "[[intent]]\nphrases = [\"lend {what:thing\"]\ndoes = \"set\"\n"},
       {"schema.sql", "CREATE TABLE books (id uuid PRIMARY KEY, title text NOT NULL);"}});
  const Outcome outcome = check(folder.path());
  EXPECT_EQ(outcome.code, kBadInput) << outcome.out;
  EXPECT_NE(outcome.err.find("pack.toml:6"), std::string::npos) << outcome.err;
}

TEST(PackCommands, R1_an_intent_takes_only_what_there_is_to_take) {
  const FolderForTests folder(
      {{"pack.toml",
        "name = \"x\"\n[[intent]]\nphrases = [\"lend {what:thing}\"]\ndoes = \"set\"\n"
        "with = { takes = [\"day\"], colour = 1 }\n"}});
  const Outcome outcome = check(folder.path());
  EXPECT_EQ(outcome.code, kBadInput) << outcome.out;
  EXPECT_NE(outcome.err.find("pack.toml:5:"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("allowed:"), std::string::npos) << outcome.err;
}

TEST(PackCommands, R1_a_folder_that_is_not_there_is_unavailable) {
  EXPECT_EQ(check("/nowhere/at/all").code, kUnavailable);
}

TEST(PackCommands, R3_the_packs_of_the_program_are_listed) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run_pack_list({}, {in, out, err}), kDone) << err.str();
  EXPECT_NE(out.str().find("bookshelf\t"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace alfred::cli
