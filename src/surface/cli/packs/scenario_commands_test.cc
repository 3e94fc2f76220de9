#include "surface/cli/packs/scenario_commands.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <sstream>

#include "base/files/file.h"
#include "pack/load/folder_for_tests.h"

namespace alfred::cli {
namespace {

const std::string kPacks = std::string(ALFRED_SOURCE_DIR) + "/packs/";

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run_pages(std::vector<std::string> files, bool is_update = false) {
  Arguments arguments;
  arguments.add("file", std::move(files));
  arguments.add("--pack", {kPacks + "bookshelf"});
  if (is_update) arguments.add("--update", {""});
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_scenario(arguments, {in, out, err});
  return {code, out.str(), err.str()};
}

constexpr const char* kAdd =
    "# Adding\n\nTwo authors.\n\n```call db_create\n"
    "{\"table\": \"authors\", \"data\": [{\"name\": \"Ann\"}, {\"name\": \"Bob\"}]}\n```\n";

// A conversation whose expectations are wrong, or not there yet.
constexpr const char* kTalk = R"(# Talking

```user
add Ann
```
```model understand
{"processed_message": "add Ann", "entity_mentions": []}
```
```model think
{"goal": "Add", "decision": "plan_direct",
 "steps": [{"step_type": "write", "subdomain": "books", "group": 1, "description": "Add Ann"}]}
```
```model act
{"action": "tool_call", "tool": "db_create",
 "params": {"table": "authors", "data": {"name": "Ann"}}}
```
```model act
{"action": "step_complete", "result_summary": "added"}
```
```reply
{"$says": ["Saved (2): Ann"], "$lacks": ["author_1", "Ann"]}
```
```calls
null
```
```turn
{"nodes": ["understand"], "turn": 1, "ledger": null}
```
```prompt think
{"$says": ["add Ann"]}
```
```rows authors
[{"name": "Bob"}, {"name": "Carl"}]
```
)";

TEST(ScenarioCommands, R1_a_page_that_comes_out_right_passes) {
  const FolderForTests folder(
      {{"good.md", std::string(kAdd) + "```expect\n{\"count\": 2}\n```\n"}});
  const Outcome outcome = run_pages({folder.path() + "/good.md"});
  EXPECT_EQ(outcome.code, kDone) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out, "pass " + folder.path() + "/good.md: Adding\n");
}

TEST(ScenarioCommands, R1_a_page_that_does_not_is_shown_where_what_was_expected_and_what_came) {
  const FolderForTests folder(
      {{"bad.md", std::string(kAdd) + "```expect\n{\"count\": 3}\n```\n"},
       {"good.md", std::string(kAdd) + "```expect\n{\"count\": 2}\n```\n"}});
  const std::string bad = folder.path() + "/bad.md";
  const Outcome outcome = run_pages({bad, folder.path() + "/good.md"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_TRUE(outcome.out.starts_with("FAIL " + bad + ":8: .count: expected 3, got 2\n"))
      << outcome.out;
  EXPECT_NE(outcome.out.find("pass "), std::string::npos) << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with("1 of 2 pages pass.\n")) << outcome.out;
}

TEST(ScenarioCommands, R2_R3_update_writes_what_happens_into_what_is_expected_and_nothing_else) {
  const FolderForTests folder({{"talk.md", kTalk}});
  const std::string path = folder.path() + "/talk.md";
  EXPECT_EQ(run_pages({path}).code, kBadInput);
  const Outcome updated = run_pages({path}, true);
  EXPECT_EQ(updated.out, "updated " + path + ": 4 blocks\n") << updated.err;
  const Outcome again = run_pages({path});
  EXPECT_EQ(again.code, kDone) << again.out;

  const std::string text = read_file(path).value();
  const std::string before = kTalk;
  const std::size_t end = before.find("```reply");
  EXPECT_EQ(text.substr(0, end), before.substr(0, end));
  EXPECT_NE(text.find("```prompt think\n{\"$says\": [\"add Ann\"]}\n```\n"), std::string::npos);
  EXPECT_NE(text.find("Saved (1): Ann"), std::string::npos) << text;
  EXPECT_NE(text.find("\"$lacks\": [\"author_1\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("```rows authors\n[{\"name\": \"Ann\"}]\n```\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("null, \"turn\""), std::string::npos) << text;
  EXPECT_EQ(run_pages({path}, true).out, "pass " + path + ": Talking\n");
  EXPECT_EQ(read_file(path).value(), text);
}

TEST(ScenarioCommands, R2_an_answer_becomes_a_refusal_and_the_other_way_round) {
  const std::string refused =
      "```call db_read\n{\"table\": \"nowhere\"}\n```\n```expect\n{\"rows\": []}\n```\n";
  const FolderForTests folder(
      {{"page.md", std::string(kAdd) + "```refused value\n{\"path\": \"x\"}\n```\n" + refused}});
  const std::string path = folder.path() + "/page.md";
  const Outcome updated = run_pages({path}, true);
  EXPECT_EQ(updated.code, kDone) << updated.out << updated.err;
  EXPECT_EQ(run_pages({path}).code, kDone);
  const std::string text = read_file(path).value();
  EXPECT_NE(text.find("```refused table\n```\n"), std::string::npos) << text;
  EXPECT_NE(text.find("```expect\n{"), std::string::npos) << text;
}

TEST(ScenarioCommands, R3_a_page_that_fails_otherwise_is_left_as_it_is) {
  const std::string page =
      "# Talking\n\n```user\nhello\n```\n```reply\n{\"$says\": [\"Hello\"]}\n```\n";
  const FolderForTests folder({{"talk.md", page}});
  const Outcome outcome = run_pages({folder.path() + "/talk.md"}, true);
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_NE(outcome.out.find("talk.md:3: The recording has no answer left for understand"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(read_file(folder.path() + "/talk.md").value(), page);
}

TEST(ScenarioCommands, R1_what_is_no_scenario_or_no_file_is_said) {
  const FolderForTests folder({{"prose.md", "# Prose\n\nNothing to do.\n"}});
  const Outcome prose = run_pages({folder.path() + "/prose.md"});
  EXPECT_EQ(prose.code, kBadInput);
  EXPECT_NE(prose.err.find("This scenario has no steps. (at " + folder.path() + "/prose.md:1)"),
            std::string::npos)
      << prose.err;
  const Outcome missing = run_pages({folder.path() + "/missing.md"});
  EXPECT_EQ(missing.code, kUnavailable);
  EXPECT_NE(missing.err.find("missing.md"), std::string::npos) << missing.err;
}

TEST(ScenarioCommands, with_a_model_that_nobody_named_it_says_what_to_set) {
  const FolderForTests folder({{"add.md", kAdd}});
  for (const char* name : {"ALFRED_MODEL_URL", "ALFRED_MODEL", "OPENAI_MODEL", "ANTHROPIC_MODEL"})
    ::unsetenv(name);
  Arguments arguments;
  arguments.add("file", {folder.path() + "/add.md"});
  arguments.add("--model", {""});
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run_scenario(arguments, {in, out, err}), kUnavailable);
  EXPECT_NE(err.str().find("Set ALFRED_MODEL_URL and ALFRED_MODEL"), std::string::npos)
      << err.str();
  arguments.add("--update", {""});
  EXPECT_EQ(run_scenario(arguments, {in, out, err}), kBadUsage);
}

}  // namespace
}  // namespace alfred::cli
