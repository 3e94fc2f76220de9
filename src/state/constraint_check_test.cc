#include "state/constraint_check.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

const Pack& kitchen() {
  static const Pack pack = load_embedded_pack("kitchen").value();
  return pack;
}

Constraint one(std::string type, Json value, std::string field = "") {
  return {std::move(type), std::move(field), std::move(value), 1.0};
}

Result<void> check_all(std::vector<Constraint> goal, std::string_view content,
                       std::vector<Constraint> permanent = {}) {
  SessionConstraints constraints;
  constraints.permanent = std::move(permanent);
  if (!goal.empty()) constraints.active_goal = ActiveGoal{.constraints = std::move(goal)};
  return check_constraints(constraints, kitchen(), parse_json(content, JsonLimits::none()).value(),
                           "artifacts[0]");
}
bool fits(const Constraint& constraint, std::string_view content) {
  const Result<void> checked = check_all({constraint}, content);
  if (!checked) EXPECT_EQ(checked.error().code, ErrorCode::constraint) << content;
  return checked.has_value();
}
// A dish of one ingredient.
bool may_have(const char* excluded, const std::string& ingredient) {
  return fits(one("ingredient_excluded", excluded),
              R"({"name":"Dish","ingredients":[{"name":")" + ingredient + R"("}]})");
}

TEST(ConstraintCheck, R1_what_no_type_checks_informs_only) {
  EXPECT_TRUE(fits(one("style", "fancy"), R"({"name":"Toast"})"));
  EXPECT_TRUE(fits(one("count", 3), R"({"name":"Toast"})"));
  EXPECT_TRUE(fits(one("unheard_of", "x"), R"({"name":"x"})"));
  EXPECT_TRUE(check_all({}, R"({"name":"Shrimp"})"));
}

TEST(ConstraintCheck, R1_nothing_said_is_nothing_broken) {
  for (const char* content : {"{}", R"({"date":"2026-03-02","meal_type":"dinner"})", "[]", "null",
                              R"("shrimp")", R"({"ingredients":null,"flavor_tags":[]})"}) {
    EXPECT_TRUE(fits(one("ingredient_required", "cod"), content)) << content;
    EXPECT_TRUE(fits(one("ingredient_excluded", "shellfish"), content)) << content;
    EXPECT_TRUE(fits(one("time_limit", 30), content)) << content;
    EXPECT_TRUE(fits(one("servings", 4), content)) << content;
    EXPECT_TRUE(fits(one("flavor", "spicy", "heat"), content)) << content;
    EXPECT_TRUE(fits(one("cuisine", "thai"), content)) << content;
  }
  // A thing to buy is asked for no protein.
  EXPECT_TRUE(fits(one("ingredient_required", "cod"), R"({"name":"milk","quantity":1})"));
}

TEST(ConstraintCheck, Scenario18b_shrimp_for_who_must_not_eat_shellfish) {
  const Result<void> checked = check_all(
      {}, R"({"name":"Garlic Pasta","ingredients":[{"name":"spaghetti"},{"name":"shrimp"}]})",
      {one("ingredient_excluded", "shellfish")});
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code, ErrorCode::constraint);
  EXPECT_EQ(checked.error().path, "artifacts[0]");
  EXPECT_EQ(checked.error().message,
            "This breaks a constraint of the user (ingredient_excluded: shellfish): \"shrimp\" is, "
            "or is made with, shellfish. Use something else.");
}

TEST(ConstraintCheck, R2_wherever_the_thing_stands_and_whatever_it_is_called) {
  const Constraint no_shellfish = one("ingredient_excluded", "shellfish");
  for (const char* content :
       {R"({"name":"Shrimp Scampi"})", R"({"title":"Shrimp Scampi"})",
        R"({"name":"Pasta","recipe_ingredients":[{"name":"king prawns, peeled"}]})",
        R"({"name":"Pasta","ingredients":["400 g shrimps, peeled"]})",
        R"({"name":"Pasta","ingredients":[{"item":"crab meat"}]})",
        R"({"name":"Pasta","ingredients":[{"ingredient":"clams"}]})",
        R"({"name":"Pasta","ingredients":"spaghetti, mussels"})",
        R"({"name":"Pasta","instructions":["Boil.","Add the shrimp."]})",
        R"({"name":"Pasta","steps":"Boil. Add the shrimp."})"})
    EXPECT_FALSE(fits(no_shellfish, content)) << content;
  EXPECT_TRUE(fits(no_shellfish, R"({"name":"Pasta","ingredients":["200 g spaghetti","cod"]})"));
}

