#include "refs/hiding/literal_mask.h"

#include <regex>

#include <rapidcheck/gtest.h>

#include "base/utf8.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

const std::string kUuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";

// Keys of every kind, and the texts of those that are long enough to be known by value.
struct Session {
  Shelf shelf;
  std::vector<std::string> long_keys;

  Session() {
    const RecordKey parts[] = {RecordKey::integer(314159265), RecordKey::text("part-of-it")};
    for (const RecordKey& key :
         {RecordKey::from_text(kUuid), RecordKey::integer(123456789), RecordKey::integer(-98765432),
          RecordKey::text("INV-2024-0117"), RecordKey::text("caffé-bar"), RecordKey::integer(42),
          RecordKey::text("short"), RecordKey::text("no-é1234567"), RecordKey::composite(parts)}) {
      shelf.registry.register_read(shelf.book, key.view()).value();
      for (const RecordKey& part : key.parts())
        if (const std::string text = KeyDoorForTests::text(part); text.size() >= 8)
          long_keys.push_back(text.front() == '-' ? text.substr(1) : text);
    }
  }
  std::string mask(std::string_view text) {
    return std::string(LiteralMask(shelf.registry).mask(text).value().view());
  }
  Result<std::string> restore(std::string_view text) const {
    return LiteralMask::restore(shelf.registry, text);
  }
};

// I-3: no uuid in any form, no eight characters from either end of a known key.
bool shows_key(const Session& session, const std::string& masked) {
  static const std::regex uuid("[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}",
                               std::regex::icase);
  if (std::regex_search(masked, uuid)) return true;
  for (const std::string& key : session.long_keys)
    if (masked.find(key.substr(0, 8)) != std::string::npos ||
        masked.find(key.substr(key.size() - 8)) != std::string::npos)
      return true;
  return false;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string nasty_piece() {
  static const std::string bare = "a508000d9b5540f08886dbdd88bd2de2";
  static const std::string fresh = "f527cc94-5af5-451d-9e4a-16fdb9582bdc";
  static const std::vector<std::string> pieces{kUuid,
                                               upper(kUuid),
                                               bare,
                                               upper(bare),
                                               fresh,
                                               "{" + kUuid + "}",
                                               "a508000d9b55-40f0-8886-",
                                               "dbdd88bd2de2",
                                               "a508000d",
                                               "A508000D-9B55",
                                               "88bd2de2",
                                               "a508000",
                                               "-9b55-40f0-8886-",
                                               "123456789",
                                               "12345678",
                                               "-98765432",
                                               "8765432",
                                               "INV-2024-0117",
                                               "INV-2024",
                                               "24-0117",
                                               "caffé-bar",
                                               "affé-bar",
                                               "é1234567",
                                               "1234567",
                                               "part-of-it",
                                               "314159265",
                                               "42",
                                               "short",
                                               "lit_1",
                                               "lit_0",
                                               "lit_2",
                                               "lit_",
                                               "lit_99999999999",
                                               "split_12",
                                               "recipe_1",
                                               "route_66",
                                               "é",
                                               "日本",
                                               "\xf0\x9f\x8d\xb2",
                                               "_",
                                               "-",
                                               " ",
                                               "\n",
                                               "\"",
                                               "\\",
                                               "word",
                                               "x",
                                               "7",
                                               "f",
                                               "{",
                                               "}"};
  return *rc::gen::elementOf(pieces);
}

std::string nasty_text() {
  std::string text;
  for (int count = *rc::gen::inRange(0, 14); count > 0; --count) text += nasty_piece();
  return text;
}

RC_GTEST_PROP(LiteralMasks, R1_R2_I6_I3_any_text_is_restored_exactly_and_shows_no_key, ()) {
  Session session;
  for (int i = 0; i < 4; ++i) {
    const std::string text = nasty_text();
    const std::string masked = session.mask(text);
    RC_LOG() << text << "\n" << masked << "\n";
    RC_ASSERT(!shows_key(session, masked));
    RC_ASSERT(is_utf8(masked));
    RC_ASSERT(session.restore(masked).value() == text);
    // Masking what is masked is as good: a text may pass through twice.
    const std::string twice = session.mask(masked);
    RC_ASSERT(session.restore(twice).value() == masked);
  }
}

RC_GTEST_PROP(LiteralMasks, R1_I6_any_bytes_are_restored_exactly, (const std::string& a)) {
  Session session;
  const std::string text = a + nasty_piece() + a;
  RC_ASSERT(session.restore(session.mask(text)).value() == text);
}

TEST(LiteralMasks, R1_a_text_is_never_taken_for_the_number_that_is_written_like_it) {
  Session session;
  session.shelf.registry.begin();
  RefRegistry& registry = session.shelf.registry;
  const std::vector<std::string> texts{"+12345678", "++12345678", "+-1.5e3",
                                       "+",         "++x",        "12345678"};
  std::vector<std::string> shown;
  for (const std::string& text : texts)
    shown.push_back(LiteralMask::name(registry.register_literal(text).value()));
  const std::string number = LiteralMask::name(registry.register_hidden_number("12345678").value());
  EXPECT_EQ(LiteralMask::hidden_number(registry, number), "12345678");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_NE(shown[i], number);
    EXPECT_EQ(LiteralMask::hidden_number(registry, shown[i]), std::nullopt) << texts[i];
    EXPECT_EQ(LiteralMask::restore(registry, "a " + shown[i] + "!").value(), "a " + texts[i] + "!");
  }
  for (const char* const other : {"lit_99", "lit_", "lit_0", "lit_1x", "x"})
    EXPECT_EQ(LiteralMask::hidden_number(registry, other), std::nullopt) << other;
  EXPECT_EQ(LiteralMask::name(registry.register_hidden_number("12345678").value()), number);
}

