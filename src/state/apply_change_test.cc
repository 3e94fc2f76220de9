#include <gtest/gtest.h>

#include "state/change.h"
#include "state/change_text.h"

namespace alfred {
namespace {

// A session that is told what happens, and its journal beside it.
class Session : public testing::Test {
 protected:
  void tell(Change change) {
    const Result<void> applied = apply_change(state, change);
    ASSERT_TRUE(applied) << change_name(change) << ": " << applied.error().message;
    journal.push_back(write_json(change_json(change)));
  }
  ErrorCode refused(const Change& change) {
    const std::string before = write_session(state);
    const Result<void> applied = apply_change(state, change);
    EXPECT_FALSE(applied) << change_name(change);
    EXPECT_EQ(write_session(state), before) << change_name(change);
    return applied ? ErrorCode::bug : applied.error().code;
  }
  void start(std::string message = "hello") {
    tell(TurnStarted{"trn_0123456789ab", state.facts.turn + 1, std::move(message), 1000, "", {}});
  }
  void plan(std::vector<Step> steps) {
    tell(Planned{Plan{.goal = "g", .steps = std::move(steps)}});
  }
  std::string generate(std::string_view label) {
    RefRegistry copy = read_session(write_session(state)).value().registry;
    copy.begin();
    const TypeNo type = copy.type_named("book", "books").value();
    const EntityNo entity = copy.register_generated(type, label, {1, 0}).value();
    tell(RefsChanged{copy.changes()});
    return std::string(copy.ref(entity).text());
  }