TEST(ConstraintCheck, R2_what_only_sounds_like_it_is_not_it) {
  EXPECT_TRUE(may_have("eggs", "eggplant"));
  EXPECT_TRUE(may_have("egg", "eggplants, sliced"));
  EXPECT_TRUE(may_have("shellfish", "oyster mushrooms"));
  EXPECT_TRUE(may_have("dairy", "coconut milk"));
  EXPECT_TRUE(may_have("dairy", "peanut butter"));
  EXPECT_TRUE(may_have("milk", "oat milk"));
  EXPECT_TRUE(may_have("nuts", "nutmeg"));
  EXPECT_TRUE(may_have("nuts", "butternut squash"));
  EXPECT_TRUE(may_have("fish", "soy sauce"));
  EXPECT_TRUE(may_have("beef", "cauliflower steaks"));
}

// Who looks for fish does not mean the sauce; who must not eat fish must not eat it either.
TEST(ConstraintCheck, R2_what_is_made_of_it_is_refused_but_is_not_it) {
  EXPECT_FALSE(may_have("fish", "fish sauce"));
  EXPECT_FALSE(fits(one("ingredient_required", "fish"), R"({"ingredients":["fish sauce"]})"));
  EXPECT_TRUE(fits(one("ingredient_excluded", "not_fish"), R"({"ingredients":["cod"]})"));
  EXPECT_FALSE(fits(one("ingredient_excluded", "not_fish"), R"({"ingredients":["fish sauce"]})"));
  EXPECT_FALSE(may_have("eggs", "mayonnaise"));
  EXPECT_FALSE(may_have("shellfish", "oyster sauce"));
  EXPECT_FALSE(may_have("dairy", "basil pesto"));
  EXPECT_FALSE(may_have("sesame", "tahini"));
  EXPECT_FALSE(may_have("wheat", "plain flour"));
  EXPECT_FALSE(may_have("lactose", "greek yogurt"));
  EXPECT_FALSE(may_have("tree nuts", "walnuts, chopped"));
}

TEST(ConstraintCheck, R2_a_word_that_is_no_category_is_refused_by_its_name) {
  EXPECT_FALSE(may_have("peanuts", "peanut butter"));
  EXPECT_FALSE(may_have("blue cheese", "crumbled blue cheese"));
  EXPECT_FALSE(may_have("tomato", "tomatoes, diced"));
  EXPECT_FALSE(may_have("tomato", "tomato paste"));
  EXPECT_FALSE(may_have("msg", "MSG"));
  EXPECT_TRUE(may_have("blue cheese", "cheddar cheese"));
}

TEST(ConstraintCheck, R2_what_it_is_without_does_not_count) {
  for (const char* content :
       {R"({"name":"Pancakes without Eggs"})", R"({"name":"Egg-Free Pancakes"})",
        R"({"name":"Pancakes","ingredients":["egg-free mayonnaise"]})",
        R"({"name":"Pancakes","ingredients":["egg free noodles"]})",
        R"({"name":"Pancakes","instructions":["Mix (no eggs needed), then fry."]})"})
    EXPECT_TRUE(fits(one("ingredient_excluded", "eggs"), content)) << content;
  EXPECT_TRUE(may_have("gluten", "gluten-free flour"));
  EXPECT_TRUE(may_have("milk", "dairy-free yogurt"));
  for (
      const char* content :
      {R"({"name":"Pancakes without Sugar, with Eggs"})", R"({"name":"Gluten-Free Egg Salad"})",
       R"({"name":"No Bake Egg Custard"})",
       R"({"name":"Pancakes","instructions":["Stir without stopping until smooth. Add the egg."]})"})
    EXPECT_FALSE(fits(one("ingredient_excluded", "eggs"), content)) << content;
}

