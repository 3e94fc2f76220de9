#include "turn/background.h"

#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

std::vector<RecordCall> calls_for(TurnPlay& play, std::string_view message) {
  return Turn(play.state, play.world())
      .start({.message = std::string(message), .id = "t", .seed = std::string(64, 'a')})
      .value()
      .calls;
}
std::vector<std::string> tables_read(const std::vector<RecordCall>& calls) {
  std::vector<std::string> out;
  for (const RecordCall& call : calls)
    if (call.purpose == CallPurpose::background)
      out.emplace_back(call.params.at("table").as_string());
  return out;
}

TEST(Background, R1_the_words_of_the_message_say_which_subdomain_is_read) {
  TurnPlay play;
  const std::vector<RecordCall> calls = calls_for(play, "delete the book Emma");
  EXPECT_EQ(tables_read(calls), std::vector<std::string>{"books"});
  const RecordCall& read = calls.back();
  EXPECT_EQ(write_json(read.params.at("or_filters")),
            R"([{"field":"title","op":"similar","value":"emma"}])");
  EXPECT_EQ(read.params.at("limit"), Json(20));
}

TEST(Background, R1_a_message_that_names_none_is_looked_up_in_all_within_the_cap) {
  TurnPlay play;
  const std::vector<RecordCall> calls = calls_for(play, "delete Emma");
  EXPECT_EQ(tables_read(calls), (std::vector<std::string>{"books", "authors"}));
  EXPECT_EQ(calls.back().params.at("limit"), Json(10));
}

TEST(Background, R1_words_that_mean_no_row_read_nothing) {
  TurnPlay play;
  EXPECT_TRUE(tables_read(calls_for(play, "what can I have?")).empty());
  TurnPlay none;
  none.tell(SettingsChanged{[] {
    SessionSettings settings;
    settings.background_rows = 0;
    return settings;
  }()});
  EXPECT_TRUE(tables_read(calls_for(none, "delete Emma")).empty());
}

TEST(Background, R1_the_goal_names_a_subdomain_too) {
  TurnPlay play;
  play.say("books");
  play.understand(constraint_json("count", "2"));
  play.think(one_step("read"));
  play.answer(kComplete);
  play.finish();
  EXPECT_EQ(tables_read(calls_for(play, "gothic please")), std::vector<std::string>{"books"});
}

TEST(Background, R2_counts_are_read_in_every_turn_and_shown_to_think) {
  TurnPlay play;
  const std::vector<RecordCall> calls = calls_for(play, "hi there");
  EXPECT_EQ(
      std::count_if(calls.begin(), calls.end(),
                    [](const RecordCall& call) { return call.purpose == CallPurpose::dashboard; }),
      1);
  TurnPlay played;
  played.say("hi");
  played.understand();
  EXPECT_EQ(played.section("Dashboard"), "- 3 books\n");
}

TEST(Background, R2_without_declared_lines_every_subdomain_is_counted) {
  TurnPlay play;
  play.pack().dashboard.clear();
  play.say("hi");
  play.understand();
  EXPECT_EQ(play.section("Dashboard"), "- books: 3\n- people: 3\n");
}

TEST(Background, R3_a_read_that_fails_brings_nothing_and_the_turn_goes_on) {
  TurnPlay play;
  TurnMove move = Turn(play.state, play.world())
                      .start({.message = "delete Emma", .id = "t", .seed = std::string(64, 'a')})
                      .value();
  std::vector<RecordCall> calls = move.calls;
  ASSERT_FALSE(calls.empty());
  for (const RecordCall& call : calls)
    move = Turn(play.state, play.world())
               .outcome({call.id, std::nullopt, CallError{"busy", "later"}})
               .value();
  ASSERT_EQ(move.asks.size(), 1u);
  EXPECT_EQ(move.asks[0].node, Node::understand);
}

// The user's profile: laid out, preferences by subdomain, permanent constraints.
TEST(Background, D12_the_profile_brings_preferences_and_what_always_holds) {
  TurnPlay play;
  play.pack().profile.table = "authors";
  play.pack().profile.guidance = "prefers";
  play.pack().profile.layout.lines = {"reads: {reads}"};
  play.pack().profile.constraints = {{"allergies", "genre_excluded"}};
  TurnMove move = Turn(play.state, play.world())
                      .start({.message = "hi", .id = "t", .seed = std::string(64, 'a')})
                      .value();
  const std::vector<RecordCall> calls = move.calls;
  for (const RecordCall& call : calls) {
    Json answer = json_for_tests(R"({"rows":[{"reads":"at night","allergies":["horror","war"],
        "prefers":{"books":"short ones"}}],"count":1})");
    move = Turn(play.state, play.world()).outcome({call.id, answer, std::nullopt}).value();
  }
  EXPECT_EQ(play.turn().profile, "  reads: at night\n");
  ASSERT_EQ(play.turn().guidance.size(), 1u);
  EXPECT_EQ(play.turn().guidance[0].text, "short ones");
  EXPECT_EQ(play.state.facts.constraints.permanent.size(), 2u);
}

