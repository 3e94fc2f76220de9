#include "base/keyed_random.h"

#include <gtest/gtest.h>

#include <vector>

namespace alfred {
namespace {

std::vector<std::byte> drawn(Random& random, std::size_t size) {
  std::vector<std::byte> bytes(size);
  random.fill(bytes);
  return bytes;
}

TEST(KeyedRandom, the_same_key_gives_the_same_bytes_however_they_are_drawn) {
  OsRandom os;
  const KeyedRandom::Key key = KeyedRandom::new_key(os);
  KeyedRandom whole(key);
  KeyedRandom pieces(key);
  const std::vector<std::byte> all = drawn(whole, 5000);
  std::vector<std::byte> joined;
  for (const std::size_t size : {1u, 16u, 1007u, 1024u, 2952u}) {
    const std::vector<std::byte> piece = drawn(pieces, size);
    joined.insert(joined.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(joined, all);
  pieces.restart();
  EXPECT_EQ(drawn(pieces, 5000), all);
}

TEST(KeyedRandom, blocks_and_keys_differ) {
  OsRandom os;
  KeyedRandom one(KeyedRandom::new_key(os));
  KeyedRandom other(KeyedRandom::new_key(os));
  const std::vector<std::byte> first = drawn(one, 1024);
  EXPECT_NE(drawn(one, 1024), first);
  EXPECT_NE(drawn(other, 1024), first);
}

TEST(KeyedRandom, a_key_survives_as_text) {
  OsRandom os;
  const KeyedRandom::Key key = KeyedRandom::new_key(os);
  EXPECT_EQ(KeyedRandom::key_from_text(KeyedRandom::key_text(key)).value(), key);
  EXPECT_FALSE(KeyedRandom::key_from_text("ab"));
  EXPECT_FALSE(KeyedRandom::key_from_text(std::string(64, 'x')));
  EXPECT_FALSE(KeyedRandom::key_from_text(KeyedRandom::key_text(key) + "00"));
}

}  // namespace
}  // namespace alfred
