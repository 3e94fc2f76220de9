#include "interpreter/chat_http/chat_http.h"

#include <gtest/gtest.h>

#include "interpreter/chat_http/chat_for_tests.h"

namespace alfred {
namespace {

using ChatHttpTest = ChatForTests;
using ChatHttpThreads = ChatForTests;

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ChatHttpTest, R1_a_structured_ask_names_its_node_and_sends_its_schema) {
  const Result<Answer> answer = ask(in_turn_for_tests({said_for_tests("{}")}));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, (Answer{7, "{}", FinishReason::stop}));
  const Json body = sent();
  EXPECT_EQ(body.at("model"), Json("small"));
  EXPECT_EQ(body.at("response_format").at("json_schema").at("name"), Json("think"));
  EXPECT_EQ(body.at("response_format").at("json_schema").at("schema"),
            parse_json(think_for_tests().schema_json, JsonLimits::none()).value());
  EXPECT_EQ(body.at("messages").at(0).at("content"), Json("Plan."));
  EXPECT_EQ(body.at("messages").at(1).at("content"), Json("add milk"));
  EXPECT_EQ(body.at("max_completion_tokens"), Json(8192));
  EXPECT_TRUE(has(requests[0].head, std::string("Authorization: Bearer ") + kKey));
  EXPECT_EQ(body.get_object().begin()->key(), "model");
  EXPECT_LT(requests[0].body.find("\"messages\""), requests[0].body.find("\"response_format\""));
  EXPECT_FALSE(body.get_object().contains("temperature"));
}

TEST_F(ChatHttpTest, R1_anthropics_form) {
  wire = ChatWire::anthropic;
  const Result<Answer> answer = ask(in_turn_for_tests({response_for_tests(
      200, "application/json", whole_for_tests(wire, {"{}", FinishReason::length}))}));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, (Answer{7, "{}", FinishReason::length}));
  EXPECT_TRUE(has(requests[0].head, std::string("x-api-key: ") + kKey));
  EXPECT_TRUE(has(requests[0].head, "anthropic-version: 2023-06-01"));
  EXPECT_TRUE(requests[0].head.starts_with("POST /v1/messages"));
  const Json body = sent();
  const Json& schema = body.at("output_config").at("format").at("schema");
  EXPECT_EQ(schema.at("title"), Json("think"));
  EXPECT_EQ(schema.at("properties"),
            parse_json(think_for_tests().schema_json, JsonLimits::none())->at("properties"));
  EXPECT_EQ(body.at("system").at(0).at("cache_control").at("type"), Json("ephemeral"));
  EXPECT_EQ(body.at("max_tokens"), Json(8192));
  EXPECT_EQ(usage->input_tokens, 40);
  EXPECT_EQ(usage->cached_tokens, 30);
}

// Act's parameters are of any form.
TEST_F(ChatHttpTest, R1_a_schema_that_leaves_a_value_open_is_not_strict) {
  Ask act = think_for_tests();
  act.node = Node::act;
  ASSERT_TRUE(ask(in_turn_for_tests({said_for_tests("{}")}), act));
  EXPECT_EQ(sent().at("response_format").at("json_schema").at("strict"), Json(true));
  Json schema = parse_json(act.schema_json, JsonLimits::none()).value();
  schema.at("properties").get_object()["params"] = JsonObject{{"description", "Any."}};
  act.schema_json = write_json(schema);
  ASSERT_TRUE(ask(in_turn_for_tests({said_for_tests("{}")}), act));
  EXPECT_EQ(sent().at("response_format").at("json_schema").at("strict"), Json(false));
  EXPECT_EQ(sent().at("response_format").at("json_schema").at("name"), Json("act"));
  wire = ChatWire::anthropic;
  ASSERT_TRUE(ask(in_turn_for_tests({said_for_tests("{}", wire)}), act));
  EXPECT_EQ(sent().at("tools").at(0).at("name"), Json("act"));
  EXPECT_EQ(sent().at("tool_choice").at("name"), Json("act"));
  EXPECT_FALSE(sent().get_object().contains("output_config"));
}

