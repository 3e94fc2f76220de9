#include "played_kitchen.h"

#include <stdexcept>

#include <fmt/format.h>

#include "engine/open_place.h"

namespace alfred::bench {
namespace {

constexpr std::size_t kIngredients = 5;
constexpr int kLinked = 60;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message + " " + result.error().detail);
  return std::move(*result);
}

JsonObject recipe(std::size_t number) {
  JsonArray ingredients;
  for (std::size_t i = 0; i < kIngredients; ++i) {
    const std::size_t linked = (number * 7 + i * 11) % std::size_t{kLinked} + 1;
    ingredients.push_back(JsonObject{{"ingredient_id", fmt::format("ingredient_{}", linked)},
                                     {"name", fmt::format("ingredient number {}", linked)},
                                     {"quantity", 0.5 * static_cast<double>(i + 1)},
                                     {"unit", i % 2 == 0 ? "cup" : "g"}});
  }
  return {{"name", fmt::format("Weeknight dish number {}", number)},
          {"cuisine", "asian"},
          {"difficulty", number % 2 == 0 ? "easy" : "intermediate"},
          {"prep_time_minutes", static_cast<int>(10 + number % 20)},
          {"cook_time_minutes", 15},
          {"servings", 4},
          {"instructions", JsonArray{"Brush with the glaze and bake at 200 °C for 12 minutes."}},
          {"recipe_ingredients", std::move(ingredients)}};
}

void fill(RecordService& service) {
  const JsonObject linked{{"table", "ingredients"}, {"columns", {"name"}}, {"limit", kLinked}};
  must(service.call("db_read", linked, OpId::random()));
  JsonArray rows;
  for (std::size_t i = 1; i <= kRecipes; ++i) rows.push_back(recipe(i));
  must(service.call("db_create", JsonObject{{"table", "recipes"}, {"data", std::move(rows)}},
                    OpId::random()));
}

std::string understood(std::string_view message) {
  return fmt::format(
      R"({{"processed_message":"{}","entity_mentions":[],"constraint_snapshot":)"
      R"({{"new_constraints":[],"override_constraints":[],"reset_goal":false,"goal_update":null,)"
      R"("source_phrases":[]}},"entity_curation":{{"retain":[],"demote":[],"drop":[],)"
      R"("clear_all":false}},"quick_mode":false,"quick_mode_confidence":"medium",)"
      R"("quick_intent":null,"quick_subdomain":null,"ambiguity":"clear",)"
      R"("default_assumptions":[],"conversation_phase":"exploring","user_expressed":null}})",
      message);
}

std::string planned(std::string_view type, std::string_view subdomain, std::string_view what) {
  return fmt::format(
      R"({{"goal":"{}","decision":"plan_direct","proposal":null,"questions":[],"steps":[)"
      R"({{"step_type":"{}","subdomain":"{}","group":1,"description":"{}"}}]}})",
      what, type, subdomain, what);
}

std::string tool_call(std::string_view tool, std::string_view params) {
  return fmt::format(R"({{"action":"tool_call","tool":"{}","params":{}}})", tool, params);
}

}  // namespace

PlayedKitchen::PlayedKitchen() {
  PlaceOptions options;
  options.data_dir = folder_.file("");
  place_ = must(open_place(options, clock_, random_));
  fill(*must(RecordService::open(place_, clock_, random_)));
}

std::unique_ptr<Session> PlayedKitchen::open_in(const RecordPlace& place, const std::string& id) {
  SessionOptions options;
  options.id = id;
  return must(Session::open(place, std::move(options), clock_, random_));
}

ScriptedTurn recipes_in_play() {
  return {"what can I cook on a weeknight?",
          {understood("weeknight recipes"),
           planned("read", "recipes", "Find the recipes for weeknights"),
           tool_call("db_read",
                     R"({"table":"recipes","filters":[{"field":"name","op":"like",)"
                     R"("value":"Weeknight%"}],"include":["recipe_ingredients"],"limit":50})")}};
}

ScriptedTurn whole_turn(int number) {
  return {
      fmt::format("I bought jam, jar number {}", number),
      {understood("add a jar of jam"),
       planned("write", "inventory", "Add the jar to the inventory"),
       tool_call("db_read", R"({"table":"inventory","limit":5})"),
       tool_call("db_create", fmt::format(R"({{"table":"inventory","data":{{"name":"jam, jar {}",)"
                                          R"("quantity":1,"unit":"jar","location":"pantry"}}}})",
                                          number)),
       R"({"action":"step_complete","result_summary":"the jar is added"})",
       "The jar is in your inventory. Shall I look for anything to make with it?",
       R"({"assistant_summary":"added a jar of jam","history_summary":null,)"
       R"("engagement_summary":null})"}};
}

TurnProgress play(Session& session, const ScriptedTurn& turn) {
  TurnProgress now = must(session.start(turn.message));
  for (const std::string& text : turn.answers) {
    if (now.asks.size() != 1) throw std::runtime_error("not one ask is out before: " + text);
    now = must(session.answer({now.asks.front().id, text}));
  }
  if (!now.asks.empty() && now.asks.front().attempt > 1)
    throw std::runtime_error("an answer was sent back: " + now.asks.front().user);
  return now;
}

}  // namespace alfred::bench
