// 001: what each node does NOT do. The field is refused by the contract, or the change by the
// writer; here by the machine that joins them.
#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

// The node's answer with one more field is sent back, and nothing of it was applied.
void expect_refused(TurnPlay& play, Node node, std::string answer, std::string_view field) {
  ASSERT_EQ(play.asked(), node);
  answer.insert(1, "\"" + std::string(field) + "\":[],");
  const std::uint32_t repairs = play.turn().repairs;
  play.answer(answer);
  ASSERT_EQ(play.asked(), node) << field;
  EXPECT_EQ(play.turn().repairs, repairs + 1) << field;
  EXPECT_NE(play.section("Your Last Answer Was Refused").find(field), std::string::npos);
}

TEST(Seed001, understand_does_not_plan_choose_generate_decide_crud_or_infer_goals) {
  for (const char* field : {"steps", "decision", "artifacts", "tool", "goal", "resolved_id"}) {
    TurnPlay play;
    play.say("go");
    expect_refused(play, Node::understand, R"({"processed_message":"x"})", field);
    EXPECT_FALSE(play.turn().understood);
  }
}

TEST(Seed001, think_does_not_guess_identity_enforce_constraints_or_normalize) {
  for (const char* field : {"entity_mentions", "constraint_snapshot", "payload", "tool",
                            "data_requirements", "success_criteria", "session_update"}) {
    TurnPlay play;
    play.say("go");
    play.understand();
    expect_refused(play, Node::think,
                   R"({"goal":"g","decision":"plan_direct","steps":)" + one_step("read") +
                       R"(,"proposal":null,"questions":[]})",
                   field);
    EXPECT_FALSE(play.turn().plan);
  }
}

TEST(Seed001, think_steps_carry_no_deprecated_fields) {
  TurnPlay play;
  play.say("go");
  play.understand();
  std::string step = step_json("read");
  step.insert(1, R"("referenced_entities":["book_1"],"input_from_steps":[1],)");
  play.think("[" + step + "]");
  // Refused, or ignored and noted; never used.
  EXPECT_TRUE(play.asked() == Node::think || play.has_change("answer_noted"));
}

TEST(Seed001, act_does_not_map_ids_claim_progress_or_decide_to_propose) {
  for (const char* field : {"id_mapping", "created_ids", "batch_progress", "decision"}) {
    TurnPlay play;
    play.plan("go", one_step("read"));
    std::string answer = kComplete;
    answer.insert(1, "\"" + std::string(field) + "\":[],");
    play.answer(answer);
    ASSERT_EQ(play.asked(), Node::act) << field;
    EXPECT_EQ(play.step().repairs, 1u);
    EXPECT_EQ(play.step().status, StepStatus::running);
  }
}

TEST(Seed001, act_does_not_simplify_generated_content) {
  TurnPlay play;
  play.plan("make and save", steps_json({step_json("generate"), step_json("write", "books", 2)}));
  play.answer(complete_with({artifact_json("Dusk", R"(,"pages":471)")}));
  play.answer(call_json("db_create", R"({"table":"books","refs":["gen_book_1"]})"));
  EXPECT_EQ(write_json(play.last.calls.at(0).params.at("data")),
            R"([{"title":"Dusk","pages":471,"ref":"gen_book_1"}])");
}

TEST(Seed001, reply_changes_nothing_whatever_it_says) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", one_step("read"));
  play.answer(kComplete);
  const std::string constraints = write_json(to_json(play.state.facts.constraints));
  play.answer(R"({"steps":[],"entity_curation":{"clear_all":true}})");
  ASSERT_EQ(play.asked(), Node::summarize);
  EXPECT_EQ(write_json(to_json(play.state.facts.constraints)), constraints);
  EXPECT_NE(play.state.registry.find("book_1"), kNoEntity);
  EXPECT_EQ(*play.turn().reply, R"({"steps":[],"entity_curation":{"clear_all":true}})");
}

TEST(Seed001, summarize_neither_proposes_nor_keeps_the_ledger) {
  for (const char* field :
       {"next_steps", "entities_created", "steps_completed", "entity_curation"}) {
    TurnPlay play;
    play.plan("go", one_step("read"));
    play.answer(kComplete);
    play.answer("The reply.");
    play.answer(R"({")" + std::string(field) +
                R"(":[{"ref":"book_9"}],"assistant_summary":"lies"})");
    EXPECT_TRUE(play.last.is_finished);
    EXPECT_EQ(play.state.facts.conversation.recent.back().assistant_summary, "The reply.");
    EXPECT_TRUE(play.state.facts.last_ledger->entities_created.empty());
    EXPECT_FALSE(play.state.facts.conversation.pending);
  }
}

// The writer's side: what no node may do.
TEST(Seed001, the_writer_refuses_a_completion_with_open_items_and_a_summary_before_the_reply) {
  TurnPlay play;
  play.know("book", 812345670, "Emma");
  play.plan("go", steps_json({step_json("write", "books", 1, batch_json({"book_1"}))}));
  EXPECT_EQ(
      apply_change(play.state, StepEnded{.step = 0, .status = StepStatus::complete}).error().code,
      ErrorCode::batch_pending);
  EXPECT_FALSE(apply_change(play.state, Summarized{}));
  EXPECT_FALSE(apply_change(play.state, TurnEnded{}));
}

}  // namespace
}  // namespace alfred
