// What ships in packs/: each loads, fits its own schema.sql, and has the rows it promises.
#include <gtest/gtest.h>

#include <set>

#include "catalogue_for_tests.h"
#include "pack/check.h"
#include "pack/overlay.h"
#include "pack/pack.h"
#include "pack/seed_rows.h"

namespace alfred {
namespace {

// Loaded once: it is the same for every test.
const Pack& pack_named(const std::string& name) {
  static std::map<std::string, Pack> loaded;
  if (const auto known = loaded.find(name); known != loaded.end()) return known->second;
  Result<Pack> pack = load_pack(std::string(ALFRED_SOURCE_DIR) + "/packs/" + name);
  EXPECT_TRUE(pack.has_value()) << pack.error().message << " at " << pack.error().path;
  return loaded[name] = pack ? std::move(*pack) : Pack();
}

const Schema& schema_of(const Pack& pack) {
  static std::map<std::string, Schema> laid;
  if (const auto known = laid.find(pack.name); known != laid.end()) return known->second;
  Result<Schema> schema = overlay(pack, catalogue_of(pack.schema_sql));
  EXPECT_TRUE(schema.has_value()) << schema.error().message << " at " << schema.error().path;
  return laid[pack.name] = schema ? std::move(*schema) : Schema();
}

std::vector<SeedRow> rows_of(Result<std::vector<SeedRow>> rows) {
  EXPECT_TRUE(rows.has_value()) << rows.error().message << " at " << rows.error().path;
  return rows ? std::move(*rows) : std::vector<SeedRow>();
}

std::size_t count(const std::vector<SeedRow>& rows, std::string_view table) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const SeedRow& row) { return row.table == table; }));
}

TEST(Packs, those_in_the_program_are_those_in_the_folder) {
  ASSERT_EQ(embedded_packs(), (std::vector<std::string>{"bookshelf", "kitchen"}));
  for (const std::string& name : embedded_packs()) {
    const Result<Pack> embedded = load_embedded_pack(name);
    ASSERT_TRUE(embedded.has_value()) << embedded.error().message;
    EXPECT_EQ(embedded->fingerprint, pack_named(name).fingerprint);
    EXPECT_EQ(embedded->name, name);
  }
  const Result<Pack> none = load_embedded_pack("garage");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().allowed, embedded_packs());
}

TEST(Kitchen, tables_have_the_refs_and_owners_of_the_design) {
  const Schema& schema = schema_of(pack_named("kitchen"));
  const std::vector<std::pair<const char*, const char*>> refs{
      {"recipes", "recipe"},      {"recipe_ingredients", "ri"},  {"ingredients", "ingredient"},
      {"inventory", "inventory"}, {"shopping_list", "shopping"}, {"meal_plans", "meal"},
      {"tasks", "task"},          {"preferences", "pref"},       {"cooking_log", "log"}};
  ASSERT_EQ(schema.tables().size(), refs.size());
  for (const auto& [table, ref] : refs) {
    ASSERT_NE(schema.find(table), nullptr) << table;
    const Table& found = *schema.find(table);
    EXPECT_EQ(found.ref, ref);
    EXPECT_EQ(found.key, std::vector<std::string>{"id"}) << table;
    EXPECT_EQ(found.key_source, KeySource::ours) << table;
    EXPECT_EQ(found.find("id")->type, FieldType::uuid) << table;
    if (found.name == "ingredients") {
      EXPECT_TRUE(found.is_read_only);
      EXPECT_EQ(found.owner, "");
      continue;
    }
    EXPECT_EQ(found.owner, "user_id");
    EXPECT_TRUE(found.find("user_id")->is_hidden);
    EXPECT_EQ(found.created_at, "created_at");
    EXPECT_EQ(found.updated_at, "updated_at");
    EXPECT_EQ(found.find("updated_at")->type, FieldType::instant);
    EXPECT_EQ(found.batch_policy,
              found.name == "meal_plans" ? BatchPolicy::atomic : BatchPolicy::partial);
  }
}

