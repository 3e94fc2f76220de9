#include "net/sse_parser.h"

#include <gtest/gtest.h>

#include <vector>

namespace alfred {
namespace {

std::vector<std::string> read_in(const std::vector<std::string_view>& pieces) {
  SseParser parser;
  std::vector<std::string> events;
  for (const std::string_view piece : pieces)
    EXPECT_TRUE(parser.feed(piece, [&](const SseEvent& event) -> Result<void> {
      events.push_back(event.name + "|" + event.data);
      return {};
    }));
  return events;
}

TEST(SseParser, R1_D6_every_line_end_and_every_cut_gives_the_same_events) {
  const std::string whole =
      "\xEF\xBB\xBF"
      "data: one\n\nevent: x\ndata: two\ndata:  and \xC3\xA9\n\n: a comment\r\nid: 7\r\n"
      "data: three\r\n\r\ndata: four\r\rdata\n\nevent: nothing\n\ndata: cut";
  const std::vector<std::string> events{"|one", "x|two\n and \xC3\xA9", "|three", "|four", "|"};
  EXPECT_EQ(read_in({whole}), events);
  for (std::size_t a = 0; a <= whole.size(); ++a)
    for (std::size_t b = a; b <= whole.size(); b += 3) {
      const std::string_view text = whole;
      ASSERT_EQ(read_in({text.substr(0, a), text.substr(a, b - a), text.substr(b)}), events)
          << a << " " << b;
    }
}

TEST(SseParser, R4_D6_a_line_and_an_event_are_bounded) {
  const auto nothing = [](const SseEvent&) -> Result<void> { return {}; };
  SseParser line(100);
  EXPECT_TRUE(line.feed("data: " + std::string(80, 'x') + "\n\n", nothing));
  EXPECT_EQ(line.feed(std::string(200, 'x'), nothing).error().code, ErrorCode::limit);
  EXPECT_FALSE(line.feed("\n\ndata: y\n\n", nothing));
  SseParser event(100);
  Result<void> fed;
  for (int i = 0; i < 10 && fed; ++i)
    fed = event.feed("data: " + std::string(30, 'x') + "\n", nothing);
  EXPECT_FALSE(fed);
}

TEST(SseParser, R5_what_was_cut_off_is_no_event) {
  SseParser parser;
  EXPECT_TRUE(parser.feed("data: one\n\ndata: tw", [](const SseEvent& event) -> Result<void> {
    EXPECT_EQ(event.data, "one");
    return {};
  }));
  EXPECT_TRUE(parser.is_in_event());
}

TEST(SseParser, the_sinks_error_ends_it) {
  SseParser parser;
  const Result<void> fed =
      parser.feed("data: 1\n\ndata: 2\n\n",
                  [](const SseEvent&) -> Result<void> { return fail(ErrorCode::model, "no"); });
  EXPECT_EQ(fed.error().code, ErrorCode::model);
}

}  // namespace
}  // namespace alfred
