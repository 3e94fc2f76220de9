#include "refs/hiding/key_shapes.h"

#include "base/test_seed.h"
#include "base/test_size.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

const std::string kUuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";
const std::string kOther = "f527cc94-5af5-451d-9e4a-16fdb9582bdc";

// The text with what must be hidden replaced by [].
std::string hidden(const KeyStore& keys, std::string_view text) {
  KeyPieces pieces(keys);
  std::vector<TextSpan> spans;
  find_key_spans(text, pieces, spans);
  std::string out;
  std::size_t copied = 0;
  for (const TextSpan& span : spans) {
    EXPECT_LT(span.from, span.upto);
    EXPECT_TRUE(span.from > copied || (span.from == 0 && copied == 0)) << "spans touch: " << text;
    out += std::string(text.substr(copied, span.from - copied)) + "[]";
    copied = span.upto;
  }
  return out + std::string(text.substr(copied));
}

std::string hidden(std::string_view text) { return hidden(KeyStore(1), text); }

struct Known {
  KeyStore keys{1};
  explicit Known(std::initializer_list<RecordKey> known) {
    EntityNo former = 0;
    for (const RecordKey& key : known) keys.append(0, keys.size() + 1, key.view(), former);
  }
  std::string hides(std::string_view text) const { return hidden(keys, text); }
};

TEST(KeyShapes, R1_a_uuid_is_hidden_wherever_it_stands) {
  EXPECT_EQ(hidden(kUuid), "[]");
  EXPECT_EQ(hidden("see " + kUuid + "."), "see [].");
  EXPECT_EQ(hidden("{" + kUuid + "}"), "{[]}");
  EXPECT_EQ(hidden("urn:uuid:" + kUuid), "urn:uuid:[]");
  EXPECT_EQ(hidden("id=" + kUuid + "&x=" + kOther), "id=[]&x=[]");
  EXPECT_EQ(hidden("é" + kUuid + "é"), "é[]é");
  EXPECT_EQ(hidden(kUuid + "-" + kOther), "[]-[]");
  EXPECT_EQ(hidden("12345678-1234-1234-1234-" + kUuid), "12345678-1234-1234-1234-[]");
}

TEST(KeyShapes, R1_a_uuid_joined_to_another_is_hidden_as_well) {
  std::string bare = kOther;
  std::erase(bare, '-');
  for (const std::string& other : {kOther, bare})
    for (const char* between : {"_", "", "x", "0", "a", "__", "_x_", "Z9", "é"})
      for (const std::string& text : {kUuid + between + other, other + between + kUuid,
                                      kUuid + between + other + between + kUuid})
        EXPECT_EQ(hidden("<" + text + ">").find_first_of("0123456789"), std::string::npos) << text;
  // The second begins inside the first.
  EXPECT_EQ(hidden(kUuid + kOther.substr(8)), "[]");
}

TEST(KeyShapes, R1_in_any_case_with_all_some_or_no_dashes) {
  for (int dashes = 0; dashes < 16; ++dashes)
    for (const bool is_upper : {false, true}) {
      std::string text;
      int dash = 0;
      for (const char c : kUuid)
        if (c != '-' || (dashes >> dash++ & 1) != 0)
          text += is_upper ? static_cast<char>(std::toupper(c)) : c;
      EXPECT_EQ(hidden("<" + text + ">"), "<[]>") << text;
    }
}

TEST(KeyShapes, R1_at_every_offset) {
  for (std::size_t pad = 0; pad < 40; ++pad) {
    const std::string before(pad, '.');
    EXPECT_EQ(hidden(before + kUuid + before), before + "[]" + before);
    EXPECT_EQ(hidden("abcdef " + before + kUuid), "abcdef " + before + "[]");
  }
}

// Texts of hex digits and spaces: every run of eight to 31 digits is told, wherever it stands.
TEST(KeyShapes, R2_no_run_of_eight_digits_is_overlooked) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << seed);
  SeededRandom random(seed);
  const KeyStore keys(1);
  std::size_t told = 0;
  for (std::size_t round = test_size({500, 5000, 100'000}); round > 0; --round) {
    const std::uint64_t spaces = 2 + random.next_u64() % 12;
    std::string text(random.next_u64() % 400, ' ');
    for (char& c : text)
      if (random.next_u64() % spaces != 0) c = "0123456789abcdefABCDEF"[random.next_u64() % 22];
    std::vector<std::uint32_t> expected;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t upto = std::min(text.find(' ', from), text.size());
      for (std::size_t at = from; upto - from < 32 && at + 8 <= upto; ++at)
        expected.push_back(static_cast<std::uint32_t>(std::stoul(text.substr(at, 8), nullptr, 16)));
      from = upto + 1;
    }
    KeyPieces pieces(keys);
    std::vector<TextSpan> spans;
    std::vector<std::uint32_t> unknown;
    find_key_spans(text, pieces, spans, &unknown);
    ASSERT_EQ(unknown, expected) << text;
    told += unknown.size();
  }
  EXPECT_GT(told, 0U);
}

