#include "interpreter/rules/reading/diets.h"

#include "interpreter/rules/reading/reading_for_tests.h"

namespace alfred::rules {
namespace {

class Diets : public testing::Test {
 protected:
  Diets() {
    Pack& pack = store.pack();
    pack.rules.wishes = {{"type", "item"},
                         {"diet", "diet"},
                         {"excluded", "without"},
                         {"unkept", JsonArray{Json("paleo"), Json("raw food")}}};
    ConstraintType diet;
    diet.name = "diet";
    diet.check.stands_for = {{"vegan", {"milk"}}, {"gluten-free", {"wheat"}}};
    pack.constraint_types.push_back(diet);
    pack.categories = Categories::make({{"nuts", {"walnut"}, {}, {}, ""}}).value();
  }
  // What is said from the first word on, as "type=value", "?words" where it cannot be kept to, and
  // how many words it took; empty: no diet begins there.
  std::string read(std::string_view said) {
    const Tokens tokens = read_tokens(said);
    const std::optional<Diet> diet = diet_at(store.world(), tokens, 0);
    if (!diet) return "";
    const std::string what = diet->unkept.empty()
                                 ? diet->wish.type + "=" + write_json(diet->wish.value)
                                 : "?" + diet->unkept;
    return what + " " + std::to_string(diet->to);
  }
  StoreForTests store;
};

TEST_F(Diets, R1_words_of_the_constraint_are_that_constraint) {
  EXPECT_EQ(read("vegan stew"), "diet=\"vegan\" 1");
  EXPECT_EQ(read("gluten-free stew"), "diet=\"gluten-free\" 1");
  EXPECT_EQ(read("gluten free stew"), "diet=\"gluten-free\" 2");
  EXPECT_EQ(read("stew"), "");
}

TEST_F(Diets, R2_free_of_anything_else_leaves_it_out) {
  EXPECT_EQ(read("walnut-free stew"), "without=\"walnut\" 1");
  EXPECT_EQ(read("nut free stew"), "without=\"nut\" 2");
  EXPECT_EQ(read("plums free stew"), "") << "nobody knows plums";
  EXPECT_EQ(read("walnut free of shells"), "");
}

TEST_F(Diets, R3_what_cannot_be_kept_to_is_told_as_it_was_said) {
  EXPECT_EQ(read("paleo stew"), "?paleo 1");
  EXPECT_EQ(read("raw food please"), "?raw food 2");
  EXPECT_EQ(read("low salt stew"), "?low salt 2");
  EXPECT_EQ(read("high-fibre stew"), "?high-fibre 1");
  EXPECT_EQ(read("kidney-friendly stew"), "?kidney-friendly 1");
  EXPECT_EQ(unkept_text({}), "");
  EXPECT_NE(unkept_text({"paleo", "low salt"}).find("“paleo”, “low salt”"), std::string::npos);
}

TEST_F(Diets, a_pack_without_diets_has_none) {
  store.pack().rules.wishes.erase("diet");
  EXPECT_EQ(read("vegan stew"), "");
  EXPECT_EQ(read("walnut-free stew"), "");
}

}  // namespace
}  // namespace alfred::rules
