#include <thread>

#include "base/test_size.h"
#include "engine/moves/moves_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kTitles = R"({"table":"books","columns":["title"]})";
constexpr const char* kMake = R"({"table":"books","data":{"title":"A"}})";
constexpr const char* kWrong = R"({"table":"books","data":{"title":"B","author_id":"author_9"}})";
constexpr const char* kLink = R"({"table":"books","data":{"title":"C","author_id":"author_1"}})";

std::string name_of_place(const testing::TestParamInfo<MovePlace>& info) {
  constexpr const char* kNames[] = {"sqlite", "postgres", "apart"};
  return kNames[static_cast<std::size_t>(info.param)];
}

class Moves : public testing::TestWithParam<MovePlace> {
 protected:
  static std::vector<RecordCall> four_calls() {
    return {call_for_tests("db_create", R"({"table":"authors","data":{"name":"Le Guin"}})"),
            call_for_tests("db_create", kWrong), call_for_tests("db_create", kLink),
            call_for_tests("db_read", kTitles)};
  }
  // What somebody who opens it now sees.
  void expect_kept(RecordService& service) {
    EXPECT_EQ(write_session(place_.open()->workspace().state()),
              write_session(service.workspace().state()));
  }
  PlaceOfMoves place_{GetParam()};
};

TEST_P(Moves, R1_calls_run_in_their_order_and_each_outcome_is_told) {
  const auto service = place_.open();
  ScriptedSteps steps(four_calls());
  const Result<TurnMove> moved = service->move(steps);
  ASSERT_TRUE(moved) << moved.error().message << moved.error().detail;
  EXPECT_TRUE(moved->is_finished);
  ASSERT_EQ(steps.outcomes.size(), 4U);
  EXPECT_NE(steps.outcomes[0].find("author_1"), std::string::npos) << steps.outcomes[0];
  EXPECT_EQ(steps.outcomes[1], "ref_unknown");
  EXPECT_NE(steps.outcomes[2].find("book_1"), std::string::npos) << steps.outcomes[2];
  EXPECT_NE(steps.outcomes[3].find(R"("title":"C")"), std::string::npos) << steps.outcomes[3];
  const auto is_of_call = [](const Change& one) {
    return std::holds_alternative<RefsChanged>(one);
  };
  const auto of_calls = std::count_if(moved->changes.begin(), moved->changes.end(), is_of_call);
  EXPECT_GE(of_calls, 2);
  EXPECT_EQ(steps.kept + static_cast<std::size_t>(of_calls), moved->changes.size());
  EXPECT_EQ(read_for_tests(*service, kTitles), R"([{"id":"book_1","title":"C"}])");
  expect_kept(*service);
}

TEST_P(Moves, R2_all_of_it_is_one_write_and_one_entry) {
  const auto service = place_.open();
  ScriptedSteps steps(four_calls());
  ASSERT_TRUE(service->move(steps));
  EXPECT_EQ(steps.begun_at, 0);
  if (!place_.is_shared()) return;
  EXPECT_EQ(service->workspace().place(), 1);
  EXPECT_EQ(place_.rows().writes(), 1);
}

TEST_P(Moves, R4_a_refused_call_leaves_nothing) {
  const auto service = place_.open();
  ScriptedSteps steps({call_for_tests("db_create", kWrong), call_for_tests("db_drop", "{}")});
  ASSERT_TRUE(service->move(steps));
  EXPECT_EQ(steps.outcomes, (std::vector<std::string>{"ref_unknown", "usage"}));
  EXPECT_EQ(service->workspace().registry().size(), 0U);
  EXPECT_EQ(read_for_tests(*service, kTitles), "[]");
  expect_kept(*service);
}

TEST_P(Moves, R5_steps_that_refuse_to_begin_change_nothing) {
  class Refusing final : public MoveSteps {
   public:
    Result<TurnMove> begin(SessionState& state, std::int64_t) override {
      state.facts.turn = 99;  // what a turn that stops half way may leave
      return fail(ErrorCode::turn_open, "no");
    }
    Result<TurnMove> outcome(SessionState&, CallOutcome) override { return TurnMove(); }
    Result<void> keep(Tx&, const TurnMove&) override { return {}; }
  };
  const auto service = place_.open();
  Refusing steps;
  EXPECT_EQ(service->move(steps).error().code, ErrorCode::turn_open);
  EXPECT_EQ(service->workspace().state().facts.turn, 0U);
  expect_kept(*service);
}

