#include "surface/mcp/transport/http.h"

#include <gtest/gtest.h>

#include "surface/mcp/features_for_tests.h"

namespace alfred::mcp {
namespace {

class Http : public testing::Test {
 protected:
  HttpAnswer post(const std::string& body, HttpHeaders headers = {}, std::string principal = "") {
    headers.emplace_back("content-type", "application/json; charset=utf-8");
    HttpAnswer answer = http.answer({"POST", std::move(headers), body, std::move(principal)});
    if (answer.work) answer.work();
    return answer;
  }
  std::string begin(const std::string& principal = "") {
    const HttpAnswer answer = post(
        request_for_tests("initialize",
                          R"("protocolVersion":"2025-11-25","capabilities":{"elicitation":{}})"),
        {}, principal);
    EXPECT_EQ(answer.status, 200);
    return header_of(answer.headers, "mcp-session-id").value_or("");
  }
  HttpAnswer post_modern(std::string_view method, const std::string& params,
                         HttpHeaders more = {}) {
    more.emplace_back("MCP-Protocol-Version", "2026-07-28");
    more.emplace_back("mcp-method", " " + std::string(method) + " ");
    return post(request_for_tests(method, params + (params.empty() ? "" : ",") + meta_for_tests()),
                std::move(more));
  }
  static Json json(const HttpAnswer& answer) {
    return parse_json(answer.body, JsonLimits::none()).value();
  }
  static std::int64_t code_of(const HttpAnswer& answer) {
    return json(answer).at("error").at("code").as_int64();
  }

  ManualClock clock{1'000'000};
  SeededRandom random{5};
  FeaturesForTests features;
  McpEndpoint endpoint{features, clock, random};
  McpHttp http{endpoint, random};
};

TEST_F(Http, R1_one_message_is_json_and_several_are_events) {
  const HttpHeaders session{{"Mcp-Session-Id", begin()}};
  const HttpAnswer one = post(request_for_tests("tools/call", R"("name":"touch")"), session);
  EXPECT_EQ(one.stream, nullptr);
  EXPECT_EQ(header_of(one.headers, "content-type"), "application/json");
  const HttpAnswer many = post(
      request_for_tests("tools/call", R"("name":"progress","_meta":{"progressToken":1})"), session);
  ASSERT_NE(many.stream, nullptr);
  EXPECT_TRUE(many.stream->is_finished());
  const std::string events = many.stream->take();
  EXPECT_TRUE(events.starts_with("event: message\ndata: {\"jsonrpc\""));
  EXPECT_TRUE(events.ends_with("}\n\n"));
  EXPECT_EQ(many.stream->take(), "");
}

TEST_F(Http, R1_notifications_and_responses_are_taken) {
  const HttpHeaders session{{"Mcp-Session-Id", begin()}};
  const HttpAnswer taken =
      post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session);
  EXPECT_EQ(taken.status, 202);
  EXPECT_EQ(taken.body, "");
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":9,"result":{}})", session).status, 202);
}

TEST_F(Http, G4_other_content_types_are_refused) {
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "application/jsonp",
                           "application/json, text/plain", ""})
    EXPECT_EQ(http.answer({"POST", {{"Content-Type", type}}, "{}", ""}).status, 415) << type;
  EXPECT_EQ(http.answer({"POST", {}, "{}", ""}).status, 415);
  const HttpHeaders two{{"Content-Type", "application/json"}, {"content-type", "text/plain"}};
  EXPECT_EQ(http.answer({"POST", two, "{}", ""}).status, 415);
  EXPECT_EQ(
      http.answer({"POST", {{"Content-Type", "Application/JSON;charset=utf-8"}}, "{}", ""}).status,
      400);
}

TEST_F(Http, G6_a_body_past_the_limit_is_refused) {
  EXPECT_EQ(post(std::string(kMostMessageBytes + 1, ' ')).status, 413);
  EXPECT_EQ(post(std::string(kMostMessageBytes, ' ')).status, 400);
}

TEST_F(Http, G10_what_is_no_message_is_400) {
  for (const char* text : {"", "{", "[]", "7", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])",
                           R"({"jsonrpc":"2.0","id":null,"method":"ping"})"})
    EXPECT_EQ(post(text).status, 400) << text;
  EXPECT_EQ(features.calls, 0);
}