TEST_F(ChatHttpTest, R1_a_reply_is_plain_text) {
  for (const ChatWire one : {ChatWire::openai, ChatWire::anthropic}) {
    wire = one;
    ASSERT_TRUE(ask(in_turn_for_tests({said_for_tests("Done.", one)}), reply_for_tests()));
    EXPECT_FALSE(has(requests[0].body, "schema"));
    EXPECT_FALSE(has(requests[0].body, "tools"));
  }
}

TEST_F(ChatHttpTest, R1_a_node_has_a_model_an_effort_and_limits_of_its_own) {
  for (const ChatWire one : {ChatWire::openai, ChatWire::anthropic}) {
    wire = one;
    HttpServerForTests server(in_turn_for_tests({said_for_tests("{}", one)}));
    ChatSettings settings = settings_at(server.url());
    settings.effort = "low";
    settings.nodes[static_cast<std::size_t>(Node::think)] = {
        .model = "large", .effort = "high", .max_tokens = 100};
    ChatHttp chat(settings, ports());
    ASSERT_TRUE(chat.answer(think_for_tests()));
    ASSERT_TRUE(chat.answer(reply_for_tests()));
    requests = server.requests();
    const auto effort = [&](std::size_t at) {
      return one == ChatWire::openai ? sent(at).at("reasoning_effort")
                                     : sent(at).at("output_config").at("effort");
    };
    EXPECT_EQ(sent(0).at("model"), Json("large"));
    EXPECT_EQ(effort(0), Json("high"));
    EXPECT_EQ(sent(0).at(one == ChatWire::openai ? "max_completion_tokens" : "max_tokens"),
              Json(100));
    EXPECT_EQ(sent(1).at("model"), Json("small"));
    EXPECT_EQ(effort(1), Json("low"));
  }
}

TEST_F(ChatHttpTest, R1_an_endpoint_without_schemas_is_asked_otherwise_and_remembered) {
  const std::pair<ChatWire, std::vector<std::string>> all[] = {
      {ChatWire::openai, {"json_schema", "json_object", "follows this JSON Schema"}},
      {ChatWire::anthropic, {"output_config", "tool_choice", "follows this JSON Schema"}}};
  for (const auto& [one, forms] : all) {
    wire = one;
    HttpServerForTests server([&, spoken = one](const RequestForTests& request) {
      for (const char* word : {"response_format", "output_config", "tools"})
        if (has(request.body, word))
          return refused_for_tests(400, std::string(word) + " is not supported");
      return said_for_tests("{}", spoken);
    });
    ChatHttp chat(settings_at(server.url()), ports());
    ASSERT_TRUE(chat.answer(think_for_tests()));
    requests = server.requests();
    ASSERT_EQ(requests.size(), 3u);
    for (std::size_t at = 0; at < 3; ++at) EXPECT_TRUE(has(requests[at].body, forms[at]));
    ASSERT_TRUE(chat.answer(think_for_tests()));
    EXPECT_EQ(server.requests().size(), 4u);
    Ask act = think_for_tests();
    act.node = Node::act;
    ASSERT_TRUE(chat.answer(act));
    EXPECT_EQ(server.requests().size(), 7u) << "what one node's schema is refused for";
  }
}

TEST_F(ChatHttpTest, R1_older_names_and_less_are_tried_where_the_endpoint_wants_them) {
  HttpServerForTests server([](const RequestForTests& request) {
    for (const char* word : {"max_completion_tokens", "stream_options", "reasoning_effort"})
      if (has(request.body, word))
        return refused_for_tests(422, "Unknown field " + std::string(word));
    return said_for_tests("{}");
  });
  ChatSettings settings = settings_at(server.url());
  settings.effort = "low";
  ChatHttp chat(settings, ports());
  ASSERT_TRUE(chat.answer(think_for_tests()));
  EXPECT_EQ(server.requests().size(), 4u);
  EXPECT_TRUE(has(server.requests()[3].body, "\"max_tokens\":8192"));
  EXPECT_TRUE(has(server.requests()[3].body, "json_schema"));
}

