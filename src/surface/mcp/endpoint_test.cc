#include "surface/mcp/endpoint.h"

#include <gtest/gtest.h>

#include "surface/mcp/features_for_tests.h"

namespace alfred::mcp {
namespace {

class Endpoint : public testing::Test {
 protected:
  Json ask(std::string_view method, std::string_view params = "", int id = 1) {
    endpoint.receive(request_for_tests(method, params, id), peer, sink);
    return sink->last();
  }
  Json ask_modern(std::string_view method, const std::string& params = "", int id = 1) {
    return ask(method, params + (params.empty() ? "" : ",") + meta_for_tests(), id);
  }
  void begin() {
    ask("initialize", R"("protocolVersion":"2025-11-25","capabilities":{"elicitation":{}})");
  }
  static std::int64_t code_of(const Json& message) {
    return message.at("error").at("code").as_int64();
  }

  ManualClock clock{1'000'000};
  SeededRandom random{5};
  FeaturesForTests features;
  McpEndpoint endpoint{features, clock, random};
  McpPeer peer;
  std::shared_ptr<SinkForTests> sink = std::make_shared<SinkForTests>();
};

TEST_F(Endpoint, R1_both_eras_are_spoken_at_once) {
  EXPECT_EQ(code_of(ask("tools/list")), -32600);
  begin();
  EXPECT_FALSE(ask("tools/list").at("result").as_object().contains("resultType"));
  EXPECT_EQ(ask_modern("tools/list").at("result").at("resultType"), "complete");
  EXPECT_EQ(code_of(ask_modern("ping")), -32601);
  EXPECT_TRUE(ask("ping").at("result").as_object().empty());
}

TEST_F(Endpoint, R2_a_request_gets_one_response) {
  begin();
  sink->sent.clear();
  ask("tools/call", R"("name":"progress")");
  EXPECT_EQ(sink->sent.size(), 1U);  // no token was given
  sink->sent.clear();
  ask("tools/call", R"("name":"progress","_meta":{"progressToken":"t"})");
  EXPECT_EQ(sink->sent.size(), 3U);
  EXPECT_NE(sink->sent[0].find(R"("progressToken":"t")"), std::string::npos);
}

TEST_F(Endpoint, R6_an_exception_is_an_answer_and_what_it_left_is_not_trusted) {
  begin();
  const Json memory = ask("tools/call", R"("name":"no_memory")");
  EXPECT_EQ(code_of(memory), -32603);
  EXPECT_NE(write_json(memory).find("not enough memory"), std::string::npos);
  EXPECT_EQ(features.distrusted, 1);
  EXPECT_EQ(code_of(ask_modern("tools/call", R"("name":"thrown")")), -32603);
  EXPECT_EQ(sink->sent.back().find("the-secret"), std::string::npos);
  EXPECT_EQ(features.distrusted, 2);
  // The same id is free again.
  EXPECT_TRUE(ask("tools/call", R"("name":"written")").as_object().contains("result"));
}

TEST_F(Endpoint, R6_progress_only_rises) {
  begin();
  sink->sent.clear();
  ask("tools/call", R"("name":"falling","_meta":{"progressToken":{"a":1}})");
  EXPECT_EQ(sink->sent.size(), 1U);  // that is no token
  sink->sent.clear();
  ask("tools/call", R"("name":"falling","_meta":{"progressToken":"t"})");
  ASSERT_EQ(sink->sent.size(), 3U);
  EXPECT_NE(sink->sent[0].find(R"("progress":2.0)"), std::string::npos) << sink->sent[0];
  EXPECT_NE(sink->sent[1].find(R"("progress":3.0)"), std::string::npos) << sink->sent[1];
}

TEST_F(Endpoint, R4_arguments_that_cannot_be_read_are_answered_with_their_id) {
  begin();
  const std::string deep = std::string(130, '[') + std::string(130, ']');
  for (const std::string& value :
       {std::string("100000000000000000000"), std::string("1e400"), std::string(R"("\ud83d")"),
        std::string(R"({"a":1,"a":2})"), deep, std::string("12345678901234567.12")}) {
    const std::string params = R"("name":"written","arguments":{"data":{"price":)" + value + "}}";
    for (const Json& told : {ask("tools/call", params, 7), ask_modern("tools/call", params, 7)}) {
      EXPECT_EQ(told.at("id").as_int64(), 7) << value;
      const JsonObject& result = told.at("result").as_object();
      EXPECT_TRUE(result.at("isError").as_bool()) << value;
      const Json& text = result.at("content").at(0).at("text");
      EXPECT_NE(std::string_view(text.as_string()).find("price"), std::string::npos) << text;
    }
    EXPECT_EQ(ask_modern("tools/call", params).at("result").at("resultType"), "complete");
  }
  EXPECT_EQ(features.calls, 0);
  for (const char* params : {R"("uri":1e400)", R"("uri":"a","uri":"b")"}) {
    EXPECT_EQ(code_of(ask("resources/read", params, 8)), -32602);
    EXPECT_EQ(sink->last().at("id").as_int64(), 8);
  }
  ask("tools/call", R"("name":"written","_meta":{"progressToken":12345678901234567.12})");
  EXPECT_EQ(features.calls, 1);
}

TEST_F(Endpoint, R3_what_is_no_request_is_answered_with_the_id_it_has) {
  begin();
  endpoint.receive(R"({"jsonrpc":"2.0","id":9,"method":"tools/list","params":[1]})", peer, sink);
  EXPECT_EQ(code_of(sink->last()), -32600);
  EXPECT_EQ(sink->last().at("id").as_int64(), 9);
  endpoint.receive(R"({"id":"x","method":"tools/list"})", peer, sink);
  EXPECT_EQ(code_of(sink->last()), -32600);
  EXPECT_EQ(sink->last().at("id"), "x");
  for (const char* none : {R"({"jsonrpc":"2.0","id":9,"method":"tools/list")",
                           R"({"jsonrpc":"2.0","id":9,"id":9,"method":"tools/list"})"}) {
    endpoint.receive(none, peer, sink);
    EXPECT_EQ(code_of(sink->last()), -32700);
    EXPECT_FALSE(sink->last().as_object().contains("id"));
  }
}

TEST_F(Endpoint, R3_an_answer_that_cannot_be_read_is_no_consent) {
  begin();
  const Json question = ask("tools/call", R"("name":"ask")", 7);
  endpoint.receive(R"({"jsonrpc":"2.0","id":)" + write_json(question.at("id")) +
                       R"(,"result":{"action":"accept","content":{"approve":true,"n":1e400}}})",
                   peer, sink);
  EXPECT_EQ(sink->last().at("result").at("inputs").at("q").at("action"), "cancel");
}

TEST_F(Endpoint, R2_a_session_begins_once) {
  begin();
  EXPECT_EQ(code_of(ask("initialize", R"("protocolVersion":"2025-11-25")")), -32600);
}

TEST_F(Endpoint, R3_a_call_of_a_session_waits_for_its_client) {
  begin();
  const int before = sink->finished;
  const Json question = ask("tools/call", R"("name":"ask")", 7);
  EXPECT_EQ(question.at("method"), "elicitation/create");
  EXPECT_EQ(sink->finished, before);
  EXPECT_EQ(code_of(ask("tools/list", "", 7)), -32600);  // the id is in use
  const std::string answer = R"({"jsonrpc":"2.0","id":)" + write_json(question.at("id")) +
                             R"(,"result":{"action":"accept"}})";
  endpoint.receive(answer, peer, sink);
  EXPECT_EQ(sink->last().at("id").as_int64(), 7);
  EXPECT_EQ(sink->last().at("result").at("inputs").at("q").at("action"), "accept");
  EXPECT_EQ(sink->last().at("result").at("kept"), "kept");
  const std::size_t sent = sink->sent.size();
  endpoint.receive(answer, peer, sink);  // once more: nobody asked
  EXPECT_EQ(sink->sent.size(), sent);
}

TEST_F(Endpoint, R3_a_client_that_cannot_ask_has_no_consent) {
  begin();
  const Json question = ask("tools/call", R"("name":"ask")", 7);
  endpoint.receive(R"({"jsonrpc":"2.0","id":)" + write_json(question.at("id")) +
                       R"(,"error":{"code":-1,"message":"no"}})",
                   peer, sink);
  EXPECT_EQ(sink->last().at("result").at("inputs").at("q").at("action"), "cancel");
}

TEST_F(Endpoint, R3_calls_that_wait_are_bounded) {
  begin();
  for (std::size_t i = 0; i < McpPeer::kMostQuestions; ++i)
    EXPECT_TRUE(ask("tools/call", R"("name":"ask")", 100 + static_cast<int>(i))
                    .as_object()
                    .contains("method"));
  EXPECT_EQ(code_of(ask("tools/call", R"("name":"ask")", 99)), -32603);
}

TEST_F(Endpoint, R3_another_peer_cannot_answer) {
  begin();
  const Json question = ask("tools/call", R"("name":"ask")", 7);
  McpPeer other;
  const int calls = features.calls;
  endpoint.receive(R"({"jsonrpc":"2.0","id":)" + write_json(question.at("id")) +
                       R"(,"result":{"action":"accept"}})",
                   other, sink);
  EXPECT_EQ(features.calls, calls);
}

TEST_F(Endpoint, R3_a_modern_state_belongs_to_its_principal) {
  peer.principal = "ann";
  const Json asked = ask_modern("tools/call", R"("name":"ask")").at("result");
  EXPECT_EQ(asked.at("resultType"), "input_required");
  const std::string again =
      R"("name":"ask","inputResponses":{"q":{"action":"accept"}},"requestState":)" +
      write_json(asked.at("requestState"));
  peer.principal = "bob";
  EXPECT_EQ(code_of(ask_modern("tools/call", again)), -32602);
  peer.principal = "ann";
  EXPECT_EQ(ask_modern("tools/call", again).at("result").at("kept"), "kept");
}

TEST_F(Endpoint, a_result_that_is_written_already_goes_out_as_others_do) {
  begin();
  const JsonObject plain = ask("tools/call", R"("name":"progress")").at("result").as_object();
  EXPECT_FALSE(plain.contains("resultType"));
  const Json old = ask("tools/call", R"("name":"written")", 4);
  EXPECT_EQ(write_json(old),
            R"({"jsonrpc":"2.0","id":4,"result":{"content":[],"structuredContent":{"a":1}}})");
  const Json modern = ask_modern("tools/call", R"("name":"written")");
  const Json other = ask_modern("tools/call", R"("name":"progress")");
  EXPECT_EQ(modern.at("result").at("structuredContent").at("a"), 1);
  EXPECT_EQ(modern.at("result").at("resultType"), other.at("result").at("resultType"));
  EXPECT_EQ(modern.at("result").at("_meta"), other.at("result").at("_meta"));
}

TEST_F(Endpoint, R4_what_the_guard_holds_back_is_an_error_that_says_nothing) {
  begin();
  const Json answer = ask("tools/call", R"("name":"leak")");
  EXPECT_EQ(code_of(answer), -32603);
  EXPECT_EQ(code_of(ask("tools/call", R"("name":"written_leak")")), -32603);
  EXPECT_EQ(code_of(ask_modern("tools/call", R"("name":"written_leak")")), -32603);
  for (const std::string& message : sink->sent)
    EXPECT_EQ(message.find(FeaturesForTests::kSecret), std::string::npos);
}

TEST_F(Endpoint, R4_an_answer_that_is_held_back_says_that_the_change_was_made) {
  begin();
  const auto said = [&](const char* tool) {
    const Json answer = ask("tools/call", "\"name\":\"" + std::string(tool) + "\"");
    EXPECT_EQ(code_of(answer), -32603);
    return std::string(answer.at("error").at("message").as_string());
  };
  const std::string written = said("write_leak");
  EXPECT_NE(written.find("The change was made"), std::string::npos) << written;
  EXPECT_NE(written.find("opn_d4n8xr1w6pqt"), std::string::npos) << written;
  EXPECT_EQ(written.find("Nothing was sent"), std::string::npos) << written;
  // The next one changed nothing.
  EXPECT_EQ(said("leak").find("was made"), std::string::npos);
}

TEST_F(Endpoint, lists_come_in_pages_with_cursors_that_last) {
  begin();
  const Json first = ask("tools/list").at("result");
  EXPECT_EQ(first.at("tools").as_array().size(), 2U);
  features.names.insert(features.names.begin(), "another");
  const Json second =
      ask("tools/list", R"("cursor":)" + write_json(first.at("nextCursor"))).at("result");
  EXPECT_EQ(second.at("tools").as_array().at(0).at("name"), "log");
  const Json third =
      ask("tools/list", R"("cursor":)" + write_json(second.at("nextCursor"))).at("result");
  EXPECT_EQ(third.at("tools").as_array().size(), 1U);
  EXPECT_FALSE(third.as_object().contains("nextCursor"));
  EXPECT_EQ(code_of(ask("tools/list", R"("cursor":"none")")), -32602);
  EXPECT_EQ(code_of(ask("tools/list", R"("cursor":7)")), -32602);
}

TEST_F(Endpoint, logs_are_sent_to_who_asked_for_them) {
  begin();
  sink->sent.clear();
  ask("tools/call", R"("name":"log")");
  EXPECT_EQ(sink->sent.size(), 1U);
  EXPECT_EQ(code_of(ask("logging/setLevel", R"("level":"loud")")), -32602);
  ask("logging/setLevel", R"("level":"warning")");
  sink->sent.clear();
  ask("tools/call", R"("name":"log")");
  EXPECT_EQ(sink->sent.size(), 1U);
  ask("logging/setLevel", R"("level":"debug")");
  sink->sent.clear();
  ask("tools/call", R"("name":"log")");
  EXPECT_EQ(sink->sent.size(), 2U);
}

TEST_F(Endpoint, watchers_are_told_until_they_stop) {
  peer.stream = sink;
  endpoint.attach(peer);
  begin();
  ask("resources/subscribe", R"("uri":"test://one")");
  sink->sent.clear();
  ask("tools/call", R"("name":"touch")");
  EXPECT_EQ(sink->sent.size(), 2U);
  ask("resources/unsubscribe", R"("uri":"test://one")");
  sink->sent.clear();
  ask("tools/call", R"("name":"touch")");
  EXPECT_EQ(sink->sent.size(), 1U);
  endpoint.detach(peer);
}

TEST_F(Endpoint, who_asks_to_be_told_is_known_before_it_is_answered) {
  std::vector<std::string> begun;
  endpoint.on_watch([&](const std::string& uri) {
    EXPECT_FALSE(endpoint.is_wanted(uri));
    begun.push_back(uri);
  });
  begin();
  endpoint.attach(peer);
  ask("resources/subscribe", R"("uri":"test://one")");
  ask_modern("subscriptions/listen",
             R"("notifications":{"resourceSubscriptions":["test://two","test://three"]})", 9);
  EXPECT_EQ(begun, (std::vector<std::string>{"test://one", "test://two", "test://three"}));
  EXPECT_TRUE(endpoint.is_wanted("test://one"));
  EXPECT_FALSE(endpoint.is_watched("test://one"));  // it has no stream to be told by
  EXPECT_TRUE(endpoint.is_watched("test://two"));
  ask("resources/unsubscribe", R"("uri":"test://one")");
  EXPECT_FALSE(endpoint.is_wanted("test://one"));
  endpoint.detach(peer);
}

TEST_F(Endpoint, listeners_end_with_a_response_or_by_being_cancelled) {
  ask_modern("subscriptions/listen", R"("notifications":{"resourceSubscriptions":["test://one"]})",
             4);
  EXPECT_EQ(sink->last().at("method"), "notifications/subscriptions/acknowledged");
  const auto other = std::make_shared<SinkForTests>();
  endpoint.receive(request_for_tests("tools/call", R"("name":"touch",)" + meta_for_tests(), 5),
                   peer, other);
  EXPECT_EQ(sink->last().at("params").at("uri"), "test://one");
  endpoint.finish();
  EXPECT_EQ(sink->last().at("id").as_int64(), 4);
  EXPECT_EQ(sink->finished, 1);
  ask_modern("subscriptions/listen", R"("notifications":{"resourceSubscriptions":["test://one"]})",
             6);
  const std::string cancelled =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}})";
  endpoint.receive(cancelled, peer, other);  // whose subscription it is not
  const std::size_t before = sink->sent.size();
  endpoint.tell({"notifications/resources/updated", "test://one"});
  EXPECT_EQ(sink->sent.size(), before + 1);
  endpoint.receive(cancelled, peer, sink);
  const std::size_t sent = sink->sent.size();
  endpoint.tell({"notifications/resources/updated", "test://one"});
  endpoint.finish();
  EXPECT_EQ(sink->sent.size(), sent);
}

TEST_F(Endpoint, R2_a_cancellation_that_comes_first_takes_back_what_comes_later) {
  begin();
  const auto cancel = [&](int id) {
    endpoint.receive(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
            std::to_string(id) + "}}",
        peer, sink);
  };
  cancel(7);
  const std::size_t before = sink->sent.size();
  ask("tools/call", R"("name":"written")", 7);
  EXPECT_EQ(sink->sent.size(), before);
  EXPECT_EQ(features.calls, 0);
  // Once; and what has ended is not begun by it again.
  EXPECT_TRUE(ask("tools/call", R"("name":"written")", 7).as_object().contains("result"));
  cancel(7);
  EXPECT_TRUE(ask("tools/call", R"("name":"written")", 7).as_object().contains("result"));
}

TEST_F(Endpoint, only_what_will_be_told_is_acknowledged) {
  ask_modern("subscriptions/listen",
             R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://one",)"
             R"("test://none",7],"promptsListChanged":true,"other":1})");
  EXPECT_EQ(write_json(sink->last().at("params").at("notifications")),
            R"({"resourceSubscriptions":["test://one"]})");
  ask_modern("subscriptions/listen", R"("notifications":{"resourceSubscriptions":["test://none"]})",
             2);
  EXPECT_EQ(write_json(sink->last().at("params").at("notifications")),
            R"({"resourceSubscriptions":[]})");
  EXPECT_FALSE(endpoint.is_wanted("test://none"));
}

TEST(Message, a_cancellation_is_known_by_its_method_alone) {
  EXPECT_TRUE(is_cancellation(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}})"));
  EXPECT_FALSE(is_cancellation(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notifications/cancelled"}})"));
  EXPECT_FALSE(is_cancellation(
      R"({"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{}})"));
  EXPECT_FALSE(is_cancellation("notifications/cancelled"));
  EXPECT_FALSE(is_cancellation(""));
}

TEST_F(Endpoint, a_missing_resource_has_the_code_of_its_era) {
  begin();
  EXPECT_EQ(code_of(ask("resources/read", R"("uri":"test://none")")), -32002);
  const Json modern = ask_modern("resources/read", R"("uri":"test://none")");
  EXPECT_EQ(code_of(modern), -32602);
  EXPECT_EQ(modern.at("error").at("data").at("uri"), "test://none");
}

}  // namespace
}  // namespace alfred::mcp