TEST_F(Http, R2_a_session_is_named_and_ended) {
  const std::string id = begin();
  EXPECT_GE(id.size(), 28U);
  const std::string list = request_for_tests("tools/list", "");
  EXPECT_EQ(post(list).status, 400);
  EXPECT_EQ(post(list, {{"Mcp-Session-Id", "ses_other"}}).status, 404);
  EXPECT_EQ(post(list, {{"mcp-session-id", id}}).status, 200);
  EXPECT_EQ(post(list, {{"mcp-session-id", id}, {"MCP-Protocol-Version", "2025-06-18"}}).status,
            200);
  EXPECT_EQ(post(list, {{"mcp-session-id", id}, {"MCP-Protocol-Version", "1999-01-01"}}).status,
            400);
  EXPECT_EQ(post(list, {{"mcp-session-id", id}, {"Mcp-Session-Id", id}}).status, 404);
  EXPECT_EQ(http.answer({"DELETE", {{"Mcp-Session-Id", id}}, "", ""}).status, 200);
  EXPECT_EQ(post(list, {{"Mcp-Session-Id", id}}).status, 404);
}

TEST_F(Http, R2_a_question_goes_out_on_the_stream_of_its_call) {
  const HttpHeaders session{{"Mcp-Session-Id", begin()}};
  const HttpAnswer call = post(request_for_tests("tools/call", R"("name":"ask")"), session);
  ASSERT_NE(call.stream, nullptr);
  EXPECT_FALSE(call.stream->is_finished());
  int woken = 0;
  call.stream->on_change([&] { ++woken; });
  EXPECT_NE(call.stream->take().find("elicitation/create"), std::string::npos);
  post(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept"}})", session);
  EXPECT_GT(woken, 0);
  EXPECT_TRUE(call.stream->is_finished());
  EXPECT_NE(call.stream->take().find(R"("action":"accept")"), std::string::npos);
}

TEST_F(Http, R2_get_opens_the_stream_of_a_session) {
  const std::string id = begin();
  const HttpHeaders session{{"Mcp-Session-Id", id}};
  post(request_for_tests("resources/subscribe", R"("uri":"test://one")"), session);
  const HttpAnswer stream = http.answer({"GET", session, "", ""});
  ASSERT_NE(stream.stream, nullptr);
  post(request_for_tests("tools/call", R"("name":"touch")"), session);
  EXPECT_NE(stream.stream->take().find("test://one"), std::string::npos);
  http.closed(stream.stream);
  post(request_for_tests("tools/call", R"("name":"touch")"), session);
  EXPECT_EQ(stream.stream->take(), "");
  EXPECT_EQ(http.answer({"GET", {}, "", ""}).status, 405);
  EXPECT_EQ(http.answer({"PUT", session, "", ""}).status, 405);
}

TEST_F(Http, R3_G11_headers_say_what_the_message_says) {
  const std::string call = R"("name":"touch")";
  EXPECT_EQ(post_modern("tools/call", call, {{"Mcp-Name", "touch"}}).status, 200);
  EXPECT_EQ(post_modern("tools/call", call, {{"Mcp-Name", "=?base64?dG91Y2g=?="}}).status, 200);
  for (const HttpHeaders& wrong : {HttpHeaders{}, HttpHeaders{{"Mcp-Name", "Touch"}},
                                   HttpHeaders{{"Mcp-Name", "touch"}, {"mcp-name", "leak"}},
                                   HttpHeaders{{"Mcp-Name", "=?base64?!?="}}}) {
    const HttpAnswer refused = post_modern("tools/call", call, wrong);
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(code_of(refused), -32020);
  }
  const std::string list = request_for_tests("tools/list", meta_for_tests());
  EXPECT_EQ(code_of(post(list, {{"Mcp-Method", "tools/list"}})), -32020);
  EXPECT_EQ(code_of(post(list, {{"MCP-Protocol-Version", "2026-07-28"}})), -32020);
  EXPECT_EQ(
      code_of(post(list, {{"MCP-Protocol-Version", "2025-11-25"}, {"Mcp-Method", "tools/list"}})),
      -32020);
  const HttpAnswer bare =
      post(request_for_tests("tools/list", ""),
           {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}});
  EXPECT_EQ(bare.status, 400);
  EXPECT_EQ(code_of(bare), -32602);
}

TEST(ParamHeaders, R1_R2_R3_arguments_that_are_repeated_in_headers) {
  ManualClock clock{1'000'000};
  SeededRandom random{5};
  FeaturesForTests features;
  features.schema = parse_json(R"({"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "inner":{"type":"object","properties":{"many":{"type":"integer","x-mcp-header":"Many"}}},
      "is_dry":{"type":"boolean","x-mcp-header":"Dry"},
      "list":{"type":"array","items":{"type":"string","x-mcp-header":"Items"},"x-mcp-header":"List"}}})",
                               JsonLimits::none())
                        ->as_object();
  McpEndpoint endpoint{features, clock, random};
  McpHttp http{endpoint, random};
  const auto code = [&](const std::string& arguments, HttpHeaders headers) -> std::int64_t {
    for (const auto& [name, value] : HttpHeaders{{"Content-Type", "application/json"},
                                                 {"MCP-Protocol-Version", "2026-07-28"},
                                                 {"Mcp-Method", "tools/call"},
                                                 {"Mcp-Name", "regional"}})
      headers.emplace_back(name, value);
    const HttpAnswer answer =
        http.answer({"POST", headers,
                     request_for_tests("tools/call", R"("name":"regional","arguments":)" +
                                                         arguments + "," + meta_for_tests()),
                     "", nullptr});
    const Json said = parse_json(answer.body, JsonLimits::none()).value();
    EXPECT_EQ(answer.status, said.as_object().contains("error") ? 400 : 200);
    return answer.status == 200 ? 0 : said.at("error").at("code").as_int64();
  };
  EXPECT_EQ(code("{}", {}), 0);
  EXPECT_EQ(code(R"({"region":null,"list":["a"]})", {}), 0);
  EXPECT_EQ(code(R"({"region":"west"})", {{"mcp-param-region", "west"}}), 0);
  EXPECT_EQ(code(R"({"region":"west"})", {{"Mcp-Param-Region", "=?base64?d2VzdA==?="}}), 0);
  EXPECT_EQ(code(R"({"inner":{"many":42},"is_dry":true})",
                 {{"Mcp-Param-Many", "42.0"}, {"Mcp-Param-Dry", "true"}}),
            0);
  EXPECT_EQ(code(R"({"region":"west"})", {}), -32020);
  EXPECT_EQ(code(R"({"region":"west"})", {{"Mcp-Param-Region", "West"}}), -32020);
  EXPECT_EQ(code(R"({"region":"west"})", {{"Mcp-Param-Region", "=?base64?!?="}}), -32020);
  EXPECT_EQ(code("{}", {{"Mcp-Param-Region", "west"}}), -32020);
  EXPECT_EQ(code(R"({"inner":{"many":42}})", {{"Mcp-Param-Many", "forty"}}), -32020);
  EXPECT_EQ(code(R"({"is_dry":true})", {{"Mcp-Param-Dry", "1"}}), -32020);
  EXPECT_EQ(features.calls, 5);
}

