#include "interpreter/rules/making/arrange.h"

#include <gtest/gtest.h>

#include "interpreter/rules/doing/readings_for_tests.h"

namespace alfred::rules {
namespace {

class Arrange : public testing::Test {
 protected:
  Made arrange(const Doing& doing, const std::vector<JsonObject>& novels,
               const std::vector<JsonObject>& taken = {},
               const std::vector<std::string>& disliked = {}) {
    std::vector<const JsonObject*> things;
    std::vector<const JsonObject*> rows;
    for (const JsonObject& one : novels) things.push_back(&one);
    for (const JsonObject& one : taken) rows.push_back(&one);
    return arrange_things(club.book(), facts, doing, things, rows, disliked);
  }
  static std::string labels(const Made& made) {
    std::string out;
    for (const Artifact& one : made.artifacts) out += (out.empty() ? "" : " | ") + one.label;
    return out;
  }
  ReadingsForTests club;
  Facts facts = ReadingsForTests::facts();
  const JsonObject emma{{"id", "novel_1"}, {"title", "Emma"}, {"readers", 4}};
  const JsonObject dawn{{"id", "novel_2"}, {"title", "Dawn"}, {"readers", nullptr}};
};

TEST_F(Arrange, R1_one_a_day_where_the_place_is_free) {
  const JsonObject there{{"on_day", "2026-03-02"}, {"part", "late"}};
  const JsonObject beside{{"on_day", "2026-03-03"}, {"part", "early"}};
  EXPECT_EQ(labels(arrange(club.order(2), {emma, dawn}, {there, beside})),
            "2026-03-03 late: Emma | 2026-03-04 late: Dawn");
}

TEST_F(Arrange, R1_no_thing_that_is_there_already) {
  const JsonObject there{{"on_day", "2026-03-02"},
                         {"part", "late"},
                         {"novel_id", JsonObject{{"ref", "novel_1"}, {"label", "Emma"}}}};
  EXPECT_EQ(labels(arrange(club.order(1), {emma, dawn}, {there})), "2026-03-03 late: Dawn");
}

TEST_F(Arrange, R2_those_the_pack_names_come_first) {
  Doing order = club.order(2);
  order.with["first"] = JsonObject{{"tags", "short"}};
  JsonObject brief = dawn;
  brief["tags"] = JsonArray{Json("short")};
  EXPECT_EQ(labels(arrange(order, {emma, brief})), "2026-03-02 late: Dawn | 2026-03-03 late: Emma");
}

TEST_F(Arrange, R2_what_is_not_liked_comes_last) {
  EXPECT_EQ(labels(arrange(club.order(2), {emma, dawn}, {}, {"emma"})),
            "2026-03-02 late: Dawn | 2026-03-03 late: Emma");
}

TEST_F(Arrange, R2_what_is_kept_out_always_or_for_now_is_not_taken) {
  facts.constraints = {{"left_out", "", Json("emma"), 1.0}};
  EXPECT_EQ(labels(arrange(club.order(1), {emma, dawn})), "2026-03-02 late: Dawn");
  facts.permanent = facts.constraints;
  EXPECT_EQ(labels(arrange(club.order(1), {emma, dawn})), "2026-03-02 late: Dawn");
  EXPECT_FALSE(arrange(club.order(2), {emma, dawn}).refusal.empty());
}

TEST_F(Arrange, R3_too_few_days_or_things_are_said_and_nothing_is_made) {
  const Made few = arrange(club.order(2), {emma});
  EXPECT_TRUE(few.artifacts.empty());
  EXPECT_NE(few.refusal.find("only 1"), std::string::npos) << few.refusal;
  const Made days = arrange(club.order(5), {emma, emma, emma, emma, emma});
  EXPECT_TRUE(days.artifacts.empty());
  EXPECT_NE(days.refusal.find("Only 4 of these days"), std::string::npos) << days.refusal;
}

TEST_F(Arrange, R3_where_nobody_said_how_many_it_is_as_many_as_there_may_be) {
  Doing order = club.order(4);
  order.slots.clear();
  EXPECT_EQ(arrange(order, {emma, dawn}).artifacts.size(), 2U);
  const JsonObject there{{"on_day", "2026-03-03"}, {"part", "late"}};
  EXPECT_EQ(arrange(order, {emma, dawn, emma, dawn}, {there}).artifacts.size(), 3U);
  EXPECT_FALSE(arrange(order, {}).refusal.empty());
}

TEST_F(Arrange, R4_for_as_many_as_the_thing_is_for_or_the_usual_number) {
  const Made made = arrange(club.order(2), {emma, dawn});
  ASSERT_EQ(made.artifacts.size(), 2u);
  EXPECT_EQ(made.artifacts[0].content.get_object().at("readers"), Json(4));
  EXPECT_EQ(made.artifacts[1].content.get_object().at("readers"), Json(2));
  Doing order = club.order(1);
  order.values.push_back({"readers", Json(9), {}});
  EXPECT_EQ(arrange(order, {emma}).artifacts.at(0).content.get_object().at("readers"), Json(9));
}

}  // namespace
}  // namespace alfred::rules
