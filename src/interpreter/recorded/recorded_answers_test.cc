#include "interpreter/recorded/recorded_answers.h"

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "base/time/clock.h"

namespace alfred {
namespace {

TEST(RecordedAnswers, R1_an_answer_goes_to_the_first_ask_of_its_node_and_step) {
  RecordedAnswers answers({{Node::act, 1, "second step", FinishReason::stop},
                           {Node::act, std::nullopt, "any step", FinishReason::length},
                           {Node::think, std::nullopt, "plan", FinishReason::stop}});
  const Ask first{.id = 7, .node = Node::act, .step = 0};
  EXPECT_EQ(answers.answer(first).value(), (Answer{7, "any step", FinishReason::length}));
  const Ask second{.id = 8, .node = Node::act, .step = 1};
  EXPECT_EQ(answers.answer(second).value(), (Answer{8, "second step", FinishReason::stop}));
  EXPECT_EQ(answers.left().size(), 1u);
}

TEST(RecordedAnswers, R2_an_ask_without_an_answer_is_an_error_that_names_it) {
  RecordedAnswers answers;
  const Result<Answer> none = answers.answer({.node = Node::act, .step = 2});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::model);
  EXPECT_NE(none.error().message.find("act, step 3"), std::string::npos);
}

TEST(RecordedAnswers, R3_what_is_recorded_reads_back_the_same) {
  const std::vector<RecordedAnswer> answers{
      {Node::act, 1, "{\"a\":1}\n\"", FinishReason::stop},
      {Node::reply, std::nullopt, "Done.", FinishReason::refusal}};
  EXPECT_EQ(read_recording(write_recording(answers)).value(), answers);
  EXPECT_EQ(read_recording("\n{\"node\":\"think\",\"text\":{\"goal\":\"x\"}}\n").value(),
            (std::vector<RecordedAnswer>{
                {Node::think, std::nullopt, "{\"goal\":\"x\"}", FinishReason::stop}}));
}

TEST(RecordedAnswers, R3_a_line_that_cannot_be_read_is_named) {
  for (const char* const bad : {"{", "{\"node\":\"think\"}", "{\"node\":\"dream\",\"text\":\"\"}",
                                "{\"node\":\"act\",\"text\":\"\",\"step\":0}",
                                "{\"node\":\"act\",\"text\":\"\",\"finish\":\"soon\"}",
                                "{\"node\":\"act\",\"text\":\"\",\"wait_ms\":60001}"}) {
    const auto read = read_recording("{\"node\":\"think\",\"text\":\"\"}\n" + std::string(bad));
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().path, "line 2") << bad;
  }
}

TEST(RecordedAnswers, R4_an_answer_may_take_its_time) {
  const std::vector<RecordedAnswer> slow{
      {Node::reply, std::nullopt, "Done.", FinishReason::stop, 60}};
  EXPECT_EQ(read_recording(write_recording(slow)).value(), slow);
  RecordedAnswers answers(slow);
  const SystemClock clock;
  const std::int64_t begin = clock.monotonic_ns();
  EXPECT_TRUE(answers.answer({.node = Node::reply}));
  EXPECT_GE(clock.monotonic_ns() - begin, 60'000'000);
}

TEST(RecordingInterpreter, keeps_what_came_back) {
  RecordedAnswers inner({{Node::think, std::nullopt, "plan", FinishReason::stop}});
  RecordingInterpreter recording(inner);
  EXPECT_TRUE(recording.answer({.id = 1, .node = Node::think}));
  EXPECT_FALSE(recording.answer({.id = 2, .node = Node::think}));
  ASSERT_EQ(recording.answers().size(), 1u);
  EXPECT_EQ(recording.answers()[0].text, "plan");
}

TEST(RecordedAnswers, R5_another_message_than_the_recorded_one_is_told) {
  const auto ask = [](const char* message) {
    Ask out{.node = Node::understand};
    out.facts_json = write_json(JsonObject{{"message", message}});
    return out;
  };
  RecordedAnswers inner({{Node::understand, std::nullopt, "a", FinishReason::stop},
                         {Node::understand, std::nullopt, "b", FinishReason::stop}});
  RecordingInterpreter recording(inner);
  for (const char* message : {"lend it", "lend it again"})
    EXPECT_TRUE(recording.answer(ask(message)));
  const auto answers = read_recording(write_recording(recording.answers())).value();
  EXPECT_EQ(answers, recording.answers());
  EXPECT_EQ(answers.at(0).message, "lend it");

  std::vector<std::string> told;
  RecordedAnswers played(answers, {}, [&](const std::string& message) { told.push_back(message); });
  EXPECT_TRUE(played.answer(ask("lend it")));
  EXPECT_TRUE(told.empty());
  EXPECT_TRUE(played.answer(ask("bring it back")));
  EXPECT_EQ(told, std::vector<std::string>{"lend it again"});
}

}  // namespace
}  // namespace alfred
