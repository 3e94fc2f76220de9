// Bad providers, row by row (design/robustness.md, D), against a real server on loopback that
// misbehaves. D1, D12 and D13 go on in src/engine/session/chat_turn_test.cc, where there is a turn.
#include <gtest/gtest.h>

#include "interpreter/chat_http/chat_for_tests.h"
#include "net/tls_server_for_tests.h"

namespace alfred {
namespace {

using ProviderRows = ChatForTests;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string address_of_nobody() {
  const HttpServerForTests gone([](const RequestForTests&) { return ResponseForTests(); });
  return gone.url();
}

TEST_F(ProviderRows, D1_who_is_not_there_is_tried_again_with_growing_waits_and_then_said) {
  HttpServerForTests plain(in_turn_for_tests({said_for_tests("{}")}));
  const std::string tls = "https" + plain.url().substr(4);
  for (const std::string& address :
       {address_of_nobody(), std::string("http://nobody.invalid"), tls}) {
    retries.clear();
    const Result<Answer> answer =
        ChatHttp(settings_at(address), ports(), watch()).answer(think_for_tests());
    ASSERT_FALSE(answer) << address;
    EXPECT_EQ(answer.error().code, ErrorCode::model);
    EXPECT_TRUE(has(answer.error().message, address)) << answer.error().message;
    ASSERT_EQ(retries.size(), 3u) << address;
    const std::int64_t full[] = {500, 1'000, 2'000};
    for (std::size_t at = 0; at < 3; ++at) {
      EXPECT_LE(retries[at].second, full[at]);
      EXPECT_GE(retries[at].second, full[at] * 3 / 4);
    }
  }
}

TEST_F(ProviderRows, D2_silence_and_drips_end_in_time) {
  const Result<Answer> silent =
      ask(in_turn_for_tests({ResponseForTests{{"", 1'000}}, said_for_tests("{}")}));
  ASSERT_TRUE(silent) << silent.error().message;
  ASSERT_EQ(retries.size(), 1u);
  EXPECT_TRUE(has(retries[0].first, "no byte came for 200 ms"));
  ResponseForTests dripping = stream_for_tests({});
  for (int i = 0; i < 40; ++i) dripping.push_back({":\n", 50});
  const Result<Answer> slow = ask(in_turn_for_tests({dripping}));
  ASSERT_FALSE(slow);
  EXPECT_TRUE(has(slow.error().message, "took more than 700 ms")) << slow.error().message;
  EXPECT_EQ(requests.size(), 1u) << "there is no time to try again";
}

TEST_F(ProviderRows, D3_every_form_of_retry_after) {
  // Of the header, and the wait that is kept; none: it is not waited for.
  const std::pair<std::string, std::optional<std::int64_t>> all[] = {
      {"Retry-After: 2\r\n", 2'000},
      {"Retry-After: 0\r\n", 0},
      {"Retry-After: 60\r\n", 60'000},
      {"Retry-After-Ms: 250\r\nRetry-After: 9\r\n", 250},
      {"Retry-After: Mon, 02 Feb 2026 02:40:05 GMT\r\n", 5'000},
      {"Retry-After: Mon, 02 Feb 2026 02:00:00 GMT\r\n", 0},
      {"x-ratelimit-remaining-tokens: 0\r\nx-ratelimit-reset-tokens: 1m1s\r\n", std::nullopt},
      {"Retry-After: 61\r\n", std::nullopt},
      {"Retry-After: 999999\r\n", std::nullopt}};
  for (const auto& [header, wait] : all) {
    retries.clear();
    clock = ManualClock(1'770'000'000'000);  // 2026-02-02T02:40:00Z
    const Result<Answer> answer =
        ask(in_turn_for_tests({refused_for_tests(429, "busy", header), said_for_tests("{}")}));
    ASSERT_EQ(answer.has_value(), wait.has_value()) << header;
    ASSERT_EQ(retries.size(), wait ? 1u : 0u) << header;
    if (wait) EXPECT_EQ(retries[0].second, *wait) << header;
    EXPECT_EQ(clock.monotonic_ns(), wait.value_or(0) * 1'000'000) << header;
  }
  const Result<Answer> long_wait =
      ask(in_turn_for_tests({refused_for_tests(429, "busy", "Retry-After: 999999\r\n")}));
  EXPECT_TRUE(has(long_wait.error().message, "999999")) << long_wait.error().message;
  for (const char* odd :
       {"", "Retry-After: -3\r\n", "Retry-After: soon\r\n", "Retry-After: 1e3\r\n"}) {
    retries.clear();
    ASSERT_TRUE(
        ask(in_turn_for_tests({refused_for_tests(429, "busy", odd), said_for_tests("{}")})));
    ASSERT_EQ(retries.size(), 1u) << odd;
    EXPECT_LE(retries[0].second, 500) << odd;
    EXPECT_GE(retries[0].second, 375) << odd;
  }
  const Result<Answer> spent =
      ask(in_turn_for_tests({refused_for_tests(429, "insufficient_quota")}));
  EXPECT_FALSE(spent);
  EXPECT_EQ(requests.size(), 1u) << "money does not come back by waiting";
}

TEST_F(ProviderRows, D4_what_may_pass_is_tried_again) {
  for (const int status : {408, 409, 429, 500, 502, 503, 529}) {
    const Result<Answer> answer =
        ask(in_turn_for_tests({refused_for_tests(status, "busy"), said_for_tests("{}")}));
    ASSERT_TRUE(answer) << status << answer.error().message;
    EXPECT_EQ(requests.size(), 2u) << status;
  }
  EXPECT_FALSE(ask(in_turn_for_tests({refused_for_tests(500, "down")})));
  EXPECT_EQ(requests.size(), 4u);
  EXPECT_FALSE(
      ask(in_turn_for_tests({refused_for_tests(500, "down", "x-should-retry: false\r\n")})));
  EXPECT_EQ(requests.size(), 1u);
}

TEST_F(ProviderRows, D4_what_does_not_pass_is_said_at_once) {
  const std::vector<std::pair<int, std::string>> all{{401, "Set ALFRED_MODEL_KEY"},
                                                     {403, "Set ALFRED_MODEL_KEY"},
                                                     {404, "There is no model `small`"},
                                                     {400, "answered 400"},
                                                     {413, "answered 413"},
                                                     {422, "answered 422"}};
  for (const auto& [status, says] : all) {
    const Result<Answer> answer = ask(in_turn_for_tests({refused_for_tests(status, "no")}));
    ASSERT_FALSE(answer);
    EXPECT_TRUE(has(answer.error().message, says)) << answer.error().message;
    EXPECT_EQ(requests.size(), 1u) << status;
  }
}

TEST_F(ProviderRows, D4_a_prompt_that_is_too_long_gets_less_room_for_its_answer_once) {
  const ResponseForTests full =
      refused_for_tests(400, "This model's maximum context length is 8192 tokens");
  const Result<Answer> fits = ask(in_turn_for_tests({full, said_for_tests("{}")}));
  ASSERT_TRUE(fits) << fits.error().message;
  EXPECT_EQ(sent(0).at("max_completion_tokens"), Json(8'192));
  EXPECT_EQ(sent(1).at("max_completion_tokens"), Json(2'048));
  EXPECT_EQ(sent(0).at("messages"), sent(1).at("messages"));
  const Result<Answer> never = ask(in_turn_for_tests({full}));
  ASSERT_FALSE(never);
  EXPECT_TRUE(has(never.error().message, "too long for this model")) << never.error().message;
  EXPECT_EQ(requests.size(), 2u);
}

TEST_F(ProviderRows, D5_something_else_than_an_answer_is_an_error_with_its_beginning_escaped) {
  const std::vector<ResponseForTests> all{
      response_for_tests(200, "text/html", "<html>login\n</html>" + std::string(500, 'x')),
      response_for_tests(200, "application/json", ""),
      response_for_tests(200, "application/json", "[]"),
      response_for_tests(200, "application/json", R"({"choices":{}})"),
      response_for_tests(200, "text/event-stream", ""),
      stream_for_tests({"data: nonsense\n\n"}),
      stream_for_tests({"data: [1]\n\n"})};
  for (const ResponseForTests& one : all) {
    const Result<Answer> answer = ask(in_turn_for_tests({one}));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::model) << answer.error().message;
  }
  const Error html = ask(in_turn_for_tests({all[0]})).error();
  EXPECT_EQ(requests.size(), 1u);
  EXPECT_TRUE(has(html.message, "`text/html`")) << html.message;
  EXPECT_TRUE(has(html.detail, "<html>login\\x0a</html>xxx")) << html.detail;
  EXPECT_LT(html.detail.size(), 300u);
}

TEST_F(ProviderRows, D6_a_stream_cut_at_any_byte_is_no_answer_until_its_finish_was_seen) {
  for (const ChatWire one : {ChatWire::openai, ChatWire::anthropic}) {
    wire = one;
    const std::string text = "{\"a\":\"\xC3\xA9t\xC3\xA9\"}";
    const std::string events = events_for_tests(one, {text}, 3);
    const std::string word = finish_for_tests(one, FinishReason::stop) + "\"";
    const std::size_t finish = events.find("\n\n", events.find(word)) + 2;
    std::size_t cut = 0;
    HttpServerForTests cutting(
        [&](const RequestForTests&) { return stream_for_tests({events.substr(0, cut)}); });
    ChatSettings settings = settings_at(cutting.url());
    settings.retries = 0;
    ChatHttp chat(settings, ports());
    for (cut = 1; cut < events.size(); cut += 7) {
      const Result<Answer> answer = chat.answer(think_for_tests());
      ASSERT_EQ(answer.has_value(), cut >= finish) << cut << " of " << finish;
      if (answer) ASSERT_EQ(answer->text, text);
      if (!answer) ASSERT_EQ(answer.error().code, ErrorCode::model);
    }
  }
}

TEST_F(ProviderRows, D6_pieces_of_any_size_give_the_same_answer) {
  for (const ChatWire one : {ChatWire::openai, ChatWire::anthropic}) {
    wire = one;
    const std::string text = "{\"a\":\"\xC3\xA9t\xC3\xA9 \xF0\x9F\x8D\x8B\"}";
    std::string events = events_for_tests(one, {text}, 3);
    for (const std::size_t size : {1u, 2u, 3u, 5u, 64u}) {
      std::vector<std::string> pieces;
      for (std::size_t at = 0; at < events.size(); at += size)
        pieces.push_back(events.substr(at, size));
      const Result<Answer> answer = ask(in_turn_for_tests({chunks_for_tests(pieces)}));
      ASSERT_TRUE(answer) << size << answer.error().message;
      EXPECT_EQ(answer->text, text) << size;
    }
    std::replace(events.begin(), events.end(), '\n', '\r');
    const Result<Answer> answer = ask(in_turn_for_tests({stream_for_tests({events})}));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->text, text) << "lines that end with CR alone";
  }
}

TEST_F(ProviderRows, D6_an_event_of_10_MB_is_refused) {
  timeouts = {};
  const Result<Answer> answer =
      ask(in_turn_for_tests({stream_for_tests({"data: " + std::string(10 << 20, 'x') + "\n\n"})}));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::limit) << answer.error().message;
}

TEST_F(ProviderRows, D7_an_answer_without_an_end_is_cut_at_4_MiB) {
  timeouts = {};
  std::string much;
  for (int i = 0; i < 1'000; ++i)
    much += event_for_tests(
        {{"choices",
          JsonArray{JsonObject{{"delta", JsonObject{{"content", std::string(5'000, 'x')}}}}}}});
  for (const ResponseForTests& one :
       {stream_for_tests({much}),
        response_for_tests(200, "application/json",
                           whole_for_tests(wire, {std::string(5 << 20, 'x')}))}) {
    const Result<Answer> answer = ask(in_turn_for_tests({one}));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::limit) << answer.error().message;
    EXPECT_TRUE(has(answer.error().message, "4194304")) << answer.error().message;
    EXPECT_EQ(requests.size(), 1u);
  }
}

TEST_F(ProviderRows, D8_redirects_are_not_followed) {
  HttpServerForTests other(in_turn_for_tests({said_for_tests("{}")}));
  for (const std::string& to :
       {other.url(), std::string("http://169.254.169.254/"), std::string("/")})
    for (const int status : {301, 302, 307, 308}) {
      const Result<Answer> answer =
          ask(in_turn_for_tests({refused_for_tests(status, "", "Location: " + to + "\r\n")}));
      ASSERT_FALSE(answer);
      EXPECT_TRUE(has(answer.error().message, "not followed")) << answer.error().message;
      EXPECT_EQ(requests.size(), 1u);
    }
  EXPECT_TRUE(other.requests().empty());
}

TEST_F(ProviderRows, D9_nothing_packed_is_asked_for_or_taken) {
  const Result<Answer> answer = ask(in_turn_for_tests(
      {response_for_tests(200, "application/json", "\x1f\x8b", "Content-Encoding: gzip\r\n")}));
  ASSERT_FALSE(answer);
  EXPECT_TRUE(has(answer.error().message, "packed")) << answer.error().message;
  EXPECT_FALSE(has(requests[0].head, "Accept-Encoding"));
}

TEST_F(ProviderRows, D10_tool_arguments_are_the_answer_as_they_were_written) {
  const std::string broken = R"({"choices":[{"message":{"content":null,"tool_calls":[)"
                             R"({"function":{"name":"think","arguments":"{\"a\": \"\\q"}}]},)"
                             R"("finish_reason":"tool_calls"}]})";
  const Result<Answer> answer =
      ask(in_turn_for_tests({response_for_tests(200, "application/json", broken)}));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->text, R"({"a": "\q)") << "the node finds that it is no JSON, and asks again";
  // Index 1 never comes, 2 before 0.
  const auto part = [](int index, const std::string& arguments) {
    return event_for_tests(
        {{"choices",
          JsonArray{JsonObject{
              {"delta",
               JsonObject{
                   {"tool_calls", JsonArray{JsonObject{
                                      {"index", index},
                                      {"function", JsonObject{{"arguments", arguments}}}}}}}}}}}});
  };
  const std::string end = R"(data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]})"
                          "\n\ndata: [DONE]\n\n";
  const Result<Answer> gaps = ask(in_turn_for_tests(
      {stream_for_tests({part(2, "[2"), part(0, "{\"a\""), part(2, "]"), part(0, ":1}"), end})}));
  ASSERT_TRUE(gaps) << gaps.error().message;
  EXPECT_EQ(gaps->text, "{\"a\":1}[2]");
}

TEST_F(ProviderRows, D11_usage_that_is_not_told_is_estimated_and_marked) {
  for (const char* told : {"null", "{}", R"({"prompt_tokens":-1,"completion_tokens":2})",
                           R"({"prompt_tokens":1,"completion_tokens":9000000000000000000})"}) {
    usage.reset();
    ASSERT_TRUE(ask(in_turn_for_tests({response_for_tests(
        200, "application/json",
        R"({"choices":[{"message":{"content":"abcdefgh"},"finish_reason":"stop"}],"usage":)" +
            std::string(told) + "}")})));
    ASSERT_TRUE(usage);
    EXPECT_EQ(usage->estimated, 1) << told;
    EXPECT_EQ(usage->output_tokens, 3);
    EXPECT_EQ(usage->input_tokens, 4);
  }
  ASSERT_TRUE(ask(in_turn_for_tests({said_for_tests("{}")})));
  EXPECT_EQ(usage->estimated, 0);
}

TEST_F(ProviderRows, D12_a_stream_that_comes_twice_is_read_once) {
  for (const ChatWire one : {ChatWire::openai, ChatWire::anthropic}) {
    wire = one;
    const std::string events = events_for_tests(one, {"{\"a\":1}"});
    const Result<Answer> answer = ask(in_turn_for_tests({chunks_for_tests({events + events})}));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->text, "{\"a\":1}");
    EXPECT_EQ(usage->output_tokens, 5);
  }
}

TEST_F(ProviderRows, D13_a_refusal_is_an_answer_that_says_so) {
  const std::string refusal =
      R"({"choices":[{"message":{"content":null,"refusal":"I cannot."},"finish_reason":"stop"}]})";
  const Result<Answer> open =
      ask(in_turn_for_tests({response_for_tests(200, "application/json", refusal)}));
  ASSERT_TRUE(open) << open.error().message;
  EXPECT_EQ(open->finish, FinishReason::refusal);
  wire = ChatWire::anthropic;
  const Result<Answer> other = ask(in_turn_for_tests(
      {stream_for_tests({events_for_tests(wire, {"No.", FinishReason::refusal})})}));
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(*other, (Answer{7, "No.", FinishReason::refusal}));
}

TEST_F(ProviderRows, D14_a_certificate_of_another_time_is_D1_with_the_reason) {
  TlsServerForTests server("20200101000000Z", "20200102000000Z");
  ASSERT_FALSE(server.url().empty()) << "openssl is needed";
  ChatSettings settings = settings_at(server.url());
  settings.ca_file = server.certificate();
  const Result<Answer> answer = ChatHttp(settings, ports(), watch()).answer(think_for_tests());
  ASSERT_FALSE(answer);
  EXPECT_TRUE(has(answer.error().message, "expired")) << answer.error().message;
  EXPECT_EQ(retries.size(), 3u);
}

}  // namespace
}  // namespace alfred