TEST(ConstraintCheck, R2_one_ingredient_is_what_is_required) {
  const char* cod = R"({"name":"Dinner","ingredients":["400 g cod fillets","1 cup rice"]})";
  EXPECT_TRUE(fits(one("ingredient_required", "cod", "protein"), cod));
  EXPECT_TRUE(fits(one("ingredient_required", "fish", "protein"), cod));
  EXPECT_TRUE(fits(one("ingredient_required", "rice", "side"), cod));
  EXPECT_FALSE(fits(one("ingredient_required", "salmon", "protein"), cod));
  EXPECT_FALSE(fits(one("ingredient_required", "shellfish"), cod));
  EXPECT_FALSE(fits(one("ingredient_required", "not_cod"), cod));
  EXPECT_TRUE(fits(one("ingredient_required", "not_salmon"), cod));
  EXPECT_FALSE(fits(one("ingredient_required", "chicken"), R"({"ingredients":["chicken stock"]})"));
  EXPECT_FALSE(
      fits(one("ingredient_required", "oyster"), R"({"ingredients":["oyster mushrooms"]})"));
  EXPECT_TRUE(fits(one("ingredient_required", "quark"), R"({"ingredients":["200 g quark"]})"));
}

TEST(ConstraintCheck, R2_a_diet_stands_for_what_it_leaves_out) {
  const auto may_eat = [](const char* diet, const char* ingredient) {
    return fits(one("diet", diet),
                std::string(R"({"name":"Dish","ingredients":[")") + ingredient + R"("]})");
  };
  EXPECT_FALSE(may_eat("vegetarian", "bacon"));
  EXPECT_FALSE(may_eat("vegetarian", "chicken stock"));
  EXPECT_FALSE(may_eat("vegetarian", "fish sauce"));
  EXPECT_TRUE(may_eat("vegetarian", "feta"));
  EXPECT_TRUE(may_eat("vegetarian", "vegetarian sausages"));
  EXPECT_FALSE(may_eat("vegan", "feta"));
  EXPECT_FALSE(may_eat("vegan", "honey"));
  EXPECT_TRUE(may_eat("vegan", "vegan butter"));
  EXPECT_TRUE(may_eat("Gluten Free", "gluten-free penne"));
  EXPECT_FALSE(may_eat("gluten_free", "penne"));
  EXPECT_TRUE(may_eat("pescatarian", "cod"));
  EXPECT_FALSE(may_eat("halal", "prosciutto"));
  EXPECT_TRUE(may_eat("low-sodium", "salt"));  // nothing says what that leaves out
  EXPECT_TRUE(may_eat("not_vegetarian", "feta"));
  const Result<void> checked = check_all({one("diet", "vegetarian")}, R"({"name":"Beef Stew"})");
  ASSERT_FALSE(checked.has_value());
  EXPECT_NE(checked.error().message.find("diet: vegetarian"), std::string::npos);
}

TEST(ConstraintCheck, R3_numbers_of_all_places_together) {
  const Constraint half_an_hour = one("time_limit", 30);
  EXPECT_TRUE(fits(half_an_hour, R"({"prep_time_minutes":10,"cook_time_minutes":20})"));
  EXPECT_FALSE(fits(half_an_hour, R"({"prep_time_minutes":10,"cook_time_minutes":21})"));
  EXPECT_FALSE(fits(half_an_hour, R"({"cook_time":"45 minutes"})"));
  EXPECT_TRUE(fits(half_an_hour, R"({"prep_time":"about an hour"})"));
  EXPECT_TRUE(fits(half_an_hour, R"({"prep_time_minutes":10,"prep_time":25})"));  // the same twice
  EXPECT_FALSE(fits(one("time_limit", "30 minutes"), R"({"cook_time_minutes":45})"));
  EXPECT_TRUE(fits(one("time_limit", "soon"), R"({"cook_time_minutes":45})"));
  EXPECT_TRUE(fits(one("servings", 4), R"({"servings":4.0})"));
  EXPECT_TRUE(fits(one("servings", 4), R"({"serves":"4 people"})"));
  EXPECT_FALSE(fits(one("servings", 4), R"({"servings":6})"));
  EXPECT_TRUE(fits(one("servings", 4), R"({"servings":"4-6"})"));
  const Result<void> checked = check_all({half_an_hour}, R"({"cook_time_minutes":45})");
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message,
            "This breaks a constraint of the user (time_limit: 30): it comes to 45. Make it 30 or "
            "less.");
}