TEST_F(Http, R3_unknown_methods_and_versions) {
  EXPECT_EQ(post_modern("ping", "").status, 404);
  EXPECT_EQ(http.answer({"GET", {{"MCP-Protocol-Version", "2026-07-28"}}, "", ""}).status, 405);
  const HttpAnswer other =
      post(request_for_tests("tools/list",
                             R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"})"),
           {{"MCP-Protocol-Version", "2031-01-01"}, {"Mcp-Method", "tools/list"}});
  EXPECT_EQ(other.status, 400);
  EXPECT_EQ(code_of(other), -32022);
}

TEST_F(Http, R3_a_listener_that_goes_away_is_forgotten) {
  const HttpAnswer listener = post_modern(
      "subscriptions/listen", R"("notifications":{"resourceSubscriptions":["test://one"]})");
  ASSERT_NE(listener.stream, nullptr);
  EXPECT_NE(listener.stream->take().find("acknowledged"), std::string::npos);
  post_modern("tools/call", R"("name":"touch")", {{"Mcp-Name", "touch"}});
  EXPECT_NE(listener.stream->take().find("test://one"), std::string::npos);
  http.closed(listener.stream);
  post_modern("tools/call", R"("name":"touch")", {{"Mcp-Name", "touch"}});
  EXPECT_EQ(listener.stream->take(), "");
}

TEST_F(Http, R4_G14_another_principals_session_is_not_here) {
  const std::string id = begin("ann");
  const std::string list = request_for_tests("tools/list", "");
  EXPECT_EQ(post(list, {{"Mcp-Session-Id", id}}, "bob").status, 404);
  EXPECT_EQ(post(list, {{"Mcp-Session-Id", id}}, "ann").status, 200);
}

TEST_F(Http, R4_the_session_that_was_silent_longest_gives_way) {
  const std::string first = begin();
  const std::string second = begin();
  const std::string list = request_for_tests("tools/list", "");
  post(list, {{"Mcp-Session-Id", first}});
  for (std::size_t i = 2; i <= McpHttp::kMostSessions; ++i) begin();
  EXPECT_EQ(post(list, {{"Mcp-Session-Id", first}}).status, 200);
  EXPECT_EQ(post(list, {{"Mcp-Session-Id", second}}).status, 404);
}

TEST(EventStream, R2_G12_a_client_that_does_not_read_loses_its_stream) {
  EventStream stream;
  const std::string message(std::size_t{1} << 20, 'x');
  for (std::size_t i = 0; i < EventStream::kMostWaiting / message.size(); ++i) stream.send(message);
  EXPECT_FALSE(stream.is_finished());
  stream.send(message);
  EXPECT_TRUE(stream.is_finished());
  EXPECT_EQ(stream.take(), "");
}

}  // namespace
}  // namespace alfred::mcp
