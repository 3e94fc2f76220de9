#include "interpreter/chat_http/chat_reader.h"

#include <gtest/gtest.h>

#include "interpreter/chat_http/chat_server_for_tests.h"

namespace alfred {
namespace {

constexpr ChatWire kWires[] = {ChatWire::openai, ChatWire::anthropic};

ChatReply read_in(ChatWire wire, const std::vector<std::string_view>& pieces) {
  ChatReader reader(wire);
  SseParser parser;
  for (const std::string_view piece : pieces) {
    const Result<void> fed =
        parser.feed(piece, [&](const SseEvent& event) { return reader.take(event); });
    EXPECT_TRUE(fed) << fed.error().message;
  }
  return reader.reply();
}

TEST(ChatReader, R1_R2_a_stream_and_a_whole_answer_say_the_same) {
  for (const ChatWire wire : kWires)
    for (const FinishReason finish :
         {FinishReason::stop, FinishReason::length, FinishReason::refusal}) {
      const SaidForTests said{"{\"a\":\"\xC3\xA9\"}", finish};
      ChatReader whole(wire);
      ASSERT_TRUE(whole.take_whole(whole_for_tests(wire, said)));
      EXPECT_EQ(whole.reply().text, said.text);
      EXPECT_EQ(whole.reply().finish, finish);
      EXPECT_EQ(whole.reply().usage, (ChatUsage{40, 30, 5}));
      EXPECT_EQ(read_in(wire, {events_for_tests(wire, said)}), whole.reply());
    }
}

TEST(ChatReader, D6_a_stream_split_at_every_byte_is_the_same_answer) {
  for (const ChatWire wire : kWires) {
    const std::string stream =
        events_for_tests(wire, {"{\"a\":\"\xC3\xA9 \xF0\x9F\x8D\x8B\"}"}, 12);
    const std::string_view text = stream;
    const ChatReply whole = read_in(wire, {text});
    ASSERT_EQ(whole.finish, FinishReason::stop);
    for (std::size_t cut = 0; cut <= stream.size(); ++cut)
      ASSERT_EQ(read_in(wire, {text.substr(0, cut), text.substr(cut)}), whole) << cut;
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < stream.size(); ++at) bytes.push_back(text.substr(at, 1));
    EXPECT_EQ(read_in(wire, bytes), whole);
  }
}

TEST(ChatReader, R1_tools_arguments_count_where_nothing_was_said) {
  ChatReader reader(ChatWire::anthropic);
  ASSERT_TRUE(reader.take_whole(
      R"({"content":[{"type":"tool_use","name":"think","input":{"a":1}}],"stop_reason":"tool_use"})"));
  EXPECT_EQ(reader.reply().text, R"({"a":1})");
  EXPECT_EQ(reader.reply().finish, FinishReason::stop);
  const auto part = [](const std::string& json) {
    return event_for_tests(
        {{"type", "content_block_delta"},
         {"index", 1},
         {"delta", JsonObject{{"type", "input_json_delta"}, {"partial_json", json}}}});
  };
  EXPECT_EQ(read_in(ChatWire::anthropic, {part("{\"a\":"), part("1}")}).text, R"({"a":1})");
  ChatReader both(ChatWire::openai);
  ASSERT_TRUE(both.take_whole(R"({"choices":[{"message":{"content":[{"type":"text","text":"said"}],
      "tool_calls":[{"function":{"arguments":"{}"}}]},"finish_reason":"stop"}]})"));
  EXPECT_EQ(both.reply().text, "said");
}

TEST(ChatReader, R1_of_several_choices_the_first) {
  ChatReader reader(ChatWire::openai);
  ASSERT_TRUE(reader.take_whole(R"({"choices":[
      {"index":1,"message":{"content":"b"},"finish_reason":"length"},
      {"index":0,"message":{"content":"a"},"finish_reason":"stop"}]})"));
  EXPECT_EQ(reader.reply().text, "a");
  EXPECT_EQ(reader.reply().finish, FinishReason::stop);
}

TEST(ChatReader, R3_a_count_that_goes_wrong_later_is_not_taken) {
  const ChatReply reply = read_in(
      ChatWire::anthropic,
      {"data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,"
       "\"output_tokens\":1}}}\n\n"
       "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":"
       "{\"output_tokens\":-5}}\n\n"});
  EXPECT_EQ(reply.finish, FinishReason::stop);
  EXPECT_EQ(reply.usage, std::nullopt);
}

TEST(ChatReader, R4_an_error_inside_a_stream_ends_it) {
  for (const char* event :
       {"event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"Overloaded\"}}\n\n",
        "data: {\"error\":{\"message\":\"Overloaded\"}}\n\n",
        "data: {\"error\":\"Overloaded\"}\n\n"})
    for (const ChatWire wire : kWires) {
      const ChatReply reply = read_in(wire, {event, events_for_tests(wire, {"late"})});
      EXPECT_EQ(reply.broke_off, "Overloaded");
      EXPECT_EQ(reply.text, "");
    }
}

TEST(ChatReader, R5_what_comes_after_the_last_word_does_not_count) {
  for (const ChatWire wire : kWires) {
    const std::string events = events_for_tests(wire, {"once"});
    EXPECT_EQ(read_in(wire, {events, events}), read_in(wire, {events}));
  }
}

}  // namespace
}  // namespace alfred