TEST_P(Moves, R5_what_others_did_is_there_when_it_begins) {
  const auto one = place_.open();
  const auto other = place_.open();
  ScriptedSteps first({call_for_tests("db_create", kMake)});
  ASSERT_TRUE(one->move(first));
  ScriptedSteps second({call_for_tests("db_read", kTitles)});
  ASSERT_TRUE(other->move(second));
  EXPECT_EQ(second.begun_at, one->workspace().place());
  EXPECT_GT(second.begun_at, first.begun_at);
  EXPECT_NE(second.outcomes.at(0).find(R"("id":"book_1")"), std::string::npos);
  EXPECT_EQ(other->workspace().state().facts.turn, 2U);
  ASSERT_TRUE(one->catch_up());
  EXPECT_EQ(one->workspace().state().facts.turn, 2U);
}

// The artifact of a generated thing is marked as saved by whatever saves it.
TEST_P(Moves, a_saved_artifact_is_marked_and_a_read_of_it_is_served) {
  const auto service = place_.open();
  RefRegistry registry;
  registry.begin();
  const TypeNo type = registry.type_named("book", "books").value();
  for (const char* label : {"Red", "Blue"})
    registry.register_generated(type, label, {0, 0}).value();
  Changes first{RefsChanged{registry.changes()}};
  for (const char* ref : {"gen_book_1", "gen_book_2"})
    first.emplace_back(ArtifactPut{
        std::nullopt, {.ref = ref, .type = "book", .content = JsonObject{{"title", ref}}}});
  const BatchId batch = BatchId::random();
  first.emplace_back(BatchDeclared{BatchManifest::declare(batch, "books", {"gen_book_2"}).value()});
  ScriptedSteps steps(
      {call_for_tests("db_read", R"({"table":"books","filters":
           [{"field":"id","op":"=","value":"gen_book_1"}]})"),
       call_for_tests("db_create", R"({"table":"books","data":{"ref":"gen_book_1","title":"R"}})"),
       call_for_tests("db_create", R"({"data":[{"ref":"gen_book_2","title":"B"}]})",
                      std::string(batch.view()))},
      first);
  const Result<TurnMove> moved = service->move(steps);
  ASSERT_TRUE(moved) << moved.error().message << moved.error().detail;
  EXPECT_NE(steps.outcomes.at(0).find(R"("title":"gen_book_1")"), std::string::npos)
      << steps.outcomes.at(0);
  const SessionState& state = service->workspace().state();
  EXPECT_EQ(state.artifact("gen_book_1")->saved_as, "book_1");
  EXPECT_EQ(state.artifact("gen_book_2")->saved_as, "book_2");
  EXPECT_TRUE(state.batch(batch.view())->is_finished());
  expect_kept(*service);
}

TEST_P(Moves, a_batch_that_fails_in_a_move_is_as_it_was) {
  const auto service = place_.open();
  const BatchId batch = BatchId::random();
  const std::string id(batch.view());
  const Changes first{
      BatchDeclared{BatchManifest::declare(batch, "books", {"one", "two"}).value()}};
  ScriptedSteps steps(
      {call_for_tests("db_create", R"({"data":[{"ref":"one","title":"1"}]})", id),
       call_for_tests("db_create", R"({"data":[{"ref":"nobody","title":"1"}]})", id)},
      first);
  ASSERT_TRUE(service->move(steps));
  EXPECT_EQ(steps.outcomes.at(1), "batch_item");
  const BatchCounts counts = service->workspace().state().batch(id)->counts();
  EXPECT_EQ(counts.completed, 1U);
  EXPECT_EQ(counts.pending, 1U);
  expect_kept(*service);
}

INSTANTIATE_TEST_SUITE_P(, Moves,
                         testing::Values(MovePlace::sqlite, MovePlace::postgres, MovePlace::apart),
                         name_of_place);

class SharedMoves : public Moves {};

TEST_P(SharedMoves, R5_a_store_may_run_it_twice) {
  const auto service = place_.open({.runs_twice = true});
  ScriptedSteps steps(four_calls());
  const Result<TurnMove> moved = service->move(steps);
  ASSERT_TRUE(moved) << moved.error().message << moved.error().detail;
  EXPECT_EQ(steps.begins, 2);
  EXPECT_EQ(steps.outcomes.size(), 4U);
  EXPECT_EQ(service->workspace().place(), 1);
  EXPECT_EQ(read_for_tests(*service, kTitles), R"([{"id":"book_1","title":"C"}])");
  expect_kept(*service);
}

