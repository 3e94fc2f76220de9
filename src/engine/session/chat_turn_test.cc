// Rows D of bad providers that are about a turn: what becomes of it when its model is not there,
// answers twice, or will not answer.
#include <gtest/gtest.h>

#include "engine/session/run_turn.h"
#include "engine/session/session_for_tests.h"
#include "interpreter/chat_http/chat_for_tests.h"

namespace alfred {
namespace {

// "Add Ann" over HTTP: the asks' texts by the order they come in.
class ChatTurn : public ChatForTests {
 protected:
  class Script final : public AddingAnn {
   public:
    std::string text_of(std::uint32_t id) { return text_for({.id = id}); }
  };

  ResponseForTests respond(const RequestForTests&) {
    if (asked + 1 == unreachable) return {};
    const std::uint32_t id = ++asked;
    if (id == refusing) {
      --asked;
      refusing = 0;
      return response_for_tests(200, "application/json",
                                whole_for_tests(wire, {"Non, merci.", FinishReason::refusal}));
    }
    return chunks_for_tests({events_for_tests(wire, {script.text_of(id)})});
  }
  TurnProgress start() {
    Result<TurnProgress> started = session->start("add Ann");
    EXPECT_TRUE(started) << started.error().message;
    return *std::move(started);
  }

  Script script;
  std::uint32_t asked = 0;
  std::uint32_t unreachable = 0;
  std::uint32_t refusing = 0;
  HttpServerForTests server{[this](const RequestForTests& request) { return respond(request); }};
  BookshelfForTests shelf{false};
  std::unique_ptr<Session> session = shelf.open();
};

TEST_F(ChatTurn, D1_a_turn_whose_model_is_gone_stays_open_and_goes_on_when_it_is_back) {
  ChatSettings settings = settings_at(server.url());
  settings.retries = 0;
  ChatHttp model(settings, ports());
  unreachable = 3;
  const Result<TurnProgress> stuck = run_turn(*session, model, start());
  ASSERT_FALSE(stuck);
  EXPECT_EQ(stuck.error().code, ErrorCode::model);
  EXPECT_TRUE(session->state().facts.running);
  EXPECT_EQ(shelf.authors().size(), 0U);
  const std::string id = session->id();
  session.reset();
  session = shelf.open(id);  // another process
  unreachable = 0;
  const Result<TurnProgress> done = run_turn(*session, model, session->resume().value());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->is_finished);
  EXPECT_EQ(shelf.authors().size(), 1U);
}

TEST_F(ChatTurn, D12_an_answer_that_comes_twice_counts_once) {
  ChatHttp model(settings_at(server.url()), ports());
  TurnProgress progress = start();
  for (int rounds = 0; !progress.is_finished && rounds < 20; ++rounds) {
    ASSERT_EQ(progress.asks.size(), 1U);
    const Result<Answer> answer = model.answer(progress.asks[0]);
    ASSERT_TRUE(answer) << answer.error().message;
    Result<TurnProgress> next = session->answer(*answer);
    ASSERT_TRUE(next) << next.error().message;
    const std::string before = write_session(session->state());
    const Result<TurnProgress> again = session->answer(*answer);
    EXPECT_FALSE(again) << "the turn is past this ask";
    EXPECT_EQ(write_session(session->state()), before);
    progress = std::move(*next);
  }
  EXPECT_TRUE(progress.is_finished);
  EXPECT_EQ(shelf.authors().size(), 1U);
}

TEST_F(ChatTurn, D13_a_model_that_refuses_is_asked_again_with_the_contract) {
  ChatHttp model(settings_at(server.url()), ports());
  refusing = 2;
  std::vector<Ask> asks;
  RunTurnOptions options;
  options.on_move = [&](const TurnProgress& progress) {
    asks.insert(asks.end(), progress.asks.begin(), progress.asks.end());
  };
  const Result<TurnProgress> done = run_turn(*session, model, start(), options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->is_finished);
  ASSERT_GE(asks.size(), 3U);
  EXPECT_EQ(asks[1].node, Node::think);
  EXPECT_EQ(asks[2].node, Node::think);
  EXPECT_EQ(asks[2].attempt, 2U);
  EXPECT_EQ(asks[2].user.find("Non, merci"), std::string::npos) << "the prose is not quoted";
  EXPECT_EQ(shelf.authors().size(), 1U);
}

}  // namespace
}  // namespace alfred