TEST(KeyShapes, R1_what_is_nearly_a_uuid_stays) {
  for (const std::string& text :
       {kUuid.substr(0, 35), std::string("a508000d-9b55-40f0-8886-dbdd88bd2deg"),
        std::string("a508000d-9b55-40f0-8886"), std::string("a508000d_9b55_40f0_8886_dbdd88bd2de2"),
        std::string("a508000d--9b55-40f0-8886-dbdd88bd2de2"), std::string(31, 'a'),
        std::string("covid_19 route_66 gen_x_1 recipe_1"), std::string()})
    EXPECT_EQ(hidden(text), text);
}

TEST(KeyShapes, R2_the_ends_of_a_known_uuid_are_hidden_in_any_case) {
  const Known known({RecordKey::from_text(kUuid)});
  for (const char* text : {"a508000d", "a508000d-9b55", "88bd2de2", "8886-dbdd88bd2de2", "A508000D",
                           "..88BD2DE2", "a508000d9b55", "x_a508000d_y", "00a508000d"})
    EXPECT_NE(known.hides(text), text);
  EXPECT_EQ(known.hides("id:..88bd2de2 ok"), "id:..[] ok");
  EXPECT_EQ(known.hides("a508000d-…"), "[]-…");
  for (const char* text : {"a508000", "8bd2de2", "9b5540f0", "deadbeef", "f527cc94"})
    EXPECT_EQ(known.hides(text), text);
}

TEST(KeyShapes, R2_long_integers_are_known_by_value) {
  const Known known({RecordKey::integer(123456789), RecordKey::integer(-87654321),
                     RecordKey::integer(INT64_MIN), RecordKey::integer(7654321)});
  EXPECT_EQ(known.hides("nr 123456789"), "nr []");
  EXPECT_EQ(known.hides("12345678 23456789"), "[] []");
  EXPECT_EQ(known.hides("-87654321"), "-[]");
  EXPECT_EQ(known.hides("-9223372036854775808"), "-[]");
  EXPECT_EQ(known.hides("54775808"), "[]");
  EXPECT_EQ(known.hides("7654321 34567891"), "7654321 34567891");
}

TEST(KeyShapes, R2_long_texts_are_known_by_value) {
  const Known known(
      {RecordKey::text("INV-2024-0117"), RecordKey::text("short12"), RecordKey::text("exactly8")});
  EXPECT_EQ(known.hides("bill INV-2024-0117, paid"), "bill [], paid");
  EXPECT_EQ(known.hides("INV-2024"), "[]");
  EXPECT_EQ(known.hides("…024-0117"), "…[]");
  EXPECT_EQ(known.hides("exactly8 nexactly8n"), "[] []");
  EXPECT_EQ(known.hides("inv-2024 INV-202 short12"), "inv-2024 INV-202 short12");
}

TEST(KeyShapes, R5_words_and_times_that_are_keys_hide_nothing) {
  for (const char* key :
       {"breakfast", "Science Fiction", "São Paulo", "2026-02-28", "O'Brien & Sons",
        "2026-02-28T17:05:00.000Z", "short12", "inProgress", "JavaScript", "UPPERCASE"})
    EXPECT_FALSE(looks_like_key(key)) << key;
  for (const char* key :
       {"INV-2024-0117", "zanzibar-quux", "exactly8", "2026-02-28/7", "user_names", "deadbeef",
        "QwErTyUiOpAs", "aGxkQpWz", "A508000D9B5540F08886DBDD88BD2DE2"})
    EXPECT_TRUE(looks_like_key(key)) << key;
}

TEST(KeyShapes, R2_a_hex_text_key_is_known_in_any_case) {
  const Known known({RecordKey::text("A508000D9B5540F08886DBDD88BD2DE2")});
  EXPECT_EQ(known.hides("a508000d and 88bd2de2"), "[] and []");
}

