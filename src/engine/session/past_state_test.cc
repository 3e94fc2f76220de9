#include "engine/session/past_state.h"

#include <gtest/gtest.h>

#include "engine/session/run_turn.h"
#include "engine/session/session_for_tests.h"

namespace alfred {
namespace {

class PastState : public testing::Test {
 protected:
  // A session with one whole turn that adds a row, and that turn.
  void SetUp() override {
    session_ = shelf_.open();
    AddingAnn model;
    Result<TurnProgress> begun = session_->start("add Ann");
    ASSERT_TRUE(begun) << begun.error().message;
    turn_ = begun->turn;
    const auto done = run_turn(*session_, model, std::move(*begun));
    ASSERT_TRUE(done && done->is_finished);
  }
  // The ref of the row that the turn added.
  std::string added() const {
    const EntityNo entity = session_->state().registry.find("author_1");
    return entity == kNoEntity ? "" : "author_1";
  }
  BookshelfForTests shelf_{false};
  std::unique_ptr<Session> session_;
  std::string turn_;
};

TEST_F(PastState, R1_after_the_last_turn_it_is_what_the_session_knows) {
  const Result<SessionState> state = state_after(*session_, turn_);
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(write_session(*state), write_session(session_->state()));
}

TEST_F(PastState, R1_what_was_changed_by_hand_since_is_not_in_it) {
  ASSERT_EQ(added(), "author_1");
  const Json call =
      parse_json(R"({"table":"authors","filters":[{"field":"id","op":"=","value":"author_1"}]})",
                 JsonLimits::none())
          .value();
  const OpId op = OpId::random(shelf_.random());
  const auto deleted = session_->records().user_call("db_delete", call, op);
  ASSERT_TRUE(deleted) << deleted.error().message;
  const Result<SessionState> state = state_after(*session_, turn_);
  ASSERT_TRUE(state) << state.error().message;
  const RefRegistry& now = session_->state().registry;
  EXPECT_EQ(now.status(now.find("author_1")), RefStatus::deleted);
  EXPECT_EQ(now.origin(now.find("author_1")), RefOrigin::user);
  EXPECT_EQ(state->registry.status(state->registry.find("author_1")), RefStatus::created);
}

TEST_F(PastState, R2_a_turn_that_is_not_over_gives_what_is_known_by_now) {
  const Result<TurnProgress> begun = session_->start("add Bob");
  ASSERT_TRUE(begun) << begun.error().message;
  const Result<SessionState> state = state_after(*session_, begun->turn);
  ASSERT_TRUE(state) << state.error().message;
  ASSERT_TRUE(state->facts.running);
  EXPECT_EQ(write_session(*state), write_session(session_->state()));
}

TEST_F(PastState, a_turn_of_another_session_is_none) {
  for (const char* id : {"trn_000000000000", "", "x"}) {
    const Result<SessionState> state = state_after(*session_, id);
    ASSERT_FALSE(state) << id;
    EXPECT_EQ(state.error().code, ErrorCode::session);
  }
}

}  // namespace
}  // namespace alfred
