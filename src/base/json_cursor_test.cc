#include "base/json_cursor.h"

#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/json_cursor_cases.h"

namespace alfred {
namespace {

// A text in a heap block of exactly its size: the sanitizer sees a read past its end (R3).
class ExactText {
 public:
  explicit ExactText(std::string_view text)
      : bytes_(std::make_unique<char[]>(text.size())), size_(text.size()) {
    if (size_ != 0) std::memcpy(bytes_.get(), text.data(), size_);
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

// One value with white space around it: "ok", or "code at byte N".
std::string outcome(std::string_view text, std::size_t max_depth = 1000) {
  const ExactText exact(text);
  JsonCursor cursor(exact.view(), max_depth, true);
  cursor.skip_space();
  bool is_good = cursor.skip_value([](const char*, const char*, const StringTraits&) {});
  cursor.skip_space();
  if (is_good && !cursor.is_at_end()) is_good = cursor.fail_here(JsonFault::unexpected_byte);
  if (is_good) return "ok";
  const Error error = cursor.error();
  EXPECT_NE(error.message.find(error.path), std::string::npos) << error.message;
  return std::string(error_name(error.code)) + " at " + error.path;
}

struct StringOutcome {
  std::string what;  // "ok at N", N behind the closing quote, or the error
  StringTraits traits;
};

StringOutcome string_outcome(std::string_view text, std::size_t from) {
  const ExactText exact(text);
  JsonCursor cursor(exact.view(), 10, true);
  cursor.advance(from);
  StringOutcome found;
  if (cursor.skip_string(found.traits))
    found.what = "ok at " + std::to_string(cursor.at() - exact.view().data());
  else
    found.what = std::string(error_name(cursor.error().code)) + " at " + cursor.error().path;
  return found;
}

using namespace std::string_view_literals;

TEST(JsonCursor, R1_accepts_what_the_grammar_accepts_and_so_does_the_reader) {
  for (const std::string_view text : kValid) {
    EXPECT_EQ(outcome(text), "ok") << text;
    EXPECT_TRUE(parse_json(text, JsonLimits::none())) << text;
  }
}

TEST(JsonCursor, R1_R2_refuses_the_rest_at_its_first_wrong_byte_and_so_does_the_reader) {
  for (const Invalid& wrong : kInvalid) {
    EXPECT_EQ(outcome(wrong.text), wrong.outcome) << wrong.text;
    EXPECT_FALSE(parse_json(wrong.text, JsonLimits::none())) << wrong.text;
  }
}

TEST(JsonCursor, R1_a_valid_value_cut_anywhere_is_valid_exactly_when_the_reader_says_so) {
  for (const std::string_view text : kValid)
    for (std::size_t size = 0; size < text.size(); ++size) {
      const std::string_view cut = text.substr(0, size);
      EXPECT_EQ(outcome(cut) == "ok", parse_json(cut, JsonLimits::none()).has_value()) << cut;
    }
}

// The cursor checks a text's grammar; the reader also has to hold its values.
TEST(JsonCursor, takes_what_only_the_reader_cannot_hold) {
  for (const std::string_view text :
       {"1e400", "-1e400", "18446744073709551616", "-9223372036854775809",
        "123456789012345678901234567890", "{\"a\":1,\"a\":2}", "[{\"a\":1,\"\\u0061\":2}]"}) {
    EXPECT_EQ(outcome(text), "ok") << text;
    EXPECT_FALSE(parse_json(text, JsonLimits::none())) << text;
  }
}

// The reader skips a byte order mark itself; the cursor's user does.
TEST(JsonCursor, a_byte_order_mark_is_no_value) {
  EXPECT_EQ(outcome("\xEF\xBB\xBF{}"), "json at byte 0");
}

TEST(JsonCursor, depth_is_limited_and_counts_from_where_the_value_stands) {
  EXPECT_EQ(outcome("[[{}]]", 3), "ok");
  EXPECT_EQ(outcome("[[{}]]", 2), "limit at byte 2");
  EXPECT_EQ(outcome("[[],[[]]]", 2), "limit at byte 5");
  EXPECT_EQ(outcome("1", 0), "ok");
  EXPECT_EQ(outcome("[", 0), "limit at byte 0");
  EXPECT_EQ(outcome(std::string(100'000, '[')), "limit at byte 1000");
  const ExactText text("[[]]");
  JsonCursor cursor(text.view(), 3, false);
  EXPECT_FALSE(cursor.skip_value([](const char*, const char*, const StringTraits&) {}, 2));
  EXPECT_EQ(cursor.fault(), JsonFault::too_deep);
  EXPECT_EQ(cursor.error().path, "byte 1");
}

TEST(JsonCursor, shows_every_string_of_a_value_with_its_traits) {
  const ExactText text(R"({"a":["b\n",{"\u0063":"1234abCD"}],"lit_":"1234567"})");
  std::string seen;
  JsonCursor cursor(text.view(), 10, true);
  ASSERT_TRUE(
      cursor.skip_value([&](const char* first, const char* last, const StringTraits& traits) {
        seen.append(first, last);
        if (traits.has_escape) seen += "!";
        if (traits.has_unicode_escape) seen += "u";
        if (traits.is_suspicious) seen += "?";
        seen += ' ';
      }));
  EXPECT_EQ(seen, "a b\\n! \\u0063!u 1234abCD? lit_? 1234567 ");
}

// Everything a string may hold, at every place around the borders of the 64 bytes looked at at
// once.
TEST(JsonCursor, R1_R3_strings_end_where_they_end_wherever_they_stand) {
  for (std::size_t from = 0; from < 70; ++from)
    for (std::size_t size = 0; size < 135; ++size) {
      const std::string text = std::string(from, ' ') + "\"" + std::string(size, 'z') + "\"";
      const StringOutcome found = string_outcome(text, from);
      ASSERT_EQ(found.what, "ok at " + std::to_string(text.size())) << from << " " << size;
      ASSERT_FALSE(found.traits.has_escape || found.traits.is_suspicious);
      ASSERT_EQ(string_outcome(text.substr(0, text.size() - 1), from).what,
                "json at byte " + std::to_string(text.size() - 1));
    }
}

TEST(JsonCursor, R1_R3_what_stands_in_a_string_is_seen_wherever_it_stands) {
  struct Piece {
    std::string_view text;
    bool has_escape, has_unicode_escape, is_suspicious;
  };
  const Piece pieces[] = {
      {"\\n", true, false, false},           {"\\\\", true, false, false},
      {"\\\"", true, false, false},          {"\\u0041", true, true, false},
      {"\\ud83c\\udf72", true, true, false}, {"\xc3\xa9", false, false, false},
      {"\xe6\x97\xa5", false, false, false}, {"\xf0\x9f\x8d\xb2", false, false, false},
      {"0123abCD", false, false, true},      {"0123abC", false, false, false},
      {"fffffffff", false, false, true},     {"t_", false, false, true},
      {"_t", false, false, false},           {"0123-4567", false, false, false},
  };
  for (const Piece& piece : pieces)
    for (const std::size_t from : {0U, 1U, 5U, 40U})
      for (std::size_t before = 0; before < 200; ++before) {
        const std::string text = std::string(from, ' ') + "\"" + std::string(before, 'z') +
                                 std::string(piece.text) + "z\"";
        const StringOutcome found = string_outcome(text, from);
        ASSERT_EQ(found.what, "ok at " + std::to_string(text.size())) << text;
        ASSERT_EQ(found.traits.has_escape, piece.has_escape) << text;
        ASSERT_EQ(found.traits.has_unicode_escape, piece.has_unicode_escape) << text;
        ASSERT_EQ(found.traits.is_suspicious, piece.is_suspicious) << text;
      }
}

TEST(JsonCursor, R2_what_is_wrong_in_a_string_is_found_at_its_byte_wherever_it_stands) {
  const Invalid pieces[] = {{"\x01", "json"},   {"\\x", "json"},         {"\\udc00", "utf8"},
                            {"\xff", "utf8"},   {"\xc3", "utf8"},        {"\xe6\x97", "utf8"},
                            {"\xff\n", "utf8"}, {"\xed\xa0\x80", "utf8"}};
  for (const Invalid& piece : pieces)
    for (std::size_t before = 0; before < 200; ++before) {
      const std::string start = "\"" + std::string(before, 'z');
      ASSERT_EQ(string_outcome(start + std::string(piece.text) + "zz\"", 0).what,
                std::string(piece.outcome) + " at byte " + std::to_string(start.size()));
    }
}

// A run of digits is followed from block to block, but not from one string into the next.
TEST(JsonCursor, a_run_of_digits_does_not_go_on_in_the_next_string) {
  for (std::size_t before = 0; before < 130; ++before) {
    const ExactText text("[" + std::string(before, ' ') + "\"abcd\",\"1234\",\"abc\\\\d1234\"]");
    bool is_any_suspicious = false;
    JsonCursor cursor(text.view(), 10, true);
    ASSERT_TRUE(cursor.skip_value([&](const char*, const char*, const StringTraits& traits) {
      is_any_suspicious |= traits.is_suspicious;
    }));
    EXPECT_FALSE(is_any_suspicious) << before;
  }
}

TEST(JsonCursor, suspicion_costs_nothing_where_nobody_looks) {
  const ExactText text("\"0123456789abcdef lit_1\"");
  JsonCursor cursor(text.view(), 10, false);
  StringTraits traits;
  ASSERT_TRUE(cursor.skip_string(traits));
  EXPECT_FALSE(traits.is_suspicious);
}

TEST(JsonCursor, decoding_gives_the_text_and_where_it_came_from) {
  std::vector<std::size_t> positions;
  EXPECT_EQ(decode_json_string("a\\n\\u00e9\\ud83c\\udf72\xc3\xa9\\/z", &positions),
            "a\n\xc3\xa9\xf0\x9f\x8d\xb2\xc3\xa9/z");
  EXPECT_EQ(positions, (std::vector<std::size_t>{0, 1, 3, 3, 9, 9, 9, 9, 21, 22, 23, 25, 26}));
  EXPECT_EQ(decode_json_string(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(decode_json_string(R"(\u0000\u007F\u0080\u07ff\u0800\uFFFF)"),
            "\0\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"sv);
  EXPECT_EQ(decode_json_string(""), "");
}

}  // namespace
}  // namespace alfred
