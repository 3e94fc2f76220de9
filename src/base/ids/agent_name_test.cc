#include "base/ids/agent_name.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alfred/ids.h"
#include "alfred/random.h"
#include "base/ids/agent_words.h"

namespace alfred {
namespace {

TEST(AgentWords, R1_are_short_lower_case_sorted_and_distinct_across_the_lists) {
  std::set<std::string_view> words;
  for (const auto* list : {&kAgentAdjectives, &kAgentNouns}) {
    EXPECT_TRUE(std::is_sorted(list->begin(), list->end()));
    for (const std::string_view word : *list) {
      EXPECT_TRUE(words.insert(word).second) << word;
      EXPECT_TRUE(word.size() >= 3 && word.size() <= 7) << word;
      EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), word.npos) << word;
    }
  }
  EXPECT_EQ(words.size(), 512u);
}

TEST(AgentName, I7_generated_names_have_the_words_form) {
  SeededRandom random(4);
  std::set<std::string> firsts;
  for (int i = 0; i < 5000; ++i) {
    const std::string name(AgentId::random(random).view());
    EXPECT_TRUE(is_generated_agent_name(name)) << name;
    EXPECT_EQ(std::count(name.begin(), name.end(), '-'), 1) << name;
    firsts.insert(name.substr(4, name.find('-') - 4));
    const std::string longer(AgentId::random_with_suffix(random).view());
    EXPECT_TRUE(is_generated_agent_name(longer)) << longer;
    EXPECT_EQ(std::count(longer.begin(), longer.end(), '-'), 2) << longer;
    EXPECT_EQ(parse_agent_id(name).value().view(), name);
  }
  EXPECT_EQ(firsts.size(), kAgentAdjectives.size()) << "every word is reached";
}

TEST(AgentId, I7_a_user_s_own_id_is_kept_verbatim) {
  for (const std::string_view own :
       {"x", " padded ", "Agent Smith", "AGT_COPPER-FOX", "ses_7k2f9m3qw1bx", "münchen",
        "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\xa6\x8a", "a\xc2\xa0z", "a/b?c=d&e", "'; drop table"})
    EXPECT_EQ(parse_agent_id(own).value().view(), own);
  EXPECT_TRUE(parse_agent_id(std::string(kMaxAgentIdBytes, 'a')));
}

TEST(AgentId, R3_refuses_what_is_blank) {
  for (const std::string_view blank : {"", " ", "   ", "\xc2\xa0", "\xe2\x80\x83 \xe3\x80\x80",
                                       "\xe2\x80\xa8\xe2\x80\xa9\xe1\x9a\x80"}) {
    const Result<AgentId> parsed = parse_agent_id(blank);
    ASSERT_FALSE(parsed) << blank;
    EXPECT_EQ(parsed.error().code, ErrorCode::id_syntax);
    EXPECT_NE(parsed.error().message.find("blank"), std::string::npos);
  }
}

TEST(AgentId, R3_refuses_control_characters_and_says_where) {
  for (unsigned c = 0; c < 0xa0; ++c) {
    if (c >= 0x20 && c < 0x7f) continue;
    std::string text = "ab";
    if (c >= 0x80) text += '\xc2';
    text += static_cast<char>(c);
    const Result<AgentId> parsed = parse_agent_id(text);
    ASSERT_FALSE(parsed) << c;
    EXPECT_EQ(parsed.error().code, ErrorCode::id_syntax);
    EXPECT_EQ(parsed.error().path, "byte 2");
  }
}

TEST(AgentId, R3_refuses_what_is_no_utf8) {
  for (const std::string_view bad :
       {"\x80", "a\xff", "\xc3", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xe2\x82", "\xe2\x28\xa1", "\xf0\x9f\xa6"}) {
    const Result<AgentId> parsed = parse_agent_id(bad);
    ASSERT_FALSE(parsed) << testing::PrintToString(bad);
    EXPECT_EQ(parsed.error().code, ErrorCode::utf8);
  }
  for (const std::string_view good : {"\xc2\xa1", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                      "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(parse_agent_id(good)) << testing::PrintToString(good);
}

TEST(AgentId, R3_refuses_more_than_128_bytes) {
  const Result<AgentId> parsed = parse_agent_id(std::string(129, 'a'));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::limit);
  EXPECT_NE(parsed.error().message.find("129 bytes, at most 128"), std::string::npos);
}

RC_GTEST_PROP(AgentId, R3_what_is_accepted_is_unchanged, (const std::string& text)) {
  const Result<AgentId> parsed = parse_agent_id(text);
  if (parsed) RC_ASSERT(parsed->view() == text);
}

}  // namespace
}  // namespace alfred
