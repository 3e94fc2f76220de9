#include "state/working_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "refs/keys/key_door_for_tests.h"

namespace alfred {
namespace {

class Tiers : public testing::Test {
 protected:
  Tiers() { type_ = registry.type_named("book", "books").value(); }

  std::string read(std::int64_t key) {
    return std::string(
        registry.ref(registry.register_read(type_, KeyView::integer(key)).value()).text());
  }
  std::string generate(std::string_view label) {
    return std::string(
        registry.ref(registry.register_generated(type_, label, {1, 0}).value()).text());
  }
  Tier tier(std::string_view ref) { return tier_of(registry, set, registry.find(ref), 2); }

  RefRegistry registry;
  WorkingSet set;
  TypeNo type_ = 0;
};

TEST_F(Tiers, I25_the_window_is_exact_at_its_boundary) {
  registry.begin_turn(1);
  const std::string book = read(1);
  for (const std::uint32_t turn : {1U, 2U, 3U}) {
    registry.begin_turn(turn);
    EXPECT_EQ(tier(book), Tier::active) << turn;
  }
  registry.begin_turn(4);
  EXPECT_EQ(tier(book), Tier::archived);
  registry.retain(registry.find(book), "the one to lend");
  EXPECT_EQ(tier(book), Tier::retained);
}

TEST_F(Tiers, D23_what_is_generated_stays_whatever_its_age) {
  registry.begin_turn(1);
  const std::string made = generate("A Story");
  registry.begin_turn(40);
  EXPECT_EQ(tier(made), Tier::generated);
  set.turn_away({made, 40, false});
  EXPECT_EQ(tier(made), Tier::generated);
  set.turn_away({made, 40, true});
  EXPECT_EQ(tier(made), Tier::archived);
}

TEST_F(Tiers, R3_who_was_turned_away_comes_back_when_spoken_of_later) {
  registry.begin_turn(1);
  const std::string book = read(1);
  set.turn_away({book, 1, false});
  EXPECT_EQ(tier(book), Tier::archived);
  registry.begin_turn(2);
  registry.mark_referenced(registry.find(book), "that book");
  EXPECT_EQ(tier(book), Tier::active);
}

TEST_F(Tiers, R1_the_deleted_are_archived) {
  registry.begin_turn(1);
  const std::string book = read(1);
  registry.mark_deleted(registry.find(book));
  EXPECT_EQ(tier(book), Tier::archived);
}

TEST_F(Tiers, R1_the_background_has_its_reason) {
  registry.begin_turn(1);
  const std::string book = read(1);
  set.background = {{book, "contains: whales"}};
  EXPECT_EQ(tier(book), Tier::background);
  const EntityTiers tiers = entity_tiers(registry, set, {});
  ASSERT_EQ(tiers.background.size(), 1U);
  EXPECT_EQ(tiers.background[0].relevance_reason, "contains: whales");
  EXPECT_TRUE(tiers.active.empty());
}

TEST_F(Tiers, R4_nested_rows_are_not_listed) {
  registry.begin_turn(1);
  read(1);
  const TypeNo page = registry.type_named("page", "pages").value();
  EXPECT_TRUE(registry.register_read(page, KeyView::integer(7)));
  EXPECT_EQ(entity_tiers(registry, set, {.nested = {"page"}}).active.size(), 1U);
  EXPECT_EQ(entity_tiers(registry, set, {}).active.size(), 2U);
}

// Every entity is in one tier, and each list holds those of its tier.
RC_GTEST_FIXTURE_PROP(Tiers, I25_tiers_are_disjoint_and_whole, ()) {
  for (std::uint32_t turn = 1; turn < 9; ++turn) {
    registry.begin_turn(turn);
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      const EntityNo known =
          registry.size() == 0 ? kNoEntity : *rc::gen::inRange(0U, registry.size());
      switch (*rc::gen::inRange(0, 7)) {
        case 0: read(*rc::gen::inRange(1, 9)); break;
        case 1: generate("x"); break;
        case 2:
          if (known != kNoEntity) registry.mark_deleted(known);
          break;
        case 3:
          if (known != kNoEntity) registry.retain(known, "why");
          break;
        case 4:
          if (known != kNoEntity)
            set.turn_away(
                {std::string(registry.ref(known).text()), turn, *rc::gen::inRange(0, 2) == 0});
          break;
        case 5:
          if (known != kNoEntity) registry.mark_referenced(known, "it");
          break;
        default:
          set.background.clear();
          if (known != kNoEntity)
            set.background.push_back({std::string(registry.ref(known).text()), "r"});
      }
    }
    const EntityTiers tiers = entity_tiers(registry, set, {});
    std::size_t archived = 0;
    for (EntityNo entity = 0; entity < registry.size(); ++entity)
      archived += tier_of(registry, set, entity, 2) == Tier::archived ? 1 : 0;
    RC_ASSERT(tiers.active.size() + tiers.generated.size() + tiers.retained.size() +
                  tiers.background.size() + archived ==
              registry.size());
    for (const EntitySnapshot& one : tiers.active) RC_ASSERT(one.turn_last_ref + 2 >= turn);
    for (const EntitySnapshot& one : tiers.generated) RC_ASSERT(one.status == RefStatus::generated);
  }
}

}  // namespace
}  // namespace alfred
