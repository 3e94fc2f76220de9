#include "interpreter/rules/reading/read_message.h"

#include "interpreter/rules/reading/reading_for_tests.h"

namespace alfred::rules {
namespace {

// Values as "field=value", in order.
std::string values_text(const Doing& doing) {
  std::string out;
  for (const FieldSet& one : doing.values)
    out += (out.empty() ? "" : " ") + one.field + "=" + write_json(one.value);
  return out;
}

class ReadMessage : public testing::Test {
 protected:
  void teach(std::vector<std::string> phrases, std::string does, JsonObject with = {}) {
    store.pack().rules.intents.push_back(
        {std::move(phrases), std::move(does), "stock", std::move(with), "rules.toml:1:1"});
  }
  StoreForTests store;
};

TEST_F(ReadMessage, phrases_optional_words_and_choices) {
  teach({"(fetch|bring) [me] {items}"}, "add");
  EXPECT_EQ(store.read("please fetch 2 tins of beans").items[0].name, "beans");
  EXPECT_EQ(store.read("bring me the beans").items[0].name, "beans");
  EXPECT_EQ(store.read("carry beans").verb, Verb::unknown);
}

TEST_F(ReadMessage, slots_for_codes_and_addresses_take_nothing_else) {
  teach({"file {name:text} {to:address}"}, "add", {{"set", JsonObject{{"name", "{name}"}}}});
  teach({"pile {name:text} {shelf:code}"}, "add",
        {{"set", JsonObject{{"name", "{name}"}, {"shelf", "{shelf}"}}}});
  EXPECT_EQ(values_text(store.read("file Ann, ann@example.org")), "name=\"Ann\"");
  EXPECT_EQ(values_text(store.read("pile beans B12")), "name=\"beans\" shelf=\"B12\"");
  EXPECT_EQ(store.read("pile beans high").verb, Verb::unknown);
}

TEST_F(ReadMessage, R2_what_is_said_of_what_was_just_added_joins_it) {
  teach({"fetch {items}"}, "add");
  const Doing doing = store.read("fetch beans, it is on shelf C3");
  EXPECT_EQ(doing.verb, Verb::add);
  EXPECT_EQ(values_text(doing), "shelf=\"C3\"");
}

TEST_F(ReadMessage, R2_each_of_several_gets_its_own_place) {
  teach({"fetch {items}"}, "add");
  const Doing doing = store.read("fetch 2 pears and 3 plums. pears on C3, plums on shelf D4");
  ASSERT_EQ(doing.items.size(), 2u);
  EXPECT_EQ(write_json(doing.items[0].values), "{\"shelf\":\"C3\"}");
  EXPECT_EQ(write_json(doing.items[1].values), "{\"shelf\":\"D4\"}");
}

TEST_F(ReadMessage, an_amount_of_a_known_thing_is_set) {
  store.know("Pears");
  const Doing doing = store.read("make it 5 pears");
  EXPECT_EQ(doing.verb, Verb::set);
  EXPECT_EQ(doing.targets.at(0).said, "pears");
  EXPECT_EQ(values_text(doing), "quantity=5.0");
}

TEST_F(ReadMessage, what_nobody_knows_is_put_there_and_not_moved) {
  const Doing doing = store.read("put 2 kg of plums in the cellar");
  EXPECT_EQ(doing.verb, Verb::add);
  EXPECT_EQ(doing.items.at(0).name, "plums");
}

TEST_F(ReadMessage, a_flag_that_is_not_so) {
  RuleWord open;
  open.says = {"open"};
  open.table = "stock";
  open.field = "is_open";
  open.value = true;
  store.pack().rules.words.push_back(open);
  store.know("Beans");
  EXPECT_EQ(values_text(store.read("the beans are open")), "is_open=true");
  EXPECT_EQ(values_text(store.read("the beans are not open any more")), "is_open=false");
}

TEST_F(ReadMessage, R3_what_looks_like_a_database_is_not_read) {
  for (const char* said : {"drop table stock", "select * from stock", "delete from stock"})
    EXPECT_EQ(store.read(said).verb, Verb::unknown) << said;
}

TEST_F(ReadMessage, pointing_at_nothing_adds_nothing) {
  EXPECT_EQ(store.read("add both to the store").verb, Verb::unknown);
  EXPECT_EQ(store.read("add rice to the store").items.at(0).name, "rice");
}

TEST_F(ReadMessage, a_question_does_not_begin_a_change) {
  teach({"{what:thing} instead of {other:thing}"}, "set", {{"set", JsonObject{{"name", "x"}}}});
  EXPECT_EQ(store.read("what can i use instead of beans").verb, Verb::unknown);
  EXPECT_EQ(store.read("rice instead of beans").verb, Verb::set);
}

TEST_F(ReadMessage, a_phrase_that_is_none_says_why) {
  for (const char* bad : {"fetch {items", "fetch (a|b", "fetch {x:wat}", "fetch )"}) {
    const Result<Phrase> phrase = Phrase::compile(bad);
    ASSERT_FALSE(phrase) << bad;
    EXPECT_FALSE(phrase.error().message.empty());
  }
}

}  // namespace
}  // namespace alfred::rules
