#include "base/json/json_scanner.h"

#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "base/json/json_scanner_cases_for_tests.h"

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

constexpr auto kIgnored = [](const char*, const char*, const StringTraits&) {};

// One value with white space around it: "ok", or "code at byte N".
std::string outcome(std::string_view text, std::size_t max_depth = 1000) {
  const ExactText exact(text);
  JsonScanner scanner(exact.view(), max_depth, true);
  const char* at = scanner.value(scanner.begin(), kIgnored);
  if (at != nullptr) at = scanner.space(at);
  if (at == scanner.end()) return "ok";
  if (at != nullptr) scanner.fail(JsonFault::unexpected_byte, at);
  const Error error = scanner.error();
  EXPECT_NE(error.message.find(error.path), std::string::npos) << error.message;
  return std::string(error_name(error.code)) + " at " + error.path;
}

struct StringOutcome {
  std::string what;  // "ok at N", N behind the closing quote, or the error
  StringTraits traits;
};

StringOutcome string_outcome(std::string_view text, std::size_t from) {
  const ExactText exact(text);
  JsonScanner scanner(exact.view(), 10, true);
  StringOutcome found;
  if (const char* const after = scanner.string(scanner.begin() + from, found.traits))
    found.what = "ok at " + std::to_string(scanner.offset(after));
  else
    found.what = std::string(error_name(scanner.error().code)) + " at " + scanner.error().path;
  return found;
}

using namespace std::string_view_literals;

TEST(JsonScanner, R1_accepts_what_the_grammar_accepts_and_so_does_the_reader) {
  for (const std::string_view text : kValid) {
    EXPECT_EQ(outcome(text), "ok") << text;
    EXPECT_TRUE(parse_json(text, JsonLimits::none())) << text;
  }
}

TEST(JsonScanner, R1_R2_refuses_the_rest_at_its_first_wrong_byte_and_so_does_the_reader) {
  for (const Invalid& wrong : kInvalid) {
    EXPECT_EQ(outcome(wrong.text), wrong.outcome) << wrong.text;
    EXPECT_FALSE(parse_json(wrong.text, JsonLimits::none())) << wrong.text;
  }
}

TEST(JsonScanner, R1_a_valid_value_cut_anywhere_is_valid_exactly_when_the_reader_says_so) {
  for (const std::string_view text : kValid)
    for (std::size_t size = 0; size < text.size(); ++size) {
      const std::string_view cut = text.substr(0, size);
      EXPECT_EQ(outcome(cut) == "ok", parse_json(cut, JsonLimits::none()).has_value()) << cut;
    }
}

// The scanner checks a text's grammar; the reader also has to hold its values.
TEST(JsonScanner, takes_what_only_the_reader_cannot_hold) {
  for (const std::string_view text :
       {"1e400", "-1e400", "18446744073709551616", "-9223372036854775809",
        "123456789012345678901234567890", "{\"a\":1,\"a\":2}", "[{\"a\":1,\"\\u0061\":2}]"}) {
    EXPECT_EQ(outcome(text), "ok") << text;
    EXPECT_FALSE(parse_json(text, JsonLimits::none())) << text;
  }
}

// The reader skips a byte order mark itself; the scanner's user does.
TEST(JsonScanner, a_byte_order_mark_is_no_value) {
  EXPECT_EQ(outcome("\xEF\xBB\xBF{}"), "json at byte 0");
}

