// The three test scenarios of ID translation, as far as they concern the registry.
#include "refs/keys/key_door_for_tests.h"
#include "refs/registry/ref_registry.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

std::string shown(const RefRegistry& registry, EntityNo entity) {
  return std::string(registry.ref(entity).text());
}

// The key a ref would be given to the database as.
std::string key_text(const RefRegistry& registry, std::string_view ref, std::string_view type) {
  const EntityNo entity = registry.resolve(ref, type).value();
  return KeyDoorForTests::text(RecordKey(registry.key(entity)));
}

TEST(Seed000, Seed000Scenario1_read_then_delete) {
  RefRegistry registry;
  const TypeNo recipe = registry.type_named("recipe", "recipes").value();
  std::vector<std::string> refs;
  for (std::uint64_t i = 0; i < 3; ++i)
    refs.push_back(shown(registry, registry.register_read(recipe, uuid_key(i).view()).value()));
  EXPECT_EQ(refs, (std::vector<std::string>{"recipe_1", "recipe_2", "recipe_3"}));
  for (std::uint64_t i = 0; i < 3; ++i)
    EXPECT_EQ(key_text(registry, refs[i], "recipe"), KeyDoorForTests::text(uuid_key(i)));
  for (const std::string& ref : refs) registry.mark_deleted(registry.find(ref));
  for (const std::string& ref : refs)
    EXPECT_EQ(registry.resolve(ref, "recipe").error().code, ErrorCode::ref_deleted);
  EXPECT_EQ(registry.live_count(), 0u);
}

TEST(Seed000, Seed000Scenario2_generate_then_save) {
  RefRegistry registry;
  const TypeNo recipe = registry.type_named("recipe", "recipes").value();
  const TypeNo ri = registry.type_named("ri", "recipe_ingredients").value();
  EXPECT_EQ(shown(registry, registry.register_generated(recipe, "Cod", {1, 0}).value()),
            "gen_recipe_1");
  EXPECT_EQ(shown(registry, registry.register_generated(recipe, "Salmon", {1, 1}).value()),
            "gen_recipe_2");
  for (std::uint64_t i = 1; i <= 2; ++i) {
    const std::string n = std::to_string(i);
    const EntityNo saved =
        registry.register_created(recipe, uuid_key(i).view(), "gen_recipe_" + n).value();
    EXPECT_EQ(shown(registry, saved), "recipe_" + n);
  }
  for (std::uint64_t i = 1; i <= 2; ++i) {
    const std::string n = std::to_string(i);
    const std::string key = KeyDoorForTests::text(uuid_key(i));
    EXPECT_EQ(key_text(registry, "recipe_" + n, "recipe"), key);
    EXPECT_EQ(key_text(registry, "gen_recipe_" + n, "recipe"), key);
    EXPECT_EQ(shown(registry, registry.register_created(ri, uuid_key(10 + i).view()).value()),
              "ri_" + n);
  }
}

TEST(Seed000, Seed000Scenario3_read_then_update) {
  RefRegistry registry;
  const TypeNo inventory = registry.type_named("inventory", "inventory").value();
  registry.register_read(inventory, uuid_key(1).view()).value();
  registry.register_read(inventory, uuid_key(2).view()).value();
  EXPECT_EQ(key_text(registry, "inventory_1", "inventory"), KeyDoorForTests::text(uuid_key(1)));
  registry.mark_updated(registry.find("inventory_1"));
  EXPECT_EQ(registry.status(registry.find("inventory_1")), RefStatus::updated);
  EXPECT_EQ(registry.status(registry.find("inventory_2")), RefStatus::read);
}

}  // namespace
}  // namespace alfred
