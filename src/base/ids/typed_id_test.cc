#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alfred/ids.h"
#include "alfred/random.h"
#include "base/quoted_text.h"

namespace alfred {
namespace {

TEST(TypedId, R5_forgives_case_and_characters_that_look_alike) {
  EXPECT_EQ(normalize_typed_id("ses_7k2f9m3qw1bx"), "ses_7k2f9m3qw1bx");
  EXPECT_EQ(normalize_typed_id("SES_7K2F9M3QW1BX"), "ses_7k2f9m3qw1bx");
  EXPECT_EQ(normalize_typed_id(" \t ses_OoIiLl3qw1bx\r\n"), "ses_0011113qw1bx");
  EXPECT_EQ(normalize_typed_id("Dlv_7k2f9m3qw1bx"), "dlv_7k2f9m3qw1bx");
  EXPECT_EQ(normalize_typed_id("CON_7K2F9M3QW1BO"), "con_7k2f9m3qw1b0");
}

TEST(TypedId, R5_leaves_the_words_of_agents_alone) {
  EXPECT_EQ(normalize_typed_id(" AGT_Jolly-Lion"), "agt_jolly-lion");
  EXPECT_EQ(normalize_typed_id("agt_jolly-lion-OIL7"), "agt_jolly-lion-0117");
}

TEST(TypedId, R5_what_gives_no_id_is_only_trimmed) {
  EXPECT_EQ(normalize_typed_id(""), "");
  EXPECT_EQ(normalize_typed_id(" \n"), "");
  EXPECT_EQ(normalize_typed_id(" My Own Agent "), "My Own Agent");
  EXPECT_EQ(normalize_typed_id("SES_7K2F"), "SES_7K2F");
  EXPECT_EQ(normalize_typed_id("s0s_7k2f9m3qw1bx"), "s0s_7k2f9m3qw1bx");
  EXPECT_EQ(normalize_typed_id("ses_7k2f9m3qw1bU"), "ses_7k2f9m3qw1bU");
  EXPECT_EQ(normalize_typed_id("Agt_Lone"), "Agt_Lone");
  EXPECT_EQ(normalize_typed_id("\xffses_"), "\xffses_");
}

RC_GTEST_PROP(TypedId, R5_normalizing_twice_is_normalizing_once, (const std::string& text)) {
  const std::string prefix = *rc::gen::element<std::string>("", "ses_", "AGT_", "agt_a-Lol-");
  const std::string once = normalize_typed_id(prefix + text);
  RC_ASSERT(normalize_typed_id(once) == once);
}

RC_GTEST_PROP(TypedId, R5_finds_back_what_was_typed_in_upper_case, (std::uint64_t seed)) {
  SeededRandom random(seed);
  const std::string id(new_short_id<IdKind::delivery>(random).view());
  std::string typed = id;
  for (char& c : typed) {
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
    else if (c == '0')
      c = *rc::gen::element('o', 'O');
    else if (c == '1')
      c = *rc::gen::element('i', 'I', 'l', 'L');
  }
  RC_ASSERT(normalize_typed_id(typed) == id);
}

TEST(IdentifyId, tells_the_kind_by_the_form) {
  EXPECT_EQ(identify_id("src_7k2f9m3qw1bx").value(), IdKind::source);
  EXPECT_EQ(identify_id("ded_7k2f9m3qw1bx").value(), IdKind::dead_letter);
  EXPECT_EQ(identify_id("agt_copper-fox").value(), IdKind::agent);
  EXPECT_EQ(identify_id("agt_copper-fox-7k2f").value(), IdKind::agent);
}

TEST(IdentifyId, refuses_agent_names_of_another_form) {
  for (const std::string_view wrong :
       {"agt_", "agt_fox", "agt_copper-", "agt_-fox", "agt_copper-fox-", "agt_copper-fox-7k2",
        "agt_copper-fox-7k2fx", "agt_copper-fox-7k2o", "agt_Copper-fox", "agt_co-fox",
        "agt_copperish-fox", "agt_copper-fox-7k2f-7k2f", "agt_copper_fox", "agt_7k2f9m3qw1bx"}) {
    const Result<IdKind> kind = identify_id(wrong);
    ASSERT_FALSE(kind) << wrong;
    EXPECT_EQ(kind.error().code, ErrorCode::id_syntax);
    EXPECT_NE(kind.error().message.find("agt_<word>-<word>"), std::string::npos);
  }
}

TEST(IdentifyId, names_the_prefixes_when_there_is_none) {
  for (const std::string_view wrong : {"", "ses", "ses7", "inbox_7k2f9m3qw1bx", "book_1", "user"}) {
    const Result<IdKind> kind = identify_id(wrong);
    ASSERT_FALSE(kind) << wrong;
    for (const IdKindRow& row : id_kinds())
      EXPECT_NE(kind.error().message.find(row.prefix), std::string::npos) << row.prefix;
  }
}

TEST(QuotedText, R1_shows_printable_ascii_and_escapes_the_rest) {
  EXPECT_EQ(quoted_text("a b~"), "`a b~`");
  EXPECT_EQ(quoted_text("\n\x7f\xc3\xa9\\`"), "`\\x0a\\x7f\\xc3\\xa9\\x5c\\x60`");
  EXPECT_EQ(quoted_text(""), "an empty text");
}

TEST(QuotedText, R2_cuts_what_is_long) {
  EXPECT_EQ(quoted_text(std::string(32, 'y')), '`' + std::string(32, 'y') + '`');
  EXPECT_EQ(quoted_text(std::string(33, 'y')), '`' + std::string(32, 'y') + "` and 1 bytes more");
}

TEST(QuotedText, R3_never_shows_a_uuid) {
  const std::string dashed = "550e8400-e29b-41d4-a716-446655440000";
  const std::string plain = "550E8400E29B41D4A716446655440000";
  for (const std::string& text : {dashed, plain, "src_" + dashed, "key {" + plain + "}"})
    EXPECT_EQ(quoted_text(text).find_first_of("5e4d"), quoted_text(text).find("text") + 1) << text;
  EXPECT_EQ(quoted_text("550e8400-e29b"), "`550e8400-e29b`");
}

}  // namespace
}  // namespace alfred
