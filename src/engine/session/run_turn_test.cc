#include "engine/session/run_turn.h"

#include <gtest/gtest.h>

#include <barrier>
#include <vector>

#include "engine/session/session_for_tests.h"
#include "interpreter/caller/caller_interpreter.h"

namespace alfred {
namespace {

class RunTurn : public testing::Test {
 protected:
  TurnProgress start(std::string_view message = "add Ann") {
    Result<TurnProgress> started = session->start(std::string(message));
    EXPECT_TRUE(started) << started.error().message;
    return *std::move(started);
  }

  BookshelfForTests shelf{false};
  std::unique_ptr<Session> session = shelf.open();
};

TEST_F(RunTurn, an_interpreter_brings_a_turn_to_its_end) {
  AddingAnn model;
  std::size_t moves = 0;
  RunTurnOptions options;
  options.on_move = [&](const TurnProgress&) { ++moves; };
  const Result<TurnProgress> done = run_turn(*session, model, start(), options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->is_finished);
  EXPECT_NE(done->reply.find("Saved (1): Ann"), std::string::npos) << done->reply;
  EXPECT_EQ(moves, 7U);
  EXPECT_EQ(shelf.authors().size(), 1U);
}

// Rows are kept from turn to turn (storage/sqlite/kept_rows.h); what the search finds is never
// older than the turn.
TEST_F(RunTurn, the_very_next_turn_finds_what_another_process_changed) {
  const auto shown = [&] {
    const TurnProgress begun = start("anything by Emile Zola?");
    EXPECT_TRUE(session->cancel());
    return begun.asks.at(0).user;
  };
  const auto is_shown = [&] { return shown().find("Germinal") != std::string::npos; };
  const std::unique_ptr<RecordService> other =
      RecordService::open(shelf.place(), shelf.clock(), shelf.random()).value();
  const auto change = [&](std::string_view tool, const JsonObject& params) {
    const Result<std::string> done = other->call(tool, params, OpId::random());
    ASSERT_TRUE(done) << done.error().message;
  };
  change("db_create", {{"table", "authors"}, {"data", JsonObject{{"name", "Hugo"}}}});
  change("db_create", {{"table", "books"},
                       {"data", JsonObject{{"title", "Germinal"}, {"author_id", "author_1"}}}});
  for (int turn = 0; turn < 3; ++turn) EXPECT_FALSE(is_shown());
  change("db_update",
         {{"table", "authors"},
          {"filters", JsonArray{JsonObject{{"field", "id"}, {"op", "="}, {"value", "author_1"}}}},
          {"data", JsonObject{{"name", "Zola"}}}});
  EXPECT_TRUE(is_shown());
}

TEST_F(RunTurn, R1_the_caller_gets_the_asks_and_comes_back_with_answers) {
  CallerInterpreter caller;
  AddingAnn model;
  EXPECT_EQ(caller.name(), "caller");
  EXPECT_EQ(caller.answer({}).error().code, ErrorCode::model);
  Result<TurnProgress> progress = run_turn(*session, caller, start());
  int rounds = 0;
  while (progress && !progress->is_finished && ++rounds < 20) {
    ASSERT_EQ(progress->asks.size(), 1U);
    progress = session->answer(model.answer(progress->asks.front()).value());
    ASSERT_TRUE(progress) << progress.error().message;
    progress = run_turn(*session, caller, std::move(*progress));
  }
  ASSERT_TRUE(progress);
  EXPECT_EQ(rounds, 6);
  EXPECT_NE(progress->reply.find("Saved (1): Ann"), std::string::npos);
}

TEST_F(RunTurn, R3_what_nobody_answers_leaves_the_turn_open_and_it_goes_on_later) {
  AddingAnn model;
  model.missing_ = {3};
  const Result<TurnProgress> stuck = run_turn(*session, model, start());
  ASSERT_FALSE(stuck);
  EXPECT_EQ(stuck.error().code, ErrorCode::model);
  model.missing_ = {};
  model.asked_.clear();
  const Result<TurnProgress> done = run_turn(*session, model, session->resume().value());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->is_finished);
  EXPECT_EQ(model.asked_, (std::set<std::uint32_t>{3, 4, 5, 6}));
}

// Rules answer from rows that a turn for a model does not keep: what they said would be false.
TEST_F(RunTurn, R3_who_answers_from_facts_does_not_go_on_with_a_turn_that_has_none) {
  const std::string turn = start().turn;
  SessionOptions options;
  options.id = session->id();
  options.whole_facts = true;
  const auto other =
      Session::open(shelf.place(), std::move(options), shelf.clock(), shelf.random());
  ASSERT_TRUE(other) << other.error().message;
  const Result<TurnProgress> refused = (*other)->resume();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::turn_moved);
  AddingAnn model;
  const Result<TurnProgress> done = run_turn(*session, model, session->resume().value());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->turn, turn);
}

