#include "interpreter/rules/rules_interpreter.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

class RulesReading : public testing::Test {
 protected:
  RulesReading() {
    Table books;
    books.name = "books";
    books.ref = "book";
    books.key = {"id"};
    books.label = "title";
    books.fields.resize(2);
    books.fields[0].name = "id";
    books.fields[0].type = FieldType::uuid;
    books.fields[0].is_nullable = false;
    books.fields[1].name = "title";
    schema_ = Schema::make({books}).value();
    pack_.rules.intents.push_back(
        {{"shelve {items} [today]"}, "add", "books", {}, "rules.toml:1:1"});
  }
  std::string reading(const char* message) {
    Result<std::unique_ptr<RulesInterpreter>> rules = RulesInterpreter::make(pack_, schema_);
    EXPECT_TRUE(rules) << rules.error().message;
    const JsonObject facts{{"message", message},
                           {"now", JsonObject{{"date", "2026-03-02"}, {"time", "10:00"}}}};
    return (*rules)->reading_of({.facts_json = write_json(Json(facts))});
  }

  Pack pack_;
  Schema schema_;
};

TEST_F(RulesReading, R2_says_the_phrase_and_what_its_slots_hold) {
  EXPECT_EQ(reading("please shelve Emma"),
            "- `please shelve Emma`: add books, read as `shelve {items} [today]`\n"
            "- slot items: `Emma`\n");
}

TEST_F(RulesReading, R2_an_undo_is_read_by_the_words_of_every_domain) {
  for (const char* said : {"undo", "undo that", "take that back", "oops, undo it", "put it back"})
    EXPECT_NE(reading(said).find(": undo, read as `"), std::string::npos) << said << reading(said);
}

TEST_F(RulesReading, R3_what_is_not_understood_is_said_to_be_so) {
  EXPECT_EQ(reading("florp the glonk"), "- `florp the glonk`: no phrase fits\n");
}

TEST_F(RulesReading, a_phrase_that_is_none_is_refused_with_its_place) {
  pack_.rules.intents[0].phrases[0] = "shelve {items";
  const auto rules = RulesInterpreter::make(pack_, schema_);
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().code, ErrorCode::pack);
  EXPECT_NE(rules.error().message.find("rules.toml:1:1"), std::string::npos);
  // One who learns meanwhile says it when it is asked.
  const Result<Answer> answer =
      RulesInterpreter::learning(pack_, schema_)->answer({.facts_json = "{}"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, rules.error().message);
}

TEST_F(RulesReading, R2_one_who_learns_meanwhile_reads_the_same) {
  const JsonObject facts{{"message", "shelve Emma"},
                         {"now", JsonObject{{"date", "2026-03-02"}, {"time", "10:00"}}}};
  const Ask ask{.facts_json = write_json(Json(facts))};
  EXPECT_EQ(RulesInterpreter::learning(pack_, schema_)->reading_of(ask), reading("shelve Emma"));
}

}  // namespace
}  // namespace alfred