TEST(ConstraintCheck, R4_tags_by_their_value_and_by_what_people_say) {
  const char* hot = R"({"flavor_tags":["spicy","savory"]})";
  EXPECT_TRUE(fits(one("flavor", "spicy", "heat"), hot));
  EXPECT_TRUE(fits(one("flavor", "hot", "heat"), hot));
  EXPECT_FALSE(fits(one("flavor", "mild", "heat"), hot));
  EXPECT_TRUE(fits(one("flavor", "lemony", "taste"), hot));  // no tag says that
  const char* fryer = R"({"equipment_tags":["air-fryer"]})";
  EXPECT_TRUE(fits(one("equipment", "air fryer"), fryer));
  EXPECT_TRUE(fits(one("equipment", "air_fryer"), fryer));
  EXPECT_FALSE(fits(one("equipment", "pressure cooker"), fryer));
  EXPECT_TRUE(fits(one("difficulty", "simple"), R"({"difficulty":"easy"})"));
  EXPECT_FALSE(fits(one("difficulty", "easy"), R"({"difficulty":"hard"})"));
}

TEST(ConstraintCheck, R4_a_category_of_values_is_known) {
  const Pack shelf = load_embedded_pack("bookshelf").value();
  const auto may_be = [&](const char* wanted, std::string_view content) {
    SessionConstraints constraints;
    constraints.permanent = {one("genre", wanted)};
    return check_constraints(constraints, shelf, parse_json(content, JsonLimits::none()).value(),
                             "")
        .has_value();
  };
  EXPECT_TRUE(may_be("fiction", R"({"genre":"mystery"})"));
  EXPECT_TRUE(may_be("stories", R"({"genre":"mystery"})"));
  EXPECT_FALSE(may_be("stories", R"({"genre":"history"})"));
  EXPECT_TRUE(may_be("sci-fi", R"({"genre":"science fiction"})"));
  EXPECT_FALSE(may_be("not_fiction", R"({"genre":"novel"})"));
  EXPECT_TRUE(may_be("gardening", R"({"genre":"history"})"));
}

TEST(ConstraintCheck, R4_of_several_wanted_of_one_text_one_is_enough) {
  const std::vector<Constraint> two{one("cuisine", "thai"), one("cuisine", "italian")};
  EXPECT_TRUE(check_all(two, R"({"cuisine":"Italian"})"));
  EXPECT_TRUE(check_all(two, R"({"cuisine":"thai fusion"})"));
  EXPECT_FALSE(check_all(two, R"({"cuisine":"mexican"})"));
  // A list has room for all.
  EXPECT_FALSE(check_all({one("equipment", "oven"), one("equipment", "grill")},
                         R"({"equipment_tags":["oven"]})"));
}

TEST(ConstraintCheck, R5_not_asks_for_the_opposite) {
  EXPECT_FALSE(fits(one("flavor", "not_spicy", "heat"), R"({"flavor_tags":["spicy"]})"));
  EXPECT_FALSE(fits(one("flavor", "not_hot", "heat"), R"({"flavor_tags":["spicy"]})"));
  EXPECT_TRUE(fits(one("flavor", "not_spicy", "heat"), R"({"flavor_tags":["mild"]})"));
  EXPECT_FALSE(fits(one("cuisine", "not_thai"), R"({"cuisine":"Thai"})"));
}

TEST(ConstraintCheck, permanent_and_goal_both_hold) {
  const std::vector<Constraint> always{one("ingredient_excluded", "nuts")};
  const std::vector<Constraint> goal{one("time_limit", 20)};
  EXPECT_FALSE(check_all(goal, R"({"name":"Walnut Bread","cook_time_minutes":10})", always));
  EXPECT_FALSE(check_all(goal, R"({"name":"Bread","cook_time_minutes":50})", always));
  EXPECT_TRUE(check_all(goal, R"({"name":"Bread","cook_time_minutes":10})", always));
}

TEST(ConstraintCheck, R6_a_long_text_is_cut) {
  const std::string step = "Add the shrimp and " + std::string(500, 'x');
  const Result<void> checked =
      check_all({one("ingredient_excluded", "shrimp")}, R"({"instructions":[")" + step + R"("]})");
  ASSERT_FALSE(checked.has_value());
  EXPECT_LT(checked.error().message.size(), 300U);
}

}  // namespace
}  // namespace alfred