TEST(JsonScanner, depth_is_limited_and_counts_from_where_the_value_stands) {
  EXPECT_EQ(outcome("[[{}]]", 3), "ok");
  EXPECT_EQ(outcome("[[{}]]", 2), "limit at byte 2");
  EXPECT_EQ(outcome("[[],[[]]]", 2), "limit at byte 5");
  EXPECT_EQ(outcome("1", 0), "ok");
  EXPECT_EQ(outcome("[", 0), "limit at byte 0");
  EXPECT_EQ(outcome(std::string(100'000, '[')), "limit at byte 1000");
  const ExactText text("[[]]");
  JsonScanner scanner(text.view(), 3, false);
  EXPECT_EQ(scanner.value(scanner.begin(), kIgnored, 2), nullptr);
  EXPECT_EQ(scanner.fault(), JsonFault::too_deep);
  EXPECT_EQ(scanner.error().path, "byte 1");
}

TEST(JsonScanner, shows_every_string_of_a_value_with_its_traits) {
  const ExactText text(R"({"a":["b\n",{"\u0063":"1234abCD"}],"lit_":"1234567"})");
  std::string seen;
  const auto note = [&](const char* first, const char* last, const StringTraits& traits) {
    seen.append(first, last);
    if (traits.has_escape) seen += "!";
    if (traits.has_unicode_escape) seen += "u";
    if (traits.is_suspicious) seen += "?";
    seen += ' ';
  };
  JsonScanner scanner(text.view(), 10, true);
  ASSERT_EQ(scanner.value(scanner.begin(), note), scanner.end());
  EXPECT_EQ(seen, "a b\\n! \\u0063!u 1234abCD? lit_? 1234567 ");
}

// The usual number and word are read eight bytes at once; near the end of the text they are not.
TEST(JsonScanner, R3_numbers_and_words_end_where_they_end_however_near_the_end) {
  const std::string_view tokens[] = {"1",           "12",   "1234567", "12345678",  "123456789",
                                     "0",           "-1",   "1.5",     "1234567.5", "1234567e5",
                                     "12345.25E-3", "null", "true",    "false"};
  for (const std::string_view token : tokens)
    for (std::size_t behind = 0; behind < 12; ++behind) {
      const std::string rest(behind, ' ');
      EXPECT_EQ(outcome(std::string(token) + rest), "ok") << token << behind;
      EXPECT_EQ(outcome("[" + std::string(token) + "," + std::string(token) + "]" + rest), "ok");
      EXPECT_EQ(outcome(std::string(token) + "x" + rest),
                "json at byte " + std::to_string(token.size()));
    }
}

// Everything a string may hold, at every place around the borders of what is looked at at once.
constexpr std::size_t kBorders[] = {0, 16384 - 140};

TEST(JsonScanner, R1_R3_strings_end_where_they_end_wherever_they_stand) {
  for (const std::size_t border : kBorders)
    for (std::size_t from = border; from < border + 150; from += border == 0 ? 9 : 23)
      for (std::size_t size = 0; size < 135; ++size) {
        const std::string text = std::string(from, ' ') + "\"" + std::string(size, 'z') + "\"";
        const StringOutcome found = string_outcome(text, from);
        ASSERT_EQ(found.what, "ok at " + std::to_string(text.size())) << from << " " << size;
        ASSERT_FALSE(found.traits.has_escape || found.traits.is_suspicious);
        ASSERT_EQ(string_outcome(text.substr(0, text.size() - 1), from).what,
                  "json at byte " + std::to_string(text.size() - 1));
      }
}

struct Piece {
  std::string_view text;
  bool has_escape, has_unicode_escape, is_suspicious;
};
constexpr Piece kPieces[] = {
    {"\\n", true, false, false},           {"\\\\", true, false, false},
    {"\\\"", true, false, false},          {"\\u0041", true, true, false},
    {"\\ud83c\\udf72", true, true, false}, {"\xc3\xa9", false, false, false},
    {"\xe6\x97\xa5", false, false, false}, {"\xf0\x9f\x8d\xb2", false, false, false},
    {"0123abCD", false, false, true},      {"0123abC", false, false, false},
    {"fffffffff", false, false, true},     {"t_", false, false, true},
    {"_t", false, false, false},           {"0123-4567", false, false, false},
};

TEST(JsonScanner, R1_R3_what_stands_in_a_string_is_seen_wherever_it_stands) {
  for (const Piece& piece : kPieces)
    for (const std::size_t border : kBorders)
      for (const std::size_t from : {0U, 41U})
        for (std::size_t before = border; before < border + 210; ++before) {
          const std::string text = std::string(from, ' ') + "\"" + std::string(before, 'z') +
                                   std::string(piece.text) + "z\"";
          const StringOutcome found = string_outcome(text, from);
          ASSERT_EQ(found.what, "ok at " + std::to_string(text.size())) << text;
          ASSERT_EQ(found.traits.has_escape, piece.has_escape) << text;
          ASSERT_EQ(found.traits.has_unicode_escape, piece.has_unicode_escape) << text;
          ASSERT_EQ(found.traits.is_suspicious, piece.is_suspicious) << text;
        }
}

TEST(JsonScanner, R2_what_is_wrong_in_a_string_is_found_at_its_byte_wherever_it_stands) {
  const Invalid pieces[] = {{"\x01", "json"},   {"\\x", "json"},         {"\\udc00", "utf8"},
                            {"\xff", "utf8"},   {"\xc3", "utf8"},        {"\xe6\x97", "utf8"},
                            {"\xff\n", "utf8"}, {"\xed\xa0\x80", "utf8"}};
  for (const Invalid& piece : pieces)
    for (const std::size_t border : kBorders)
      for (std::size_t before = border; before < border + 210; ++before) {
        const std::string start = "\"" + std::string(before, 'z');
        ASSERT_EQ(string_outcome(start + std::string(piece.text) + "zz\"", 0).what,
                  std::string(piece.outcome) + " at byte " + std::to_string(start.size()));
      }
}

// A run of digits is followed from block to block, but not from one string into the next.
TEST(JsonScanner, a_run_of_digits_does_not_go_on_in_the_next_string) {
  for (const std::size_t border : kBorders)
    for (std::size_t before = border; before < border + 150; ++before) {
      const ExactText text("[" + std::string(before, ' ') + "\"abcd\",\"1234\",\"abc\\\\d1234\"]");
      bool is_any_suspicious = false;
      const auto note = [&](const char*, const char*, const StringTraits& traits) {
        is_any_suspicious |= traits.is_suspicious;
      };
      JsonScanner scanner(text.view(), 10, true);
      ASSERT_EQ(scanner.value(scanner.begin(), note), scanner.end());
      EXPECT_FALSE(is_any_suspicious) << before;
    }
}

// Keys are passed over without a look.
TEST(JsonScanner, R4_strings_far_apart_are_read_the_same) {
  const std::string gap(40'000, ' ');
  for (std::size_t shift = 0; shift < 70; ++shift) {
    const std::string text =
        "[" + std::string(shift, ' ') + "\"0123abc\"," + gap + "\"0123abcd\"," + gap + "\"a\\n\"]";
    std::string seen;
    const ExactText exact(text);
    JsonScanner scanner(exact.view(), 10, true);
    ASSERT_EQ(scanner.value(scanner.begin(),
                            [&](const char*, const char*, const StringTraits& traits) {
                              seen += traits.is_suspicious ? '?' : traits.has_escape ? '!' : '.';
                            }),
              scanner.end());
    ASSERT_EQ(seen, ".?!") << shift;
  }
}

TEST(JsonScanner, suspicion_costs_nothing_where_nobody_looks) {
  const ExactText text("\"0123456789abcdef lit_1\"");
  JsonScanner scanner(text.view(), 10, false);
  StringTraits traits;
  ASSERT_EQ(scanner.string(scanner.begin(), traits), scanner.end());
  EXPECT_FALSE(traits.is_suspicious);
}

TEST(JsonScanner, decoding_gives_the_text_and_where_it_came_from) {
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