TEST_P(SharedMoves, R4_a_store_that_fails_leaves_nothing_of_it) {
  const auto service = place_.open({.fails_at = 2});
  ScriptedSteps first(four_calls());
  ASSERT_TRUE(service->move(first));
  const std::string before = write_session(service->workspace().state());
  ScriptedSteps second(four_calls());
  EXPECT_EQ(service->move(second).error().code, ErrorCode::storage);
  EXPECT_EQ(write_session(service->workspace().state()), before);
  expect_kept(*service);
  ScriptedSteps third(four_calls());
  ASSERT_TRUE(service->move(third));
  EXPECT_EQ(read_for_tests(*service, kTitles),
            R"([{"id":"book_1","title":"C"},{"id":"book_2","title":"C"}])");
}

INSTANTIATE_TEST_SUITE_P(, SharedMoves, testing::Values(MovePlace::sqlite, MovePlace::postgres),
                         name_of_place);

class MovesThreads : public Moves {};

// Two that move one session at the same time: each waits for the other or is run again, and the
// journal is one chain.
TEST_P(MovesThreads, R5_two_that_move_at_once_lose_and_double_nothing) {
  const int moves = static_cast<int>(test_size({6, 12, 60}));
  const auto one = place_.open();
  const auto other = place_.open();
  const auto run = [&](RecordService& service) {
    for (int i = 0; i < moves; ++i) {
      ScriptedSteps steps({call_for_tests("db_create", kMake), call_for_tests("db_read", kTitles)});
      Result<TurnMove> moved = service.move(steps);
      // A store that was overtaken often enough says so; nothing was done then.
      while (!moved && moved.error().code == ErrorCode::conflict) moved = service.move(steps);
      ASSERT_TRUE(moved) << moved.error().message << moved.error().detail;
    }
  };
  std::thread beside([&] { run(*other); });
  run(*one);
  beside.join();
  ASSERT_TRUE(one->catch_up());
  ASSERT_TRUE(other->catch_up());
  EXPECT_EQ(one->workspace().state().facts.turn, static_cast<std::uint32_t>(2 * moves));
  EXPECT_EQ(write_session(one->workspace().state()), write_session(other->workspace().state()));
  EXPECT_EQ(one->workspace().registry().size(), static_cast<EntityNo>(2 * moves));
  expect_kept(*one);
}

INSTANTIATE_TEST_SUITE_P(, MovesThreads,
                         testing::Values(MovePlace::sqlite, MovePlace::postgres, MovePlace::apart),
                         name_of_place);

// Wherever our file fails, whoever goes on with the turn finishes it: each row is there once.
TEST(ApartMoves, R3_a_move_that_broke_off_is_finished_once) {
  const std::vector<RecordCall> calls{
      call_for_tests("db_create", kMake), call_for_tests("db_read", kTitles),
      call_for_tests("db_create", kWrong), call_for_tests("db_create", kMake)};
  int fails_at = 1;
  for (bool is_done = false; !is_done; ++fails_at) {
    SCOPED_TRACE(fails_at);
    ASSERT_LT(fails_at, 20);
    PlaceOfMoves place(MovePlace::apart);
    place.open();  // the workspace is there
    ScriptedSteps steps(calls);
    is_done = place.open({.fails_at = fails_at})->move(steps).has_value();
    const auto later = place.open();
    if (!is_done) {
      ScriptedSteps again(calls);
      const Result<TurnMove> moved = later->move(again);
      ASSERT_TRUE(moved) << moved.error().message << moved.error().detail;
      EXPECT_TRUE(moved->is_finished);
    }
    EXPECT_EQ(later->workspace().state().facts.turn, 1U);
    EXPECT_FALSE(later->workspace().state().facts.running);
    EXPECT_EQ(read_for_tests(*later, kTitles),
              R"([{"id":"book_1","title":"A"},{"id":"book_2","title":"A"}])");
    EXPECT_EQ(write_session(place.open()->workspace().state()),
              write_session(later->workspace().state()));
  }
  // For a call that changes rows: what was before it where that is not kept yet, what it came to,
  // its answer.
  EXPECT_EQ(fails_at, 9);
}

}  // namespace
}  // namespace alfred
