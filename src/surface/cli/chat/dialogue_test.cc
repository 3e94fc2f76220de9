#include "surface/cli/chat/dialogue.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "surface/cli/chat/dialogue_for_tests.h"

namespace alfred::cli {
namespace {

// Ctrl-C while the n-th ask is being answered.
class InterruptedAnn final : public AddingAnn {
 public:
  explicit InterruptedAnn(std::uint32_t at) : at_(at) {}

 private:
  std::string text_for(const Ask& ask) override {
    if (ask.id == at_) ::raise(SIGINT);
    return AddingAnn::text_for(ask);
  }
  std::uint32_t at_;
};

TEST(Dialogue, R1_a_turn_that_was_cut_off_is_finished_first) {
  DialogueForTests test;
  test.ann().missing_ = {4};
  EXPECT_EQ(test.dialogue().say("add Ann"), TurnEnd::failed);
  EXPECT_TRUE(test.dialogue().has_open_turn());
  const std::string session = test.dialogue().session().id();
  test.noted();
  test.restart();
  EXPECT_EQ(test.dialogue().session().id(), session);
  EXPECT_EQ(test.dialogue().finish_open_turn(), TurnEnd::finished);
  EXPECT_EQ(test.noted(), "Turn 1 was cut off; going on with it: add Ann\n");
  EXPECT_FALSE(test.dialogue().has_open_turn());
  EXPECT_EQ(test.authors().size(), 1U);
  EXPECT_EQ(test.dialogue().finish_open_turn(), TurnEnd::finished);
  EXPECT_EQ(test.noted(), "");
}

TEST(Dialogue, R2_ctrl_c_ends_the_turn_and_the_session_goes_on) {
  DialogueForTests test;
  test.open(std::make_unique<InterruptedAnn>(4));
  EXPECT_EQ(test.dialogue().say("add Ann"), TurnEnd::interrupted);
  EXPECT_FALSE(test.dialogue().has_open_turn());
  EXPECT_EQ(test.authors().size(), 1U);  // what was done stays done
  EXPECT_NE(test.noted().find("Saved (1): Ann"), std::string::npos);
  clear_interrupt();
  const std::string session = test.dialogue().session().id();
  test.restart();
  EXPECT_EQ(test.dialogue().session().id(), session);
  EXPECT_EQ(test.dialogue().say("add Ann"), TurnEnd::finished);
}

TEST(Dialogue, R3_an_open_turn_is_given_up_by_another_message) {
  DialogueForTests test;
  test.ann().missing_ = {2};
  EXPECT_EQ(test.dialogue().say("add Bob"), TurnEnd::failed);
  const std::string noted = test.noted();
  EXPECT_NE(noted.find("Enter tries again"), std::string::npos);
  EXPECT_NE(noted.find("--interpreter rules"), std::string::npos);  // and what needs no model
  test.ann().missing_ = {};
  EXPECT_EQ(test.dialogue().say("add Ann"), TurnEnd::finished);
  EXPECT_EQ(test.dialogue().session().state().facts.turn, 2U);
}

TEST(Dialogue, R3_where_nobody_can_try_again_it_is_given_up_at_once) {
  DialogueForTests test;
  test.restart(false);
  test.ann().missing_ = {2};
  EXPECT_EQ(test.dialogue().say("add Ann"), TurnEnd::failed);
  EXPECT_FALSE(test.dialogue().has_open_turn());
}

TEST(Dialogue, R4_what_is_recorded_plays_again) {
  const FolderForTests folder({});
  const std::string path = folder.path() + "/answers.jsonl";
  DialogueForTests test;
  test.record_to(path);
  test.restart();
  EXPECT_EQ(test.dialogue().say("add Ann"), TurnEnd::finished);
  const std::string said = test.said();
  DialogueForTests other;
  other.open(std::make_unique<RecordedAnswers>(read_recording(read_file(path).value()).value()));
  EXPECT_EQ(other.dialogue().say("add Ann"), TurnEnd::finished);
  EXPECT_EQ(other.said(), said);
}

TEST(Dialogue, the_last_session_goes_on_unless_a_new_one_is_wanted) {
  DialogueForTests test;
  EXPECT_TRUE(test.dialogue().is_first());
  const std::string first = test.dialogue().session().id();
  test.restart();
  EXPECT_FALSE(test.dialogue().is_first());
  EXPECT_EQ(test.dialogue().session().id(), first);
  test.restart(true, {"", true});
  EXPECT_NE(test.dialogue().session().id(), first);
  test.restart(true, {first, false});
  EXPECT_EQ(test.dialogue().session().id(), first);
}

}  // namespace
}  // namespace alfred::cli