TEST(Kitchen, links_say_what_becomes_of_rows_on_a_delete) {
  const Schema& schema = schema_of(pack_named("kitchen"));
  const auto link = [&](const char* table, const char* column) {
    return schema.find(table)->find(column)->link.value_or(FieldLink{});
  };
  EXPECT_EQ(link("recipe_ingredients", "recipe_id").table, "recipes");
  EXPECT_EQ(link("recipe_ingredients", "recipe_id").on_delete, OnDelete::cascade);
  EXPECT_EQ(link("recipes", "parent_recipe_id").on_delete, OnDelete::set_null);
  EXPECT_EQ(link("meal_plans", "recipe_id").on_delete, OnDelete::set_null);
  EXPECT_EQ(link("tasks", "meal_plan_id").table, "meal_plans");
  EXPECT_EQ(link("inventory", "ingredient_id").table, "ingredients");
  EXPECT_EQ(schema.find("recipe_ingredients")->find("recipe_id")->type, FieldType::uuid);
  ASSERT_EQ(schema.find("recipes")->relations.size(), 1U);
  EXPECT_EQ(schema.find("recipes")->relations[0].member, "recipe_ingredients");
}

TEST(Kitchen, the_shared_rows_are_a_few_hundred_with_their_categories) {
  const Pack& pack = pack_named("kitchen");
  const std::vector<SeedRow> rows = rows_of(load_seed_rows(pack, schema_of(pack)));
  EXPECT_GE(rows.size(), 300U);
  std::set<std::string> words;
  for (const SeedRow& row : rows) {
    std::set<std::string> columns;
    for (const auto& [column, value] : row.values) {
      columns.insert(column);
      if (column == "name")
        EXPECT_TRUE(words.insert(std::string(std::get<Json>(value).as_string())).second)
            << row.place;
    }
    for (const char* column : {"name", "parent_category", "category", "family"})
      EXPECT_TRUE(columns.contains(column)) << row.place << " has no " << column;
  }
}

TEST(Kitchen, the_demo_is_a_believable_kitchen) {
  const Pack& pack = pack_named("kitchen");
  const std::vector<SeedRow> rows = rows_of(load_demo(pack, schema_of(pack)));
  EXPECT_GE(count(rows, "recipes"), 25U);
  EXPECT_GE(count(rows, "recipe_ingredients"), 200U);
  EXPECT_GE(count(rows, "inventory"), 60U);
  EXPECT_GE(count(rows, "shopping_list"), 8U);
  EXPECT_GE(count(rows, "meal_plans"), 7U);
  EXPECT_GE(count(rows, "tasks"), 5U);
  EXPECT_EQ(count(rows, "preferences"), 1U);
  EXPECT_GE(count(rows, "cooking_log"), 5U);
  for (const SeedRow& row : rows) {
    if (row.table != "preferences") continue;
    for (const auto& [column, value] : row.values)
      if (column == "allergies") EXPECT_EQ(std::get<Json>(value).as_array().size(), 1U);
  }
}

// An allergy is never proposed, so the demo does not break it either.
TEST(Kitchen, no_recipe_of_the_demo_breaks_the_demos_allergy) {
  const Pack& pack = pack_named("kitchen");
  for (const SeedRow& row : rows_of(load_demo(pack, schema_of(pack)))) {
    if (row.table != "recipe_ingredients") continue;
    for (const auto& [column, value] : row.values) {
      if (column != "name") continue;
      const std::string name(std::get<Json>(value).as_string());
      for (const std::string& category : pack.categories.categories_in(name))
        EXPECT_NE(category, "shellfish") << row.place << " " << name;
    }
  }
}

