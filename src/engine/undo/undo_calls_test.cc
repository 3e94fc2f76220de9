#include "engine/moves/moves_for_tests.h"
#include "engine/undo/undo_ledger.h"

namespace alfred {
namespace {

constexpr const char* kTitles = R"({"table":"books","columns":["title"]})";

RecordCall make(std::string_view title) {
  return call_for_tests("db_create",
                        fmt::format(R"({{"table":"books","data":{{"title":"{}"}}}})", title));
}
RecordCall rename(std::string_view ref, std::string_view title) {
  return call_for_tests(
      "db_update",
      fmt::format(R"({{"table":"books","data":{{"id":"{}","title":"{}"}}}})", ref, title));
}
RecordCall undo() { return call_for_tests("db_undo", "{}"); }

std::string name_of_place(const testing::TestParamInfo<MovePlace>& info) {
  constexpr const char* kNames[] = {"sqlite", "postgres", "apart"};
  return kNames[static_cast<std::size_t>(info.param)];
}

class UndoCalls : public testing::TestWithParam<MovePlace> {
 protected:
  // One turn that makes these calls; what the last of them brought.
  static std::string turn(RecordService& service, std::vector<RecordCall> calls) {
    ScriptedSteps steps(std::move(calls));
    const Result<TurnMove> moved = service.move(steps);
    EXPECT_TRUE(moved) << moved.error().message << moved.error().detail;
    return steps.outcomes.empty() ? "" : steps.outcomes.back();
  }
  static std::string call(RecordService& service, const RecordCall& one) {
    const Result<std::string> answer = service.call(one.tool, one.params, OpId::random());
    return answer ? *answer : std::string(error_name(answer.error().code));
  }
  static std::string titles(RecordService& service) { return read_for_tests(service, kTitles); }