  SessionState state;
  std::vector<std::string> journal;
};

Step step(StepType type) {
  return {.id = "stp_0123456789ab", .step_type = type, .subdomain = "books", .description = "do"};
}

TEST_F(Session, what_was_made_stands_in_its_order_behind_the_ninth_too) {
  start("eleven stories, please");
  std::vector<std::string> made;
  for (int i = 1; i <= 11; ++i) {
    made.push_back(generate("Story " + std::to_string(i)));
    tell(
        ArtifactPut{std::nullopt, {made.back(), "book", "A Story", JsonObject{}, 1, std::nullopt}});
  }
  std::vector<std::string> told;
  for (const StoredArtifact* one : state.artifacts_as_made()) told.push_back(one->ref);
  EXPECT_EQ(told, made);
}

TEST_F(Session, R2_the_journal_folded_again_is_the_same_session) {
  start("two stories, please");
  tell(Understood{UnderstandAnswer{.processed_message = "stories"}, {}});
  tell(EntitiesCurated{{.demoted = {"book_9"}, .reasons = {{"book_9", "done with it"}}}});
  tell(ConstraintsMerged{{{}, ActiveGoal{"stories", "books", 1, 1, {{"length", "", 3, 0.5}}}},
                         {"note"}});
  plan({step(StepType::generate), step(StepType::write)});
  tell(StepStarted{0, std::nullopt});
  tell(AskMade{1, Node::act, 1, 0, "prm_0123456789ab"});
  tell(AnswerTaken{{1, "{}", FinishReason::stop}});
  tell(AnswersApplied{});
  tell(FaultNoted{0, {"json", "not JSON", "byte 1", {"a"}}, false});
  const std::string made = generate("A Story");
  tell(
      ArtifactPut{0, {made, "book", "A Story", JsonObject{{"title", "A Story"}}, 1, std::nullopt}});
  tell(StepEnded{.step = 0, .result_summary = "made one"});
  const BatchManifest manifest =
      BatchManifest::declare(BatchId::parse("bat_0123456789ab").value(), "books", {made}).value();
  tell(BatchDeclared{manifest});
  tell(StepStarted{1, "bat_0123456789ab"});
  tell(CallMade{{.id = 1, .step = 1, .tool = "db_create", .params = JsonObject{}}});
  BatchManifest moving = manifest;
  BatchChanges moves{moving.start(made).value(), moving.complete(made, "book_1").value()};
  tell(ItemsMoved{"bat_0123456789ab", moves});
  tell(CallDone{{1, "db_create", JsonObject{}, JsonObject{{"count", 1}}, std::nullopt}});
  tell(ArtifactSaved{made, "book_1"});
  tell(StepEnded{.step = 1, .result_summary = "saved", .note_for_next_step = "book_1"});
  tell(PhaseEntered{TurnPhase::reply});
  tell(Replied{"Saved."});
  tell(Summarized{{.turn_num = 1}, {.turn_summary = "one"}, "saved one", "story", "stories"});
  tell(TurnEnded{});

  SessionState again;
  for (const std::string& line : journal) {
    const Result<Change> change = read_change(parse_json(line, JsonLimits::none()).value());
    ASSERT_TRUE(change) << line << change.error().message;
    ASSERT_TRUE(apply_change(again, *change)) << line;
    EXPECT_EQ(write_json(change_json(*change)), line);
    std::string text;
    append_change(text, *change);
    EXPECT_EQ(text, line);
  }
  EXPECT_EQ(write_session(again), write_session(state));
  EXPECT_EQ(write_session(read_session(write_session(state)).value()), write_session(state));
}

TEST_F(Session, I14_no_step_completes_with_open_items) {
  start();
  const std::string one = generate("A");
  const std::string two = generate("B");
  BatchManifest manifest =
      BatchManifest::declare(BatchId::parse("bat_0123456789ab").value(), "books", {one, two})
          .value();
  tell(BatchDeclared{manifest});
  plan({step(StepType::write)});
  tell(StepStarted{0, "bat_0123456789ab"});
  EXPECT_EQ(refused(StepEnded{.step = 0}), ErrorCode::batch_pending);
  BatchChanges moves{manifest.start(one).value(), manifest.complete(one, "book_1").value()};
  tell(ItemsMoved{"bat_0123456789ab", moves});
  EXPECT_EQ(refused(StepEnded{.step = 0}), ErrorCode::batch_pending);
  moves = {manifest.start(two).value(), manifest.fail_item(two, "taken", false).value()};
  tell(ItemsMoved{"bat_0123456789ab", moves});
  tell(StepEnded{.step = 0});
}

TEST_F(Session, I14_a_blocked_step_may_leave_items_open) {
  start();
  const std::string one = generate("A");
  tell(BatchDeclared{
      BatchManifest::declare(BatchId::parse("bat_0123456789ab").value(), "books", {one}).value()});
  plan({step(StepType::write)});
  tell(StepStarted{0, "bat_0123456789ab"});
  tell(StepEnded{.step = 0,
                 .status = StepStatus::blocked,
                 .block = StepBlock{BlockedReason::TOOL_FAILURE, "no", SuggestedNext::fail}});
  EXPECT_EQ(state.batch("bat_0123456789ab")->counts().pending, 1U);
}

TEST_F(Session, a_generate_with_fewer_than_asked_is_incomplete) {
  start();
  Step wanted = step(StepType::generate);
  wanted.expected = 2;
  plan({wanted});
  tell(StepStarted{0, std::nullopt});
  const std::string one = generate("A");
  tell(ArtifactPut{0, {one, "book", "A", JsonObject{}, 1, std::nullopt}});
  tell(ArtifactPut{0, {one, "book", "A2", JsonObject{}, 1, std::nullopt}});
  EXPECT_EQ(refused(StepEnded{.step = 0}), ErrorCode::batch_pending);
  tell(ArtifactPut{0, {generate("B"), "book", "B", JsonObject{}, 1, std::nullopt}});
  tell(StepEnded{.step = 0});
}

TEST_F(Session, R1_what_cannot_be_is_refused) {
  for (const Change& change :
       {Change(Replied{"x"}), Change(TurnEnded{}), Change(Understood{}), Change(AskMade{1}),
        Change(Planned{}), Change(CallMade{{.id = 1}}), Change(PendingTaken{}),
        Change(StepStarted{0}), Change(ItemsMoved{"bat_0123456789ab", {}}),
        Change(ArtifactSaved{"gen_book_1", "book_1"}),
        Change(
            ArtifactPut{std::nullopt, {"gen_book_7", "book", "", JsonObject{}, 1, std::nullopt}}),
        Change(TurnStarted{"t", 2, "", 0, "", {}})})
    EXPECT_EQ(refused(change), ErrorCode::bug) << change_name(change);
  start();
  for (const Change& change :
       {Change(TurnStarted{"t", 2, "", 0, "", {}}), Change(TurnEnded{}), Change(Summarized{}),
        Change(AskMade{2}), Change(AnswerTaken{{1, "", FinishReason::stop}}),
        Change(CallMade{{.id = 2}}), Change(CallDone{}), Change(StepEnded{})})
    EXPECT_EQ(refused(change), ErrorCode::bug) << change_name(change);
}

TEST_F(Session, a_step_that_is_over_takes_no_more) {
  start();
  plan({step(StepType::read)});
  tell(StepStarted{0, std::nullopt});
  tell(StepEnded{.step = 0});
  EXPECT_EQ(refused(StepEnded{.step = 0}), ErrorCode::bug);
  EXPECT_EQ(refused(StepStarted{0, std::nullopt}), ErrorCode::bug);
  tell(CallMade{{.id = 1, .step = 0}});
  EXPECT_EQ(refused(CallDone{{1, "db_read", nullptr, std::nullopt, std::nullopt}}), ErrorCode::bug);
}

TEST_F(Session, D17_windows_trim_conversation_trace_and_step_data) {
  for (std::uint32_t turn = 1; turn <= 5; ++turn) {
    start("message " + std::to_string(turn));
    plan({step(StepType::read)});
    tell(StepStarted{0, std::nullopt});
    tell(StepEnded{.step = 0});
    tell(Replied{"reply " + std::to_string(turn)});
    tell(Summarized{{.turn_num = turn}, {}, "said", std::nullopt, std::nullopt});
    tell(TurnEnded{});
  }
  ASSERT_EQ(state.facts.conversation.recent.size(), 3U);
  EXPECT_EQ(state.facts.conversation.recent[0].user, "message 3");
  ASSERT_EQ(state.facts.earlier_steps.size(), 2U);
  EXPECT_EQ(state.facts.earlier_steps[0].turn, 4U);
  ASSERT_EQ(state.facts.trace.recent_summaries.size(), 2U);
  EXPECT_EQ(state.facts.trace.recent_summaries[1].turn_num, 5U);
}

TEST_F(Session, what_waits_for_the_user_is_kept_and_taken_once) {
  start("save them");
  tell(PendingSet{
      {.type = PendingType::propose, .context = "I would save 2", .plan = Plan{.goal = "save"}}});
  tell(Replied{"Shall I?"});
  tell(TurnEnded{});
  ASSERT_TRUE(state.facts.conversation.pending);
  start("yes");
  tell(PendingTaken{true});
  EXPECT_EQ(state.facts.running->plan->goal, "save");
  EXPECT_FALSE(state.facts.conversation.pending);
  EXPECT_EQ(refused(PendingTaken{}), ErrorCode::bug);
}

}  // namespace
}  // namespace alfred