TEST(KeyShapes, R2_the_parts_of_a_composite_are_known) {
  const RecordKey parts[] = {RecordKey::from_text(kUuid), RecordKey::integer(123456789),
                             RecordKey::text("INV-2024-0117")};
  const Known known({RecordKey::composite(parts)});
  EXPECT_EQ(known.hides("a508000d 123456789 INV-2024-0117 0117"), "[] [] [] 0117");
}

TEST(KeyShapes, R2_keys_that_become_known_later_are_learned) {
  Shelf shelf;
  KeyPieces pieces(shelf.registry.keys());
  shelf.generate();
  EXPECT_FALSE(pieces.knows_hex(0xa508000d));
  const RecordKey key = RecordKey::from_text(kUuid);
  shelf.registry.register_created(shelf.book, key.view(), "gen_book_1").value();
  EXPECT_TRUE(pieces.knows_hex(0xa508000d));
  EXPECT_FALSE(pieces.knows_hex(0xf527cc94));
  shelf.registry.register_read(shelf.book, RecordKey::from_text(kOther).view()).value();
  EXPECT_TRUE(pieces.knows_hex(0xf527cc94));
}

TEST(KeyShapes, R3_what_looks_like_a_literal_is_hidden) {
  EXPECT_EQ(hidden("lit_1 lit_0 lit_007 (lit_12)"), "[] [] [] ([])");
  EXPECT_EQ(hidden("lit_99999999999999999999 élit_1é"), "[] é[]é");
  for (const char* text :
       {"lit_", "lit_x", "split_12", "lit_1a", "lit_1_", "Lit_1", "lit-1", "lit"})
    EXPECT_EQ(hidden(text), text);
}

TEST(KeyShapes, R3_a_literal_after_a_known_key_does_not_uncover_it) {
  const Known known({RecordKey::text("INV-2024-0117")});
  EXPECT_EQ(known.hides("INV-2024-0117, lit_1, INV-2024"), "[], [], []");
}

TEST(KeyShapes, R4_a_span_covers_whole_words_and_code_points) {
  EXPECT_EQ(hidden("pre" + kUuid + "_post x"), "[] x");
  EXPECT_EQ(hidden(kUuid + "lit_1"), "[]");
  const Known known({RecordKey::text("caffé-bar"), RecordKey::text("épées-12")});
  EXPECT_EQ(known.hides("x caffé-bar y"), "x [] y");
  EXPECT_EQ(known.hides("(affé-bar)"), "([])");
  EXPECT_EQ(known.hides("aé"
                        "épées-12b"),
            "aé[]");
  EXPECT_EQ(known.hides("aépées-12b"), "[]");
  const Known cut({RecordKey::text("no-é1234567"), RecordKey::text("7654321é-no")});
  EXPECT_EQ(cut.hides("(é1234567)"), "([])");  // eight bytes from the end is inside the é
  EXPECT_EQ(cut.hides("(7654321è)"), "([])");  // as is eight from the start
}

TEST(KeyShapes, hex_runs_that_are_not_known_yet_are_told) {
  const KeyStore keys(1);
  KeyPieces pieces(keys);
  std::vector<TextSpan> spans;
  std::vector<std::uint32_t> unknown;
  find_key_spans("a508000d1 " + kOther, pieces, spans, &unknown);
  EXPECT_EQ(unknown, (std::vector<std::uint32_t>{0xa508000d, 0x508000d1}));
  EXPECT_EQ(spans.size(), 1u);
}

TEST(KeyShapes, an_error_repeats_no_run_of_eight_hex_digits) {
  EXPECT_TRUE(has_key_shape("a508000d"));
  EXPECT_TRUE(has_key_shape("xx A508000Dxx"));
  EXPECT_TRUE(has_key_shape("12345678"));
  EXPECT_FALSE(has_key_shape("a508000-d123456"));
  EXPECT_FALSE(has_key_shape("recipe_1"));
  for (std::size_t size = 0; size < 40; ++size)
    for (std::size_t from = 0; from <= size; ++from)
      for (std::size_t upto = from; upto <= size; ++upto) {
        std::string text(size, 'x');
        text.replace(from, upto - from, upto - from, 'a');
        ASSERT_EQ(has_key_shape(text), upto - from >= 8) << text;
      }
}

}  // namespace
}  // namespace alfred