  PlaceOfMoves place_{GetParam()};
};

TEST_P(UndoCalls, R2_what_a_turn_did_is_taken_back_together) {
  const auto service = place_.open();
  turn(*service, {make("A")});
  turn(*service, {make("B"), make("C"), rename("book_1", "X")});
  EXPECT_EQ(turn(*service, {undo()}),
            R"({"updated":["book_1"],"deleted":[{"ref":"book_3","label":"C"},)"
            R"({"ref":"book_2","label":"B"}],"count":3})");
  EXPECT_EQ(titles(*service), R"([{"id":"book_1","title":"A"}])");
  EXPECT_EQ(write_session(place_.open()->workspace().state()),
            write_session(service->workspace().state()));
}

TEST_P(UndoCalls, R3_the_next_undo_means_what_was_before) {
  const auto service = place_.open();
  turn(*service, {make("A")});
  turn(*service, {rename("book_1", "B")});
  turn(*service, {call_for_tests("db_delete", R"({"table":"books","filters":
      [{"field":"id","op":"=","value":"book_1"}]})")});
  EXPECT_EQ(turn(*service, {undo()}), R"({"created":[{"ref":"book_2","label":"B"}],"count":1})");
  EXPECT_EQ(turn(*place_.open(), {undo()}), R"({"updated":["book_2"],"count":1})");
  EXPECT_EQ(titles(*place_.open()), R"([{"id":"book_2","title":"A"}])");
  EXPECT_EQ(turn(*place_.open(), {undo()}),
            R"({"deleted":[{"ref":"book_2","label":"A"}],"count":1})");
  EXPECT_EQ(turn(*place_.open(), {undo()}), R"({"count":0,"no_match":true})");
  EXPECT_EQ(titles(*place_.open()), "[]");
}

TEST_P(UndoCalls, R2_the_turn_that_asks_is_not_meant) {
  const auto service = place_.open();
  turn(*service, {make("A")});
  turn(*service, {make("B")});
  turn(*service, {make("C"), undo()});
  EXPECT_EQ(titles(*service), R"([{"id":"book_1","title":"A"},{"id":"book_3","title":"C"}])");
}

TEST_P(UndoCalls, R2_calls_outside_of_turns_stand_alone) {
  const auto service = place_.open();
  call(*service, make("A"));
  call(*service, make("B"));
  call(*service, undo());
  EXPECT_EQ(titles(*service), R"([{"id":"book_1","title":"A"}])");
}

TEST_P(UndoCalls, R3_a_dry_run_takes_nothing_back_and_two_undos_take_two_turns) {
  const auto service = place_.open();
  turn(*service, {make("A")});
  turn(*service, {rename("book_1", "Z")});
  const std::string rows = titles(*service);
  turn(*service, {call_for_tests("db_undo", R"({"dry_run":true})")});
  EXPECT_EQ(titles(*service), rows);
  EXPECT_EQ(turn(*service, {undo(), undo()}),
            R"({"deleted":[{"ref":"book_1","label":"A"}],"count":1})");
  EXPECT_EQ(titles(*service), "[]");
}

TEST_P(UndoCalls, parameters_are_checked) {
  const auto service = place_.open();
  EXPECT_EQ(call(*service, call_for_tests("db_undo", R"({"table":"books"})")), "schema");
  EXPECT_EQ(call(*service, call_for_tests("db_undo", R"({"dry_run":1})")), "schema");
  EXPECT_EQ(call(*service, call_for_tests("db_undo", "[]")), "schema");
}

TEST_P(UndoCalls, R3_the_same_op_undoes_once) {
  const auto service = place_.open();
  call(*service, make("A"));
  call(*service, make("B"));
  const OpId op = OpId::random();
  const Result<std::string> first = service->call("db_undo", JsonObject(), op);
  const Result<std::string> again = service->call("db_undo", JsonObject(), op);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(titles(*service), R"([{"id":"book_1","title":"A"}])");
}

TEST_P(UndoCalls, R4_a_turn_that_did_too_much_is_not_taken_back_in_part) {
  const auto service = place_.open();
  std::vector<RecordCall> many(static_cast<std::size_t>(kLedgerEntries) + 1, make("A"));
  turn(*service, many);
  EXPECT_EQ(turn(*service, {undo()}), "conflict");
  const std::string long_text(kLedgerBytes / 5, 'x');
  turn(*service, {make(long_text), make("small")});
  EXPECT_EQ(turn(*service, {undo()}).substr(0, 12), R"({"deleted":[)");
}

INSTANTIATE_TEST_SUITE_P(, UndoCalls,
                         testing::Values(MovePlace::sqlite, MovePlace::postgres, MovePlace::apart),
                         name_of_place);

// Wherever it breaks off, whoever goes on finishes it: the row is taken back once.
TEST(UndoApart, R1_an_undo_that_broke_off_is_finished_once) {
  bool is_done = false;
  for (int fails_at = 1; !is_done; ++fails_at) {
    SCOPED_TRACE(fails_at);
    ASSERT_LT(fails_at, 20);
    PlaceOfMoves place(MovePlace::apart);
    for (const char* title : {"A", "B"}) {
      ScriptedSteps steps({make(title)});
      ASSERT_TRUE(place.open()->move(steps));
    }
    ScriptedSteps steps({undo()});
    is_done = place.open({.fails_at = fails_at})->move(steps).has_value();
    const auto later = place.open();
    if (!is_done) {
      ScriptedSteps again({undo()});
      const Result<TurnMove> moved = later->move(again);
      ASSERT_TRUE(moved) << moved.error().message << moved.error().detail;
    }
    EXPECT_EQ(read_for_tests(*later, kTitles), R"([{"id":"book_1","title":"A"}])");
    ScriptedSteps last({undo()});
    ASSERT_TRUE(later->move(last));
    EXPECT_EQ(read_for_tests(*later, kTitles), "[]");
  }
}

// The same for a call whose change was kept only by whoever came after the crash.
TEST(UndoApart, R1_what_was_settled_after_a_crash_can_be_taken_back) {
  bool is_done = false;
  for (int fails_at = 1; !is_done; ++fails_at) {
    SCOPED_TRACE(fails_at);
    ASSERT_LT(fails_at, 20);
    OwnDatabase own;
    own.open();
    const RecordCall one = make("A");
    const OpId op = OpId::random();
    is_done = own.open(fails_at)->call(one.tool, one.params, op).has_value();
    const auto later = own.open();
    ASSERT_TRUE(later->call(one.tool, one.params, op));
    const Result<std::string> undone = later->call("db_undo", JsonObject(), OpId::random());
    ASSERT_TRUE(undone) << undone.error().message;
    EXPECT_EQ(read_for_tests(*later, kTitles), "[]") << *undone;
  }
}

TEST(UndoApart, R2_what_others_changed_since_is_a_conflict) {
  OwnDatabase own;
  const auto mine = own.open();
  const auto theirs = own.open(0, "theirs");
  const RecordCall one = make("A");
  ASSERT_TRUE(mine->call(one.tool, one.params, OpId::random()));
  read_for_tests(*theirs, kTitles);
  const RecordCall other = rename("book_1", "Z");
  ASSERT_TRUE(theirs->call(other.tool, other.params, OpId::random()));
  const Result<std::string> undone = mine->call("db_undo", JsonObject(), OpId::random());
  ASSERT_FALSE(undone) << *undone;
  EXPECT_EQ(undone.error().code, ErrorCode::conflict);
  EXPECT_NE(undone.error().message.find("book_1"), std::string::npos) << undone.error().message;
  EXPECT_EQ(read_for_tests(*mine, kTitles), R"([{"id":"book_1","title":"Z"}])");
}

// A store that runs each closure twice takes back once.
TEST(UndoShared, R1_a_write_that_runs_again_undoes_once) {
  PlaceOfMoves place(MovePlace::sqlite);
  const auto service = place.open({.runs_twice = true});
  for (const char* title : {"A", "B"}) {
    ScriptedSteps steps({make(title)});
    ASSERT_TRUE(service->move(steps));
  }
  ScriptedSteps steps({undo()});
  ASSERT_TRUE(service->move(steps));
  EXPECT_EQ(read_for_tests(*service, kTitles), R"([{"id":"book_1","title":"A"}])");
}

TEST(UndoShared, R1_a_write_that_fails_takes_nothing_back) {
  PlaceOfMoves place(MovePlace::sqlite);
  ScriptedSteps made({make("A")});
  ASSERT_TRUE(place.open()->move(made));
  ScriptedSteps steps({undo()});
  ASSERT_FALSE(place.open({.fails_at = 1})->move(steps));
  const auto later = place.open();
  EXPECT_EQ(read_for_tests(*later, kTitles), R"([{"id":"book_1","title":"A"}])");
  ScriptedSteps again({undo()});
  ASSERT_TRUE(later->move(again));
  EXPECT_EQ(read_for_tests(*later, kTitles), "[]");
}

TEST(UndoLedger, R4_more_rows_or_bytes_than_are_kept_are_left_out) {
  Table notes;
  notes.name = "notes";
  notes.fields.resize(1);
  notes.fields[0].name = "body";
  RowEffect one{RowEffect::Kind::created,   &notes, RecordKey::integer(1), "", std::nullopt,
                Row{Value(std::int64_t{7})}};
  std::vector<RowEffect> many(kLedgerRows, one);
  EXPECT_NE(ledger_of(many).find(R"("rows":[)"), std::string::npos);
  many.push_back(one);
  EXPECT_EQ(ledger_of(many), R"({"left_out":1001})");
  one.after = Row{Value(std::string(kLedgerBytes, 'x'))};
  EXPECT_EQ(ledger_of(std::span(&one, 1), CreatedRows::whole), R"({"left_out":1})");
  EXPECT_NE(ledger_of(std::span(&one, 1)).find(R"("created":[)"), std::string::npos);
  EXPECT_EQ(ledger_of({}), "");
}

}  // namespace
}  // namespace alfred