TEST_F(ChatHttpTest, R1_the_reply_is_told_as_it_comes_and_structured_answers_are_not) {
  for (const ChatWire one : {ChatWire::openai, ChatWire::anthropic}) {
    wire = one;
    const std::string text =
        "Saved: Cr\xC3\xA8me br\xC3\xBBl\xC3\xA9"
        "e, twice.";
    HttpServerForTests server(
        in_turn_for_tests({chunks_for_tests({events_for_tests(one, {text}, 5)})}));
    std::vector<std::string> tokens;
    ChatWatch watch;
    watch.on_token = [&](const Ask& asked, std::string_view token) {
      EXPECT_EQ(asked.node, Node::reply);
      tokens.emplace_back(token);
    };
    ChatHttp chat(settings_at(server.url()), ports(), watch);
    const Result<Answer> answer = chat.answer(reply_for_tests());
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->text, text);
    std::string joined;
    for (const std::string& token : tokens) joined += token;
    EXPECT_EQ(joined, text);
    EXPECT_GT(tokens.size(), 4u);
    tokens.clear();
    ASSERT_TRUE(chat.answer(think_for_tests()));
    EXPECT_TRUE(tokens.empty());
    EXPECT_EQ(server.connections(), 1) << "a connection is kept between asks";
  }
}