TEST(Kitchen, categories_know_what_people_mean) {
  const Categories& categories = pack_named("kitchen").categories;
  const auto is_in = [&](const char* word, const char* category) {
    const std::vector<std::string> found = categories.categories_in(word);
    return std::find(found.begin(), found.end(), category) != found.end();
  };
  for (const char* word : {"cod", "Salmon fillets", "tilapia", "tuna", "trout", "haddock",
                           "halibut", "sea bass", "mackerel"}) {
    EXPECT_TRUE(is_in(word, "fish")) << word;
    EXPECT_TRUE(is_in(word, "seafood")) << word;
  }
  for (const char* word : {"shrimp", "king prawns, peeled", "crab meat"})
    EXPECT_TRUE(is_in(word, "shellfish")) << word;
  // Nobody who looks for fish means these; who is allergic must not get them.
  const std::vector<std::pair<const char*, const char*>> made_of{
      {"fish sauce", "fish"},      {"dashi", "fish"},         {"oyster sauce", "shellfish"},
      {"shrimp paste", "seafood"}, {"mayonnaise", "eggs"},    {"basil pesto", "nuts"},
      {"almond milk", "nuts"},     {"chicken stock", "meat"}, {"cod", "fish"}};
  for (const auto& [word, avoided] : made_of)
    EXPECT_TRUE(categories.is_avoided(word, avoided)) << word;
  for (const char* word : {"oyster sauce", "shrimp paste"}) EXPECT_FALSE(is_in(word, "shellfish"));
  EXPECT_FALSE(categories.is_avoided("oyster mushroom", "shellfish"));
  EXPECT_FALSE(categories.is_avoided("soy sauce", "fish"));
  EXPECT_FALSE(is_in("oyster mushrooms", "shellfish"));
  EXPECT_FALSE(is_in("coconut milk", "dairy"));
  EXPECT_FALSE(is_in("peanut butter", "dairy"));
  EXPECT_FALSE(is_in("eggplant", "eggs"));
  EXPECT_FALSE(is_in("fish sauce", "fish"));
  EXPECT_TRUE(is_in("fish sauce", "animal products"));
  EXPECT_FALSE(is_in("almond flour", "gluten"));
  EXPECT_TRUE(is_in("2 cloves garlic", "alliums"));
  for (const char* name :
       {"fish", "shellfish", "poultry", "beef", "pork", "lamb", "seafood", "dairy", "cheese",
        "leafy greens", "legumes", "pasta", "noodles", "rice", "herbs", "alliums", "nuts"})
    EXPECT_TRUE(categories.is_category(name)) << name;
}

TEST(Kitchen, constraint_types_are_those_of_the_design) {
  const Pack& pack = pack_named("kitchen");
  std::map<std::string, bool> many;
  for (const ConstraintType& type : pack.constraint_types) many[type.name] = type.is_many;
  EXPECT_EQ(many, (std::map<std::string, bool>{{"ingredient_required", true},
                                               {"ingredient_excluded", true},
                                               {"diet", true},
                                               {"equipment", true},
                                               {"cuisine", true},
                                               {"flavor", true},
                                               {"difficulty", false},
                                               {"time_limit", false},
                                               {"servings", false},
                                               {"count", false},
                                               {"style", false}}));
  EXPECT_EQ(pack.subdomains.size(), 7U);
}

TEST(Kitchen, what_generated_content_may_be_called_is_checked_as_well) {
  std::map<std::string, std::vector<std::string>> in;
  for (const ConstraintType& type : pack_named("kitchen").constraint_types)
    in[type.name] = type.check.in;
  EXPECT_EQ(in["ingredient_required"],
            std::vector<std::string>{"recipe_ingredients/ingredients.name/ingredient/item"});
  EXPECT_EQ(in["servings"], std::vector<std::string>{"servings/serves/yield"});
  EXPECT_TRUE(in["count"].empty());
  EXPECT_TRUE(in["style"].empty());
}

TEST(Kitchen, what_turns_need_is_declared) {
  const Pack& pack = pack_named("kitchen");
  for (const PackEntity& entity : pack.entities) EXPECT_TRUE(entity.layout) << entity.table;
  EXPECT_EQ(pack.profile.table, "preferences");
  EXPECT_EQ(pack.profile.guidance, "subdomain_guidance");
  EXPECT_EQ(pack.profile.constraints.at(0).field, "allergies");
  EXPECT_EQ(pack.profile.constraints.at(0).type, "ingredient_excluded");
  EXPECT_EQ(pack.dashboard.size(), 6U);
}

TEST(Packs, pass_their_own_check) {
  for (const std::string& name : embedded_packs()) {
    const Pack& pack = pack_named(name);
    const Result<PackSummary> summary = check_against(pack, catalogue_of(pack.schema_sql));
    EXPECT_TRUE(summary.has_value()) << summary.error().message << " at " << summary.error().path;
  }
}

TEST(Bookshelf, has_integer_keys_and_a_small_demo) {
  const Pack& pack = pack_named("bookshelf");
  const Schema& schema = schema_of(pack);
  for (const Table& table : schema.tables()) {
    EXPECT_EQ(table.key_source, KeySource::database) << table.name;
    EXPECT_EQ(table.find("id")->type, FieldType::integer) << table.name;
    EXPECT_EQ(table.owner, "");
  }
  EXPECT_EQ(schema.find("books")->find("is_wanted")->type, FieldType::boolean);
  const std::vector<SeedRow> rows = rows_of(load_demo(pack, schema));
  EXPECT_GE(count(rows, "books"), 15U);
  EXPECT_GE(count(rows, "loans"), 5U);
}

}  // namespace
}  // namespace alfred
