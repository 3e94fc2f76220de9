#include "surface/cli/session_commands.h"

#include <gtest/gtest.h>
#include <stdlib.h>

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
    if (command.group == "session" && command.name == name) {
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

}  // namespace
}  // namespace alfred::cli
