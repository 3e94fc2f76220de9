#include "base/ids/mint.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace alfred {
namespace {

// Gives only `values` different draws: collisions are the rule.
class FewRandom final : public Random {
 public:
  FewRandom(std::uint64_t seed, std::uint64_t values) : source_(seed), values_(values) {}
  void fill(std::span<std::byte> out) override { source_.fill(out); }
  std::uint64_t next_u64() override { return source_.next_u64() % values_; }

 private:
  SeededRandom source_;
  std::uint64_t values_;
};

// A table with a unique constraint that counts what it is asked.
struct Table {
  std::set<std::string> rows;
  int asked = 0;
  template <class Id>
  Result<bool> insert(const Id& id) {
    ++asked;
    return rows.emplace(id.view()).second;
  }
};

template <IdKind K>
Result<ShortId<K>> mint_into(Table& table, Random& random) {
  return mint<K>(random, [&](const ShortId<K>& id) { return table.insert(id); });
}

Result<AgentId> mint_agent_into(Table& table, Random& random) {
  return mint_agent_id(random, [&](const AgentId& id) { return table.insert(id); });
}

TEST(Mint, R1_a_free_id_takes_one_try) {
  Table table;
  SeededRandom random(1);
  const auto id = mint_into<IdKind::session>(table, random);
  ASSERT_TRUE(id);
  EXPECT_EQ(table.asked, 1);
  EXPECT_TRUE(table.rows.contains(std::string(id->view())));
}

TEST(Mint, E8_a_collision_is_answered_with_a_new_token) {
  Table table;
  FewRandom random(3, 2);  // one bit: an alphabet of two, length one
  ASSERT_TRUE(mint_into<IdKind::session>(table, random));
  ASSERT_TRUE(mint_into<IdKind::session>(table, random));
  EXPECT_EQ(table.rows.size(), 2u);
}

TEST(Mint, E8_gives_up_after_eight_tries_with_storage) {
  Table table;
  FewRandom random(1, 1);
  ASSERT_TRUE(mint_into<IdKind::session>(table, random));
  table.asked = 0;
  const auto second = mint_into<IdKind::session>(table, random);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::storage);
  EXPECT_NE(second.error().message.find("kind session was found in 8 tries"), std::string::npos);
  EXPECT_EQ(table.asked, 8);
  EXPECT_EQ(table.rows.size(), 1u);
}

TEST(Mint, R2_an_error_of_the_store_comes_back_as_it_is) {
  SeededRandom random(1);
  int asked = 0;
  const auto full = [&](const auto&) -> Result<bool> {
    ++asked;
    return fail(ErrorCode::file, "disk full", "row 1");
  };
  const auto id = mint<IdKind::batch>(random, full);
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().code, ErrorCode::file);
  EXPECT_EQ(id.error().message, "disk full");
  EXPECT_EQ(id.error().path, "row 1");
  EXPECT_FALSE(mint_agent_id(random, full));
  EXPECT_EQ(asked, 2);
}

TEST(Mint, E8_agent_names_add_a_suffix_after_eight_collisions) {
  Table table;
  FewRandom random(1, 1);
  EXPECT_EQ(mint_agent_into(table, random).value().view(), "agt_able-alder");
  table.asked = 0;
  EXPECT_EQ(mint_agent_into(table, random).value().view(), "agt_able-alder-0000");
  EXPECT_EQ(table.asked, 9);
  table.asked = 0;
  const Result<AgentId> third = mint_agent_into(table, random);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::storage);
  EXPECT_EQ(table.asked, 16);
}

// Every record is stored under the id that came back, or there was an error and no row.
RC_GTEST_PROP(Mint, I7_under_forced_collisions_inserts_are_distinct_and_none_is_lost, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto values = *rc::gen::inRange<std::uint64_t>(1, 64);
  FewRandom random(seed, values);
  Table table;
  std::set<std::string> minted;
  for (int i = 0; i < 100; ++i) {
    const auto id = mint_into<IdKind::operation>(table, random);
    if (id)
      RC_ASSERT(minted.emplace(id->view()).second);
    else
      RC_ASSERT(id.error().code == ErrorCode::storage);
    RC_ASSERT(minted == table.rows);
  }
  RC_ASSERT(minted.size() <= values);
}

TEST(Mint, I7_agents_outnumbering_the_names_are_all_stored) {
  constexpr std::size_t kNames = 256;
  FewRandom random(9, std::uint64_t{1} << 36);
  const auto few_words = [&](const AgentId& id, Table& table) -> Result<bool> {
    // Only names of the first adjective are free: the rest of the list is taken.
    const bool is_suffixed = std::count(id.view().begin(), id.view().end(), '-') == 2;
    if (!is_suffixed && !id.view().starts_with("agt_able-")) return false;
    return table.insert(id);
  };
  Table table;
  for (std::size_t i = 0; i < 2 * kNames; ++i)
    ASSERT_TRUE(mint_agent_id(random, [&](const AgentId& id) { return few_words(id, table); }));
  EXPECT_EQ(table.rows.size(), 2 * kNames);
}

}  // namespace
}  // namespace alfred