TEST_F(RunTurn, R4_a_cancelled_turn_ends_and_what_it_did_stays) {
  AddingAnn model;
  RunTurnOptions options;
  options.is_cancelled = [&] { return model.asked_.contains(4); };
  const Result<TurnProgress> done = run_turn(*session, model, start(), options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->is_finished);
  EXPECT_FALSE(session->state().facts.running);
  EXPECT_EQ(shelf.authors().size(), 1U);
  EXPECT_FALSE(model.asked_.contains(5));
  EXPECT_TRUE(session->start("and now?"));
}

TEST_F(RunTurn, R5_a_turn_that_is_stopped_is_gone_on_with_later) {
  AddingAnn model;
  RunTurnOptions options;
  options.is_stopping = [&] { return model.asked_.contains(3); };
  const Result<TurnProgress> stopped = run_turn(*session, model, start(), options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::busy);
  EXPECT_TRUE(session->state().facts.running);
  EXPECT_FALSE(model.asked_.contains(4));
  AddingAnn later;
  const Result<TurnProgress> done = run_turn(*session, later, session->resume().value());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->is_finished);
  EXPECT_TRUE(later.asked_.contains(3));
  EXPECT_FALSE(later.asked_.contains(2));
  EXPECT_EQ(shelf.authors().size(), 1U);
}

// Reads two tables in one group; both asks have to be there before either is answered.
class SideBySide final : public AddingAnn {
 public:
  explicit SideBySide(std::size_t most) : most_(most) {}
  std::size_t most_at_once() const override { return most_; }
  Result<Answer> answer(const Ask& ask) override {
    if (most_ > 1 && ask.node == Node::act && ask.id <= 4) both_.arrive_and_wait();
    return AddingAnn::answer(ask);
  }

 protected:
  std::string text_for(const Ask& ask) override {
    if (ask.node == Node::understand)
      return with_rest(R"({"processed_message":"compare","entity_mentions":[]})");
    if (ask.node == Node::think)
      return R"({"goal":"Compare","decision":"plan_direct","steps":[)"
             R"({"step_type":"read","subdomain":"books","group":1,"description":"Read authors"},)"
             R"({"step_type":"read","subdomain":"books","group":1,"description":"Read books"}]})";
    if (ask.node == Node::reply) return "";
    if (ask.node == Node::summarize) return AddingAnn::text_for(ask);
    if (ask.id > 4) return R"({"action":"step_complete","result_summary":"read"})";
    const std::string table = ask.step == 0 ? "authors" : "books";
    return R"({"action":"tool_call","tool":"db_read","params":{"table":")" + table + R"("}})";
  }

 private:
  std::size_t most_;
  std::barrier<> both_{2};
};

class RunTurnThreads : public RunTurn {};

TEST_F(RunTurnThreads, R2_asks_of_a_round_go_out_side_by_side_to_the_same_end) {
  std::vector<std::string> calls;
  for (const std::size_t most : {1U, 2U, 9U}) {
    session = shelf.open();
    SideBySide model(most);
    const Result<TurnProgress> done = run_turn(*session, model, start("compare them"));
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->is_finished);
    std::string tables;
    for (const Step& step : session->state().facts.earlier_steps.back().steps)
      for (const ToolResult& call : step.calls) tables += write_json(call.params);
    calls.push_back(tables);
  }
  EXPECT_NE(calls[0].find("authors"), std::string::npos) << calls[0];
  EXPECT_EQ(calls[0], calls[1]);
  EXPECT_EQ(calls[0], calls[2]);
}

TEST_F(RunTurnThreads, R3_answers_that_came_with_a_missing_one_are_kept) {
  SideBySide model(2);
  model.missing_ = {3};
  ASSERT_FALSE(run_turn(*session, model, start("compare them")));
  const TurnProgress left = session->resume().value();
  ASSERT_EQ(left.asks.size(), 1U);
  EXPECT_EQ(left.asks.front().id, 3U);
}

}  // namespace
}  // namespace alfred