TEST_F(ChatHttpTest, R2_what_was_shown_is_not_said_twice) {
  const std::string events = openai_stream_for_tests({"Saved two of them."}, 4);
  const std::string early = events.substr(0, events.find("\"stop\""));
  HttpServerForTests server(in_turn_for_tests({stream_for_tests({early}), said_for_tests("x")}));
  std::string shown;
  ChatWatch watch;
  watch.on_token = [&](const Ask&, std::string_view text) { shown += text; };
  EXPECT_FALSE(ChatHttp(settings_at(server.url()), ports(), watch).answer(reply_for_tests()));
  EXPECT_EQ(shown, "Saved two of them.");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(ChatHttpTest, R3_no_error_shows_the_key_or_what_is_secret_in_the_address) {
  const std::vector<ResponseForTests> all{
      refused_for_tests(401, std::string("no such key: ") + kKey),
      refused_for_tests(400, std::string(kKey) + kKey),
      response_for_tests(200, "text/html", std::string("<p>") + kKey),
      stream_for_tests(
          {std::string("event: error\ndata: {\"error\":{\"message\":\"") + kKey + "\"}}\n\n"})};
  for (const ResponseForTests& one : all) {
    const Result<Answer> answer = ask(in_turn_for_tests({one}));
    ASSERT_FALSE(answer);
    EXPECT_FALSE(has(answer.error().message + answer.error().detail, "sk-not"))
        << answer.error().message << answer.error().detail;
  }
  ChatSettings settings = settings_at("http://ann:pass1@127.0.0.1:1");
  settings.url += "?token=pass2";
  settings.retries = 0;
  const Error error = ChatHttp(settings, ports()).answer(think_for_tests()).error();
  EXPECT_TRUE(has(error.message, "http://127.0.0.1:1/v1/chat/completions")) << error.message;
  EXPECT_FALSE(has(error.message + error.detail, "pass")) << error.message;
}

TEST_F(ChatHttpTest, R5_tokens_and_cost_are_counted_for_every_answer_and_summed) {
  HttpServerForTests server(
      in_turn_for_tests({refused_for_tests(500, "busy"), said_for_tests("{}")}));
  ChatSettings settings = settings_at(server.url());
  settings.prices = ModelPrices{.input = 2, .cached = 0.5, .output = 10};
  settings.nodes[static_cast<std::size_t>(Node::reply)].model = "other";
  ChatHttp chat(settings, ports(), watch());
  ASSERT_TRUE(chat.answer(think_for_tests()));
  EXPECT_DOUBLE_EQ(usage->cost, (10 * 2 + 30 * 0.5 + 5 * 10) / 1e6);
  EXPECT_EQ(usage->retries, 1);
  ASSERT_TRUE(chat.answer(reply_for_tests()));
  EXPECT_EQ(usage->unpriced, 1) << "nobody gave a price for the other model";
  const ModelUsage total = chat.total();
  EXPECT_EQ(total.answers, 2);
  EXPECT_EQ(total.input_tokens, 80);
  EXPECT_EQ(total.output_tokens, 10);
  EXPECT_EQ(total.estimated, 0);
  EXPECT_EQ(total.unpriced, 1);
  EXPECT_DOUBLE_EQ(total.cost, 85 / 1e6);
}

TEST_F(ChatHttpTest, R6_cancelling_ends_a_wait_and_a_request) {
  HttpServerForTests server(in_turn_for_tests({refused_for_tests(503, "", "Retry-After: 50\r\n")}));
  std::atomic<bool> is_cancelled = false;
  ChatWatch watch;
  watch.is_cancelled = [&] { return is_cancelled.load(); };
  watch.on_retry = [&](const Ask&, std::string_view, std::int64_t wait_ms) {
    EXPECT_EQ(wait_ms, 50'000);
    is_cancelled = true;
  };
  ChatHttp chat(settings_at(server.url()), ports(), watch);
  EXPECT_TRUE(has(chat.answer(think_for_tests()).error().message, "cancelled"));
  EXPECT_TRUE(has(chat.answer(think_for_tests()).error().message, "cancelled"));
  EXPECT_EQ(server.requests().size(), 1u);

  is_cancelled = false;
  HttpServerForTests slow([&](const RequestForTests&) {
    is_cancelled = true;
    return ResponseForTests{{"", 2'000}};
  });
  ChatSettings settings = settings_at(slow.url());
  settings.timeouts = {};
  const Result<Answer> answer = ChatHttp(settings, ports(), watch).answer(think_for_tests());
  EXPECT_TRUE(has(answer.error().message, "cancelled"));
}

TEST_F(ChatHttpTest, R7_a_limit_that_is_used_up_is_waited_for_before_the_next_request) {
  HttpServerForTests server(in_turn_for_tests({response_for_tests(
      200, "application/json", whole_for_tests(wire, {"{}"}),
      "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 6s\r\n")}));
  ChatHttp chat(settings_at(server.url()), ports());
  ASSERT_TRUE(chat.answer(think_for_tests()));
  EXPECT_EQ(clock.monotonic_ns(), 0);
  ASSERT_TRUE(chat.answer(think_for_tests()));
  EXPECT_EQ(clock.monotonic_ns(), 6'000'000'000);
}

TEST_F(ChatHttpThreads, R7_asks_are_answered_side_by_side_each_with_its_own) {
  std::atomic<int> busy = 1;
  HttpServerForTests server([&](const RequestForTests& request) {
    if (busy.exchange(0) == 1) return refused_for_tests(429, "slow down");
    const std::size_t at = request.body.find("ask number ");
    ResponseForTests out = said_for_tests("to " + request.body.substr(at, 12));
    out[0].wait_ms = 20;
    return out;
  });
  ChatHttp chat(settings_at(server.url()), ports());
  EXPECT_EQ(chat.most_at_once(), 4u);
  std::vector<std::thread> threads;
  for (char number = '1'; number <= '4'; ++number)
    threads.emplace_back([&chat, number] {
      Ask asked = think_for_tests();
      asked.user = std::string("ask number ") + number;
      for (int times = 0; times < 5; ++times) {
        const Result<Answer> answer = chat.answer(asked);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->text, "to " + asked.user);
      }
    });
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(chat.total().answers, 20);
}

}  // namespace
}  // namespace alfred
