#include "surface/cli/sessions/session_commands.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <sstream>

#include "engine/open_place.h"
#include "engine/session/session.h"
#include "pack/load/folder_for_tests.h"

namespace alfred::cli {
namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run(std::string_view name, const Arguments& arguments = {}) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  for (const Command& command : session_commands())
    if (command.name == name) {
      const int code = command.run(arguments, {in, out, err});
      return {code, out.str(), err.str()};
    }
  return {-1, "", "no such command"};
}

Arguments waits(const std::string& minutes) {
  Arguments arguments;
  arguments.add("--waits", {minutes});
  return arguments;
}

// A process that ended while a model was asked.
std::string leave_a_turn() {
  const SystemClock clock;
  OsRandom random;
  Result<RecordPlace> place = open_place({}, clock, random);
  EXPECT_TRUE(place) << place.error().message;
  const auto session = Session::open(std::move(*place), {}, clock, random);
  EXPECT_TRUE(session) << session.error().message;
  EXPECT_TRUE((*session)->start("what is there?"));
  return (*session)->id();
}

TEST(SessionCommands, I19_a_turn_that_was_left_is_shown_and_recovered) {
  const FolderForTests folder({});
  ASSERT_EQ(::setenv("ALFRED_HOME", folder.path().c_str(), 1), 0);
  EXPECT_EQ(run("recover").out, "No turn was left running.\n");
  const std::string id = leave_a_turn();
  const std::string running = run("list").out;
  EXPECT_TRUE(running.ends_with("  what is there?  [last turn: running]\n")) << running;

  EXPECT_EQ(run("recover").out, id + " turn 1: waiting\n");
  EXPECT_EQ(run("recover", waits("soon")).code, kBadUsage);
  EXPECT_EQ(run("recover", waits("-1")).code, kBadUsage);
  const Outcome recovered = run("recover", waits("0"));
  EXPECT_EQ(recovered.code, kDone) << recovered.err;
  EXPECT_EQ(recovered.out, id + " turn 1: interrupted\n");
  const std::string marked = run("list").out;
  EXPECT_TRUE(marked.ends_with("  what is there?  [last turn: interrupted]\n")) << marked;
  EXPECT_EQ(run("recover", waits("0")).out, "No turn was left running.\n");
  ::unsetenv("ALFRED_HOME");
}

// Somebody writes a key into a prompt that was recorded.
void put_into_prompts(const std::string& more) {
  const SystemClock clock;
  OsRandom random;
  Result<RecordPlace> place = open_place({}, clock, random);
  ASSERT_TRUE(place) << place.error().message;
  const std::array<Param, 1> params{Param{"more", Value(more)}};
  const Result<std::string> written =
      place->state().write({std::nullopt, "", place->caller}, [&](Tx& tx) -> Result<std::string> {
        const auto done =
            tx.run(Statement("UPDATE alfred_prompts SET user_text = user_text || :more"), params);
        if (!done) return Unexpected(done.error());
        return std::string();
      });
  ASSERT_TRUE(written) << written.error().message;
}

TEST(SessionCommands, an_audit_finds_a_key_in_a_recorded_prompt) {
  const FolderForTests folder({});
  ASSERT_EQ(::setenv("ALFRED_HOME", folder.path().c_str(), 1), 0);
  leave_a_turn();
  const Outcome clean = run("audit");
  EXPECT_EQ(clean.code, kDone) << clean.out << clean.err;
  put_into_prompts(" 0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f");
  const Outcome found = run("audit");
  EXPECT_NE(found.code, kDone) << found.out;
  EXPECT_NE((found.out + found.err).find("database key"), std::string::npos)
      << found.out << found.err;
  ::unsetenv("ALFRED_HOME");
}

}  // namespace
}  // namespace alfred::cli
