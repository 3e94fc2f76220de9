#include "refs/keys/record_key.h"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "refs/keys/key_door_for_tests.h"

namespace alfred {
namespace {

using Door = KeyDoorForTests;

constexpr std::string_view kUuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";

// Character by character, nothing clever.
bool naive_uuid(std::string_view text, UuidBits& bits) {
  bits = {};
  int digits = 0;
  for (std::size_t i = 0; i < 36; ++i) {
    const char c = text[i];
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (c != '-') return false;
      continue;
    }
    std::uint64_t value = 0;
    if (c >= '0' && c <= '9')
      value = static_cast<std::uint64_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = static_cast<std::uint64_t>(c - 'a' + 10);
    else
      return false;
    std::uint64_t& half = digits++ < 16 ? bits.high : bits.low;
    half = half << 4 | value;
  }
  return true;
}

void expect_as_naive(std::string_view text) {
  UuidBits expected;
  UuidBits bits;
  const bool is_uuid = naive_uuid(text, expected);
  ASSERT_EQ(read_canonical_uuid(text.data(), bits), is_uuid) << text;
  UuidBits inner;
  const std::string followed = std::string(text) + "\",\"name\":\"Rice";
  ASSERT_GE(followed.size(), 48U);
  ASSERT_EQ(read_inner_uuid(followed.data(), inner), is_uuid) << text;
  if (!is_uuid) return;
  ASSERT_TRUE(inner == bits) << text;
  ASSERT_EQ(bits.high, expected.high) << text;
  ASSERT_EQ(bits.low, expected.low) << text;
  ASSERT_EQ(uuid_text(bits, Door::door()), text);
}

TEST(CanonicalUuid, R3_every_byte_at_every_position_is_read_as_a_naive_reader_does) {
  for (const std::string_view base :
       {kUuid, std::string_view("00000000-0000-0000-0000-000000000000"),
        std::string_view("ffffffff-ffff-ffff-ffff-ffffffffffff")})
    for (std::size_t at = 0; at < 36; ++at)
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(base);
        text[at] = static_cast<char>(byte);
        expect_as_naive(text);
      }
}

RC_GTEST_PROP(CanonicalUuid, R3_any_uuid_is_read_and_written_exactly,
              (std::uint64_t high, std::uint64_t low)) {
  const std::string text = uuid_text({high, low}, Door::door());
  RC_ASSERT(text.size() == 36u);
  UuidBits bits;
  RC_ASSERT(naive_uuid(text, bits));
  RC_ASSERT(bits == (UuidBits{high, low}));
  RC_ASSERT(read_canonical_uuid(text.data(), bits));
  RC_ASSERT(bits == (UuidBits{high, low}));
}

TEST(RecordKeys, R3_other_spellings_of_a_uuid_are_text_byte_for_byte) {
  EXPECT_EQ(RecordKey::from_text(kUuid).kind(), KeyKind::uuid);
  EXPECT_EQ(Door::text(RecordKey::from_text(kUuid)), kUuid);
  std::string bare(kUuid);
  std::erase(bare, '-');
  for (const std::string& text :
       {std::string("A508000D-9B55-40F0-8886-DBDD88BD2DE2"), bare, "{" + std::string(kUuid) + "}",
        std::string(kUuid) + " ", std::string(kUuid.substr(1)), std::string(),
        std::string("a508000d-9b55-40f0-8886-dbdd88bd2deg"),
        std::string("a508000d09b55040f0088860dbdd88bd2de2"), std::string("\0x", 2)}) {
    const RecordKey key = RecordKey::from_text(text);
    EXPECT_EQ(key.kind(), KeyKind::text);
    EXPECT_EQ(Door::text(key), text);
  }
}

TEST(RecordKeys, integers_keep_their_value_at_the_extremes) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t value : {Limits::min(), Limits::min() + 1, std::int64_t{-1},
                                   std::int64_t{0}, std::int64_t{1}, Limits::max()})
    EXPECT_EQ(Door::text(RecordKey::integer(value)), std::to_string(value));
  EXPECT_FALSE(RecordKey::integer(Limits::min()) == RecordKey::integer(Limits::max()));
}

TEST(RecordKeys, keys_of_different_kinds_are_different_whatever_they_hold) {
  const RecordKey one = RecordKey::integer(1);
  const RecordKey parts[] = {one, one};
  const RecordKey keys[] = {one, RecordKey::text("1"), RecordKey::uuid({1, 0}),
                            RecordKey::composite(parts), RecordKey::text("")};
  for (std::size_t a = 0; a < std::size(keys); ++a)
    for (std::size_t b = 0; b < std::size(keys); ++b) {
      EXPECT_EQ(keys[a] == keys[b], a == b);
      EXPECT_EQ(keys[a].view() == keys[b].view(), a == b);
    }
}

TEST(RecordKeys, a_text_and_its_view_are_equal_however_they_were_made) {
  const std::string text = "ordinary text";
  EXPECT_TRUE(RecordKey::text(text).view() == KeyView::text("ordinary text"));
  EXPECT_TRUE(RecordKey(KeyView::text(text)) == RecordKey::text(text));
  EXPECT_FALSE(RecordKey::text("Ordinary text") == RecordKey::text(text));
}

RecordKey any_part() {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return RecordKey::uuid(
          {*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::uint64_t>(0, 3)});
    case 1: return RecordKey::integer(*rc::gen::arbitrary<std::int64_t>());
    default: return RecordKey::text(*rc::gen::arbitrary<std::string>());
  }
}

std::vector<RecordKey> some_parts() {
  std::vector<RecordKey> parts;
  for (int count = *rc::gen::inRange(2, 6); count > 0; --count) parts.push_back(any_part());
  return parts;
}

RC_GTEST_PROP(RecordKeys, a_composite_gives_back_its_parts, ()) {
  const std::vector<RecordKey> parts = some_parts();
  const RecordKey key = RecordKey::composite(parts);
  RC_ASSERT(key.kind() == KeyKind::composite);
  RC_ASSERT((key.parts() == parts));
  RC_ASSERT((RecordKey(key.view()).parts() == parts));
}

RC_GTEST_PROP(RecordKeys, composites_are_equal_just_when_their_parts_are, ()) {
  const std::vector<RecordKey> a = some_parts();
  const std::vector<RecordKey> b = *rc::gen::arbitrary<bool>() ? a : some_parts();
  RC_ASSERT((RecordKey::composite(a) == RecordKey::composite(b)) == (a == b));
}

TEST(RecordKeys, a_composite_does_not_run_its_parts_together) {
  const RecordKey left[] = {RecordKey::text("ab"), RecordKey::text("c")};
  const RecordKey right[] = {RecordKey::text("a"), RecordKey::text("bc")};
  EXPECT_FALSE(RecordKey::composite(left) == RecordKey::composite(right));
}

TEST(RecordKeys, a_key_that_is_no_composite_is_its_only_part) {
  const RecordKey key = RecordKey::text("x");
  ASSERT_EQ(key.parts().size(), 1u);
  EXPECT_TRUE(key.parts().front() == key);
}

}  // namespace
}  // namespace alfred