// What a profile said does not outlive it.
TEST(Background, D12_a_profile_that_is_gone_holds_no_longer) {
  TurnPlay play;
  play.pack().profile.table = "authors";
  play.pack().profile.constraints = {{"allergies", "genre_excluded"}};
  play.state.facts.constraints.permanent = {{"genre_excluded", "", Json("horror"), 1.0}};
  play.folded.facts.constraints.permanent = play.state.facts.constraints.permanent;
  play.say("hi");
  EXPECT_TRUE(play.state.facts.constraints.permanent.empty());
}

TEST(Background, days_are_those_of_the_users_clock) {
  TurnPlay play;
  DashboardLine line;
  line.table = "books";
  line.text = "due: {count}";
  line.before = "due";
  line.within_days = 1;
  play.pack().dashboard = {line};
  const auto due_by = [&](std::string zone, std::optional<std::uint32_t> edition) {
    play.change_settings([&](SessionSettings& settings) {
      settings.zone = std::move(zone);
      settings.edition = edition;
    });
    const TurnMove move = Turn(play.state, play.world())
                              .start({.message = "hi",
                                      .id = "t",
                                      .at_ms = 1'770'028'200'000,  // 2026-02-02T10:30Z
                                      .seed = std::string(64, 'a')})
                              .value();
    std::string params;
    for (const RecordCall& call : move.calls)
      if (call.purpose == CallPurpose::dashboard) params = write_json(call.params);
    EXPECT_TRUE(Turn(play.state, play.world()).cancel());
    return params;
  };
  EXPECT_NE(due_by("Pacific/Kiritimati", kEdition).find("2026-02-04"), std::string::npos);
  EXPECT_NE(due_by("Pacific/Pago_Pago", kEdition).find("2026-02-02"), std::string::npos);
  EXPECT_NE(due_by("Pacific/Kiritimati", std::nullopt).find("2026-02-03"), std::string::npos);
}

// 22a: found by search, asked before it is changed.
TEST(Background, D26_what_was_found_is_shown_to_understand_with_its_reason_and_to_nobody_else) {
  TurnPlay fresh;
  fresh.say("delete the Thai book", R"([{"id":"book_1","title":"Thai Nights"}])");
  const std::string seen = fresh.section("Entity Context");
  EXPECT_NE(seen.find("### Background (perhaps relevant)"), std::string::npos);
  EXPECT_NE(seen.find("| book_1 | book | Thai Nights | read | matches the message |"),
            std::string::npos);
  fresh.understand();
  EXPECT_EQ(fresh.ask().user.find("Thai Nights"), std::string::npos);
}

TEST(Background, D26_what_the_user_names_is_in_play_but_only_proposed_to_be_changed) {
  TurnPlay play;
  play.say("delete the Thai book", R"([{"id":"book_1","title":"Thai Nights"}])");
  play.understand(mention_json("the Thai book"));
  ASSERT_EQ(play.turn().mentions.size(), 1u);
  EXPECT_EQ(play.turn().mentions[0].confidence, MentionConfidence::medium);
  EXPECT_EQ(play.turn().mentions[0].resolved, std::vector<std::string>{"book_1"});
  EXPECT_NE(play.section("Entity Context").find("`book_1`: Thai Nights"), std::string::npos);
  play.think(one_step("write"));
  ASSERT_EQ(play.asked(), Node::think);  // refused
  EXPECT_NE(play.section("Your Last Answer Was Refused").find("Propose the change first."),
            std::string::npos);
  play.propose(one_step("write"));
  play.finish("Shall I delete Thai Nights?");
  play.say("yes");
  play.understand(R"({"conversation_phase":"confirming"})");
  ASSERT_EQ(play.asked(), Node::act);
  EXPECT_EQ(play.step().step_type, StepType::write);
}

TEST(Background, D26_what_a_step_reads_is_in_play_afterwards) {
  TurnPlay play;
  play.say("the Thai book", R"([{"id":"book_1","title":"Thai Nights"}])");
  play.understand();
  play.think(one_step("read"));
  EXPECT_EQ(play.section("Entities in Context").find("Thai Nights"), std::string::npos);
  play.answer(kReadBooks);
  play.outcome(R"({"rows":[{"id":"book_1","title":"Thai Nights","pages":9}],"has_more":false})");
  EXPECT_NE(play.section("Entities in Context").find("### `book_1`: Thai Nights (book)"),
            std::string::npos);
}

}  // namespace
}  // namespace alfred
