#include "engine/feed/turn_feed.h"

#include <gtest/gtest.h>

#include "engine/session/run_turn.h"
#include "surface/cli/chat/choose_interpreter.h"
#include "surface/cli/chat/dialogue_for_tests.h"

namespace alfred::cli {
namespace {

std::vector<std::string> names_of(const std::vector<Json>& events) {
  std::vector<std::string> out;
  for (const Json& event : events) out.emplace_back(event.at("event").get_string());
  return out;
}

TEST(TurnFeed, R1_news_come_once_and_in_their_order) {
  BookshelfForTests shelf(false);
  const auto session = shelf.open();
  TurnFeed feed(*session);
  EventWriter writer(*session);
  AddingAnn ann;
  std::vector<Json> events;
  RunTurnOptions options;
  options.on_move = [&](const TurnProgress&) {
    for (Json& event : writer.events_of(feed.news().value())) events.push_back(std::move(event));
  };
  ASSERT_TRUE(run_turn(*session, ann, session->start("add Ann").value(), options));
  EXPECT_EQ(names_of(events),
            (std::vector<std::string>{"turn_started", "node", "node", "step", "node", "call",
                                      "node", "step", "node", "reply", "node", "turn_finished"}));
  EXPECT_TRUE(feed.news().value().empty());
  EXPECT_EQ(events[3].at("of").to_number<int>(), 1);
  EXPECT_EQ(events[5].at("table").get_string(), "authors");
  EXPECT_EQ(events[7].at("status").get_string(), "complete");
}

TEST(TurnFeed, R2_a_turn_that_ends_early_says_how) {
  BookshelfForTests shelf(false);
  const auto session = shelf.open();
  TurnFeed feed(*session);
  EventWriter writer(*session);
  ASSERT_TRUE(session->start("add Ann"));
  ASSERT_TRUE(session->cancel());
  const std::vector<Json> events = writer.events_of(feed.news().value());
  EXPECT_EQ(events.back().at("status").get_string(), "interrupted");
  EXPECT_EQ(events.back().at("turn").get_string(), events.front().at("turn").get_string());
}

TEST(ChooseInterpreter, R3_the_model_where_one_is_set_else_the_rules) {
  std::map<std::string, std::string> variables;
  const Environment environment = [&](const std::string& name) { return variables[name]; };
  const auto name = [&] {
    const Config config = Config::load({}, environment).value();
    return interpreter_name(config, environment);
  };
  EXPECT_EQ(name(), "rules");
  variables["ALFRED_MODEL_URL"] = "http://localhost:1";
  EXPECT_EQ(name(), "chat_http");
  variables["ALFRED_INTERPRETER"] = "rules";
  EXPECT_EQ(name(), "rules");
}

}  // namespace
}  // namespace alfred::cli
