#include "alfred/ids.h"

#include <cstdlib>
#include <set>
#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alfred/random.h"

namespace alfred {
namespace {

using SessionId = ShortId<IdKind::session>;
using TurnId = ShortId<IdKind::turn>;

template <IdKind K>
concept has_short_id = requires { typename ShortId<K>; };
template <class A, class B>
concept comparable = requires(A a, B b) { a == b; };

static_assert(sizeof(SessionId) == kShortIdSize);
static_assert(std::is_trivially_copyable_v<SessionId>);
static_assert(!std::is_default_constructible_v<SessionId>);
static_assert(!std::is_constructible_v<TurnId, SessionId>);
static_assert(!std::is_assignable_v<TurnId&, SessionId>);
static_assert(!std::is_constructible_v<SessionId, std::string_view>);
static_assert(!std::is_constructible_v<SessionId, const char*>);
static_assert(!std::is_constructible_v<SessionId, ShortIdText>);
static_assert(!std::is_convertible_v<SessionId, std::string>);
static_assert(!std::is_convertible_v<SessionId, std::string_view>);
static_assert(!std::is_constructible_v<std::string, SessionId>);
static_assert(!comparable<SessionId, TurnId> && comparable<SessionId, SessionId>);
static_assert(!comparable<SessionId, std::string_view>);
static_assert(!has_short_id<IdKind::agent> && has_short_id<IdKind::inbox>);
static_assert(!std::is_constructible_v<AgentId, std::string>);
static_assert(!std::is_convertible_v<AgentId, std::string>);

std::size_t campaign_size(std::size_t quick, std::size_t modest, std::size_t all) {
  const char* size = std::getenv("ALFRED_TEST_SIZE");
  const std::string_view name = size == nullptr ? "modest" : size;
  return name == "all" ? all : name == "quick" ? quick : modest;
}

std::string text_of(const ShortIdText& text) { return {text.data(), text.size()}; }

TEST(IdKinds, R6_prefixes_are_those_of_the_identifier_strategy_and_our_own) {
  const std::vector<std::string_view> expected{"agt", "inb", "hst", "src", "sub", "tgt", "sch",
                                               "str", "itm", "act", "dlv", "evt", "con", "cmt",
                                               "ent", "thr", "ses", "trn", "stp", "art", "usr",
                                               "wsp", "bat", "opn", "prm", "ntf", "ded"};
  std::vector<std::string_view> prefixes;
  std::set<std::string_view> words;
  for (const IdKindRow& row : id_kinds()) {
    prefixes.push_back(row.prefix);
    EXPECT_TRUE(words.insert(row.prefix).second) << row.prefix;
    EXPECT_TRUE(words.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty());
    EXPECT_EQ(&id_kind_row(row.kind), &row);
  }
  EXPECT_EQ(prefixes, expected);
}

TEST(IdKinds, R6_a_kind_is_found_by_name_and_by_prefix) {
  for (const IdKindRow& row : id_kinds()) {
    EXPECT_EQ(find_id_kind(row.name), row.kind);
    EXPECT_EQ(find_id_kind(row.prefix), row.kind);
    EXPECT_EQ(find_id_kind(std::string(row.prefix) + "_"), row.kind);
  }
  for (const std::string_view wrong : {"", "_", "se", "SES", "ses-", "ses__", "sessions", "ses_7"})
    EXPECT_FALSE(find_id_kind(wrong)) << wrong;
}

TEST(ShortId, I7_every_kind_matches_its_pattern) {
  SeededRandom random(7);
  for (const IdKindRow& row : id_kinds()) {
    if (row.kind == IdKind::agent) continue;
    for (int i = 0; i < 50; ++i) {
      const std::string text = text_of(new_short_id_text(row.kind, random));
      ASSERT_EQ(text.size(), kShortIdSize);
      EXPECT_EQ(text.substr(0, 4), std::string(row.prefix) + "_");
      EXPECT_EQ(text.find_first_not_of(kIdAlphabet, 4), text.npos) << text;
      EXPECT_EQ(identify_id(text).value(), row.kind);
    }
  }
}

TEST(ShortId, I7_ids_are_unique) {
  const std::size_t count = campaign_size(20'000, 200'000, 1'000'000);
  std::vector<ShortIdText> ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.push_back(new_short_id_text(IdKind::inbox_entry));
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(ShortId, I7_public_form_is_the_stored_form) {
  SeededRandom random(11);
  const SessionId id = new_short_id<IdKind::session>(random);
  const std::string stored(id.view());
  const SessionId loaded = parse_short_id<IdKind::session>(stored).value();
  EXPECT_EQ(loaded, id);
  EXPECT_EQ(loaded.view(), stored);
  EXPECT_EQ(std::hash<SessionId>{}(loaded), std::hash<SessionId>{}(id));
}

TEST(ShortId, R1_the_text_follows_from_the_seed_on_every_platform) {
  SeededRandom random(1);
  EXPECT_EQ(new_short_id<IdKind::session>(random).view(), "ses_65e47wdmnf7w");
}

// The sum over 32 characters of (seen - expected)^2 / expected: about 31 when all are likely.
double worst_chi_square(Random& random, std::size_t count) {
  std::array<std::array<std::size_t, 32>, kIdTokenSize> seen{};
  for (std::size_t i = 0; i < count; ++i) {
    const ShortIdText text = new_short_id_text(IdKind::turn, random);
    for (std::size_t at = 0; at < kIdTokenSize; ++at) ++seen[at][kIdAlphabet.find(text[at + 4])];
  }
  const double expected = static_cast<double>(count) / 32;
  double worst = 0;
  for (const auto& bins : seen) {
    double sum = 0;
    for (const std::size_t n : bins) {
      const double off = static_cast<double>(n) - expected;
      sum += off * off / expected;
    }
    worst = std::max(worst, sum);
  }
  return worst;
}

// Every eighth draw has one bit cleared: as much bias as a careless modulo would bring.
class BiasedRandom final : public Random {
 public:
  void fill(std::span<std::byte> out) override { source_.fill(out); }
  std::uint64_t next_u64() override {
    const std::uint64_t bits = source_.next_u64();
    return ++draws_ % 8 == 0 ? bits & ~std::uint64_t{1} : bits;
  }

 private:
  SeededRandom source_{5};
  int draws_ = 0;
};

TEST(ShortId, I7_R1_each_character_is_equally_likely_at_each_position) {
  const std::size_t count = campaign_size(32'000, 64'000, 1'000'000);
  SeededRandom seeded(2026);
  EXPECT_LT(worst_chi_square(seeded, count), 70);  // p = 0.0001 each of 12
  OsRandom real;
  EXPECT_LT(worst_chi_square(real, count), 130);  // p = 1e-13
  BiasedRandom biased;
  EXPECT_GT(worst_chi_square(biased, count), 130);
}

TEST(ShortId, R4_accepts_the_strategy_s_examples) {
  EXPECT_TRUE(parse_short_id<IdKind::source>("src_7k2f9m3qw1bx"));
  EXPECT_TRUE(parse_short_id<IdKind::subscription>("sub_d4n8xr1w6pqt"));
  EXPECT_TRUE(parse_short_id<IdKind::inbox_item>("itm_b6tj4r8pm2vk"));
  EXPECT_TRUE(parse_short_id<IdKind::inbox_entry>("ent_m7q4x2p9d8rv"));
}

TEST(ShortId, R4_refuses_everything_else) {
  using namespace std::string_view_literals;
  for (const std::string_view wrong :
       {""sv, "ses"sv, "ses_"sv, "7k2f9m3qw1bx"sv, "ses_7k2f9m3qw1b"sv, "ses_7k2f9m3qw1bxx"sv,
        "SES_7k2f9m3qw1bx"sv, "ses_7K2F9M3QW1BX"sv, "ses_7k2f9m3qw1bi"sv, "ses_lk2f9m3qw1bx"sv,
        "ses_7k2f9mo qwbx"sv, "ses_7k2f9muqw1bx"sv, "ses-7k2f9m3qw1bx"sv, " ses_7k2f9m3qw1bx"sv,
        "ses_7k2f9m3qw1bx\n"sv, "ses_7k2f9m3qw1b\0"sv, "trn_7k2f9m3qw1bx"sv, "ses_1"sv,
        "ses_550e8400-e29b-41d4-a716-446655440000"sv}) {
    const Result<SessionId> parsed = parse_short_id<IdKind::session>(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_EQ(parsed.error().code, ErrorCode::id_syntax);
  }
}

TEST(ShortId, R4_the_error_shows_what_came_and_the_expected_form) {
  const auto message = [](std::string_view text) {
    return parse_short_id<IdKind::session>(text).error().message;
  };
  EXPECT_EQ(
      message("ses_7k2f"),
      "`ses_7k2f` is no id of the kind session: it has 4 characters after the prefix. Expected "
      "ses_ followed by 12 characters of 0123456789abcdefghjkmnpqrstvwxyz.");
  EXPECT_NE(message("trn_7k2f9m3qw1bx").find("the prefix of the kind turn"), std::string::npos);
  EXPECT_NE(message("ses_7k2f9m3qw1bo").find("character 16 is not"), std::string::npos);
  EXPECT_NE(message("\x1b[2J`").find("`\\x1b[2J\\x60`"), std::string::npos);
  EXPECT_NE(message(std::string(5000, 'x')).find("and 4968 bytes more"), std::string::npos);
  EXPECT_LT(message(std::string(5000, 'x')).size(), 250u);
  const std::string uuid = message("ses_550e8400-e29b-41d4-a716-446655440000");
  EXPECT_EQ(uuid.find("550e"), std::string::npos) << uuid;
  EXPECT_NE(uuid.find("a text with a uuid in it (40 bytes)"), std::string::npos) << uuid;
}

TEST(ShortId, R2_orders_as_its_text_and_hashes) {
  SeededRandom random(3);
  std::set<SessionId> ordered;
  std::set<std::string> texts;
  std::unordered_set<SessionId> hashed;
  for (int i = 0; i < 200; ++i) {
    const SessionId id = new_short_id<IdKind::session>(random);
    ordered.insert(id);
    texts.emplace(id.view());
    hashed.insert(id);
  }
  EXPECT_EQ(hashed.size(), texts.size());
  EXPECT_TRUE(
      std::equal(ordered.begin(), ordered.end(), texts.begin(), texts.end(),
                 [](const SessionId& id, const std::string& text) { return id.view() == text; }));
}

RC_GTEST_PROP(ShortId, R4_any_text_parses_to_itself_or_not_at_all, (const std::string& text)) {
  const Result<SessionId> parsed = parse_short_id<IdKind::session>(text);
  if (parsed) RC_ASSERT(parsed->view() == text);
}

RC_GTEST_PROP(ShortId, R4_a_changed_character_is_accepted_only_from_the_alphabet,
              (std::uint64_t seed)) {
  SeededRandom random(seed);
  std::string text(new_short_id<IdKind::session>(random).view());
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, kShortIdSize);
  const char before = text[at];
  text[at] = *rc::gen::arbitrary<char>();
  const bool is_token_character = at >= 4 && kIdAlphabet.find(text[at]) != kIdAlphabet.npos;
  RC_ASSERT(parse_short_id<IdKind::session>(text).has_value() ==
            (text[at] == before || is_token_character));
}

}  // namespace
}  // namespace alfred