TEST(LiteralMasks, D7_key_shaped_text_is_shown_as_a_literal_never_as_a_ref) {
  Session session;
  ASSERT_EQ(session.shelf.ref(0), "book_1");  // whose key it is
  EXPECT_EQ(session.mask("copied from " + kUuid + "!"), "copied from lit_1!");
  EXPECT_EQ(session.mask(kUuid), "lit_1");
  EXPECT_EQ(session.mask(upper(kUuid)), "lit_2");
  EXPECT_EQ(session.restore("lit_2 then lit_1").value(), upper(kUuid) + " then " + kUuid);
}

TEST(LiteralMasks, R2_a_ref_that_a_person_types_is_that_ref_also_where_a_key_reads_the_same) {
  Session session;
  for (std::int64_t key = 1; session.shelf.registry.find("book_100") == kNoEntity; ++key)
    session.shelf.registry.register_read(session.shelf.book, RecordKey::integer(key).view())
        .value();
  session.shelf.registry.register_read(session.shelf.book, RecordKey::text("book_100").view())
      .value();
  session.shelf.registry.register_read(session.shelf.book, RecordKey::text("book_900").view())
      .value();
  EXPECT_EQ(session.mask("delete book_100"), "delete lit_1");
  const auto typed = LiteralMask(session.shelf.registry)
                         .mask_around_refs("delete book_100, book_900 and " + kUuid);
  EXPECT_EQ(typed.value().view(), "delete book_100, lit_2 and lit_3");
}

TEST(LiteralMasks, B14_B15_text_that_reads_like_a_ref_stays_text) {
  Session session;
  for (const char* text :
       {"route_66", "covid_19", "gen_x_1", "like recipe_1", "book_1", "split_12"}) {
    EXPECT_EQ(session.mask(text), text);
    EXPECT_EQ(session.restore(text).value(), text);
  }
  EXPECT_EQ(session.shelf.registry.literals().size(), 0u);
}

TEST(LiteralMasks, B22_a_literal_that_a_person_typed_survives) {
  Session session;
  EXPECT_EQ(session.mask("I wrote lit_1 and lit_0 myself"), "I wrote lit_1 and lit_2 myself");
  EXPECT_EQ(session.mask(kUuid), "lit_3");
  EXPECT_EQ(session.mask("lit_3"), "lit_4");
  EXPECT_EQ(session.restore("lit_1 lit_2 lit_3 lit_4").value(), "lit_1 lit_0 " + kUuid + " lit_3");
}

TEST(LiteralMasks, R3_a_literal_never_shown_is_refused) {
  Session session;
  session.mask(kUuid);
  for (const char* text : {"lit_2", "see lit_0", "lit_01", "lit_4294967297", "lit_1 lit_2",
                           "lit_99999999999999999999999", "(lit_3)"}) {
    const Result<std::string> restored = session.restore(text);
    ASSERT_FALSE(restored) << text;
    EXPECT_EQ(restored.error().code, ErrorCode::literal_unknown);
  }
  for (const char* text : {"split_2", "lit_2x", "lit_", "lit_two", "Lit_2"})
    EXPECT_EQ(session.restore(text).value(), text);
}

TEST(LiteralMasks, a_literal_past_the_limit_is_an_error) {
  Shelf shelf({.max_entities = 10, .max_literals = 1});
  LiteralMask mask(shelf.registry);
  EXPECT_TRUE(mask.mask(kUuid));
  EXPECT_EQ(mask.mask("lit_1").error().code, ErrorCode::limit);
}

TEST(LiteralMasks, rolled_back_literals_are_unknown_again) {
  Session session;
  session.shelf.registry.begin();
  const std::string masked = session.mask(kUuid);
  session.shelf.registry.rollback();
  EXPECT_EQ(session.restore(masked).error().code, ErrorCode::literal_unknown);
}

TEST(LiteralMasks, R2_a_key_that_comes_with_a_save_is_hidden_from_then_on) {
  Shelf shelf;
  LiteralMask mask(shelf.registry);
  shelf.generate();
  EXPECT_EQ(mask.mask("..88bd2de2").value().view(), "..88bd2de2");
  const RecordKey key = RecordKey::from_text(kUuid);
  shelf.registry.register_created(shelf.book, key.view(), "gen_book_1").value();
  EXPECT_EQ(mask.mask("..88bd2de2").value().view(), "..lit_1");
}

}  // namespace
}  // namespace alfred
