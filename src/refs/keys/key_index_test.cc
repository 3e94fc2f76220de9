#include "refs/keys/key_index.h"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/test_size.h"

namespace alfred {
namespace {

EntityNo found(const KeyIndex& index, std::uint64_t hash, EntityNo entity) {
  const KeyIndex::Place place = index.find(hash, [&](EntityNo at) { return at == entity; });
  return place.is_there() ? index.at(place) : kNoEntity;
}

// What an index is told, so that it can be told again when it grew.
struct Told {
  KeyIndex index;
  std::map<EntityNo, std::uint64_t> hashes;

  void add(std::uint64_t hash, EntityNo entity) {
    if (!index.has_room(1, entity + 1)) {
      index.reset(hashes.size() + hashes.size() / 4 + 1, entity + 1);
      for (const auto& [known, its_hash] : hashes) index.add(its_hash, known);
    }
    index.add(hash, entity);
    hashes[entity] = hash;
  }
  void remove(EntityNo entity) {
    index.remove(index.find(hashes[entity], [&](EntityNo at) { return at == entity; }));
    hashes.erase(entity);
  }
  void expect_all_found() const {
    ASSERT_EQ(index.size(), hashes.size());
    for (const auto& [entity, hash] : hashes) ASSERT_EQ(found(index, hash, entity), entity);
  }
};

TEST(KeyIndex, R1_what_was_added_is_found_until_it_is_removed) {
  std::mt19937_64 random(20260103);
  Told told;
  for (std::size_t i = 0; i < test_size({4'000, 40'000, 400'000}); ++i) {
    const auto entity = static_cast<EntityNo>(i);
    told.add(random(), entity);
    const EntityNo older = entity / 2 + entity / 4;
    if (i % 3 != 0 || !told.hashes.contains(older)) continue;
    const std::uint64_t hash = told.hashes[older];
    told.remove(older);
    ASSERT_EQ(found(told.index, hash, older), kNoEntity);
  }
  told.expect_all_found();
}

TEST(KeyIndex, R1_who_is_not_found_is_added_once) {
  std::mt19937_64 random(20260104);
  KeyIndex index;
  index.reset(3'000, 3'000);
  std::map<std::uint64_t, EntityNo> known;
  for (EntityNo next = 0; next < 3'000;) {
    const std::uint64_t hash = random() % 5 == 0 ? random() % 40 << 56 : random();
    const auto it = known.find(hash);
    const EntityNo wanted = it == known.end() ? next : it->second;
    ASSERT_EQ(
        index.find_or_add(hash, next, [&](EntityNo at) { return at == wanted && at != next; }),
        wanted);
    if (it == known.end()) known[hash] = next++;
    ASSERT_EQ(index.size(), known.size());
    if (known.size() % 97 == 0) {  // a slot in the middle is free again
      const auto gone = known.begin();
      index.remove(index.find(gone->first, [&](EntityNo at) { return at == gone->second; }));
      known.erase(gone);
    }
  }
  for (const auto& [hash, entity] : known) ASSERT_EQ(found(index, hash, entity), entity);
}

TEST(KeyIndex, R1_many_of_one_hash_pass_from_group_to_group) {
  Told told;
  for (EntityNo entity = 0; entity < 200; ++entity) told.add(0x8000000000000000, entity);
  told.expect_all_found();
  for (EntityNo entity = 0; entity < 200; entity += 2) told.remove(entity);
  told.expect_all_found();
  EXPECT_EQ(found(told.index, 0x8000000000000000, 100), kNoEntity);
}

TEST(KeyIndex, R2_entities_beyond_three_bytes_are_told_apart) {
  Told told;
  std::mt19937_64 random(5);
  const std::uint64_t hash = random();
  for (const EntityNo entity : {7U, 0xffffffU, 0x1000000U, 0x1000007U, 0x2000007U, 999'999'998U})
    told.add(hash, entity);
  told.expect_all_found();
  told.remove(0x1000007);
  told.expect_all_found();
  EXPECT_EQ(found(told.index, hash, 0x1000007), kNoEntity);
}

TEST(KeyIndex, R3_going_up_and_down_does_not_grow_it) {
  std::mt19937_64 random(11);
  Told told;
  for (EntityNo entity = 0; entity < 1'000; ++entity) told.add(random(), entity);
  const std::size_t bytes = told.index.memory_bytes();
  for (int i = 0; i < 20'000; ++i) {
    told.add(random(), 1'000);
    told.remove(1'000);
  }
  EXPECT_LE(told.index.memory_bytes(), 2 * bytes);
  told.expect_all_found();
}

}  // namespace
}  // namespace alfred
