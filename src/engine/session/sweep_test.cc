#include "engine/session/sweep.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "engine/place_for_tests.h"
#include "engine/session/audit.h"
#include "engine/session/run_turn.h"
#include "engine/session/session_for_tests.h"

namespace alfred {
namespace {

class Sweep : public testing::TestWithParam<bool> {
 protected:
  // A process that is killed after so many moves of a turn, or (on a user's own database) before
  // the write of a number to our own file. Whether it was killed.
  bool killed(std::size_t moves, int write, const std::string& author = "Ann") {
    const pid_t child = ::fork();
    if (child == 0) {
      RecordPlace place = shelf.place();
      if (place.own_state && write > 0)
        place.own_state = std::make_unique<HookedState>(std::move(place.own_state), [=](int now) {
          if (now == write) std::raise(SIGKILL);
        });
      const auto session = shelf.open_on(std::move(place));
      AddingAnn model(author);
      RunTurnOptions options;
      std::size_t moved = 0;
      options.on_move = [&](const TurnProgress&) {
        if (++moved == moves) std::raise(SIGKILL);
      };
      Result<TurnProgress> started = session->start("add Ann");
      const bool is_done = started && run_turn(*session, model, std::move(*started), options);
      ::_exit(is_done ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << status;
    return WIFSIGNALED(status);
  }

  std::vector<SweptTurn> sweep(const SweepOptions& options) {
    RecordPlace place = shelf.place();
    const auto open = [&](const std::string&) -> Result<RecordPlace> { return shelf.place(); };
    const auto swept = sweep_turns(place, {open, shelf.clock(), shelf.random()}, options);
    EXPECT_TRUE(swept) << swept.error().message;
    return *swept;
  }
  std::string last_status() {
    RecordPlace place = shelf.place();
    return sessions_of(place, 1, "").value().sessions.at(0).last_status;
  }

  BookshelfForTests shelf{GetParam()};
};

TEST_P(Sweep,
       R2_R3_I40_killed_between_any_two_moves_a_turn_is_finished_and_nothing_is_there_twice) {
  std::size_t turns = 0;
  for (std::size_t moves = 1; moves <= 6; ++moves) {
    const std::string author = "Ann " + std::to_string(moves);
    ASSERT_TRUE(killed(moves, 0, author)) << moves;
    AddingAnn model(author);
    SweepOptions options;
    options.interpreter = &model;
    EXPECT_EQ(last_status(), "running");
    const std::vector<SweptTurn> swept = sweep(options);
    ASSERT_EQ(swept.size(), 1U) << moves;
    EXPECT_EQ(swept[0].end, SweptTo::finished) << swept[0].error;
    EXPECT_EQ(last_status(), "finished");
    EXPECT_TRUE(sweep(options).empty());
    EXPECT_EQ(shelf.authors().size(), ++turns) << moves;
  }
}

TEST_P(Sweep, R2_I40_killed_between_any_two_commits_on_a_user_s_own_database) {
  if (!GetParam()) return;  // there a move is one commit
  int write = 1;
  const auto author = [&] { return "Ann " + std::to_string(write); };
  for (std::size_t rows = 0; killed(0, write, author()); ++write) {
    AddingAnn model(author());
    SweepOptions options;
    options.interpreter = &model;
    const std::vector<SweptTurn> swept = sweep(options);
    for (const SweptTurn& one : swept) EXPECT_EQ(one.end, SweptTo::finished) << one.error;
    rows += swept.size();  // before the first commit of the turn there is none
    EXPECT_EQ(shelf.authors().size(), rows) << write;
  }
  EXPECT_GT(write, 6);
}

TEST_P(Sweep, R3_a_turn_that_was_begun_for_its_caller_is_shown_to_no_other_model) {
  SessionOptions opening;
  opening.caller_answers = true;
  const auto session =
      Session::open(shelf.place(), std::move(opening), shelf.clock(), shelf.random());
  ASSERT_TRUE(session) << session.error().message;
  ASSERT_TRUE((*session)->start("add Ann"));
  AddingAnn model;
  SweepOptions options;
  options.interpreter = &model;
  options.waits_ms = 3'600'000;
  const std::vector<SweptTurn> swept = sweep(options);
  ASSERT_EQ(swept.size(), 1U);
  EXPECT_EQ(swept[0].end, SweptTo::waiting) << swept[0].error;
  EXPECT_TRUE(model.asked_.empty());
  EXPECT_TRUE(shelf.authors().empty());
}

TEST_P(Sweep, R3_I19_what_nobody_answers_waits_for_a_while_and_is_marked_then) {
  ASSERT_TRUE(killed(4, 0));
  SweepOptions patient;
  patient.waits_ms = 3'600'000;
  ASSERT_EQ(sweep(patient).size(), 1U);
  EXPECT_EQ(sweep(patient)[0].end, SweptTo::waiting);
  EXPECT_EQ(last_status(), "running");
  const std::vector<SweptTurn> swept = sweep({});
  ASSERT_EQ(swept.size(), 1U);
  EXPECT_EQ(swept[0].end, SweptTo::interrupted) << swept[0].error;
  EXPECT_EQ(last_status(), "interrupted");
  EXPECT_TRUE(sweep({}).empty());
  EXPECT_EQ(shelf.authors().size(), 1U);
  EXPECT_TRUE(shelf.open(swept[0].session)->start("what happened?"));
}

TEST_P(Sweep, R1_R4_a_bounded_number_and_one_that_fails_stops_no_other) {
  for (int times = 0; times < 3; ++times) ASSERT_TRUE(killed(2, 0));
  SweepOptions two;
  two.most = 2;
  EXPECT_EQ(sweep(two).size(), 2U);
  AddingAnn dead;
  dead.missing_ = {2};
  ASSERT_TRUE(killed(2, 0));
  SweepOptions failing;
  failing.interpreter = &dead;
  const std::vector<SweptTurn> swept = sweep(failing);
  ASSERT_EQ(swept.size(), 2U);
  for (const SweptTurn& one : swept) {
    EXPECT_EQ(one.end, SweptTo::failed);
    EXPECT_EQ(one.error, "The line is dead.");
  }
  EXPECT_EQ(sweep({}).size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Places, Sweep, testing::Bool(),
                         [](const auto& info) { return info.param ? "own" : "shared"; });

}  // namespace
}  // namespace alfred
