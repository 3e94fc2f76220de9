#include "interpreter/chat_http/chat_settings.h"

#include <gtest/gtest.h>

#include "interpreter/chat_http/chat_request.h"

namespace alfred {
namespace {

using Variables = ChatSettings::Variables;

JsonObject table(std::string_view text) {
  return parse_json(text, JsonLimits::none()).value().get_object();
}
ChatSettings from(const Variables& variables, std::string_view text = "{}") {
  const auto settings = ChatSettings::from(variables, table(text));
  EXPECT_TRUE(settings && settings->has_value());
  return settings && *settings ? **settings : ChatSettings{};
}
Error error_of(const Variables& variables, std::string_view text = "{}") {
  const auto settings = ChatSettings::from(variables, table(text));
  EXPECT_FALSE(settings) << text;
  return settings ? Error{} : settings.error();
}

TEST(ChatSettings, R1_who_comes_first) {
  EXPECT_FALSE(ChatSettings::from({}).value());
  Variables set{{"OPENAI_API_KEY", "ok"}, {"ANTHROPIC_API_KEY", "ak"}};
  EXPECT_FALSE(ChatSettings::from(set).value()) << "a key alone names no model";
  set["ANTHROPIC_MODEL"] = "b";
  EXPECT_EQ(from(set).url, "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(from(set).key, "ak");
  EXPECT_FALSE(from(set).is_bearer);
  set["OPENAI_MODEL"] = "a";
  EXPECT_EQ(from(set).url, "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(from(set).key, "ok");
  const char* const mine = R"({"url":"http://localhost:1/v1","model":"d","key":"k"})";
  EXPECT_EQ(from(set, mine).model, "d");
  EXPECT_EQ(from(set, mine).key, "k");
  set["ALFRED_MODEL_URL"] = "http://localhost:2";
  set["ALFRED_MODEL"] = "c";
  EXPECT_EQ(from(set, mine).model, "c");
  EXPECT_EQ(from(set, mine).url, "http://localhost:2/v1/chat/completions");
  set["ALFRED_MODEL_KEY"] = "mine";
  EXPECT_EQ(from(set, mine).key, "mine");
  EXPECT_EQ(from({{"ANTHROPIC_MODEL", "b"}, {"ANTHROPIC_AUTH_TOKEN", "t"}}).key, "t");
  EXPECT_TRUE(from({{"ANTHROPIC_MODEL", "b"}, {"ANTHROPIC_AUTH_TOKEN", "t"}}).is_bearer);
}

TEST(ChatSettings, R1_what_is_missing_is_named) {
  EXPECT_NE(error_of({{"ALFRED_MODEL_URL", "http://localhost:1"}}).message.find("ALFRED_MODEL "),
            std::string::npos);
  EXPECT_NE(error_of({{"ALFRED_MODEL", "m"}}).message.find("ALFRED_MODEL_URL is not"),
            std::string::npos);
}

TEST(ChatSettings, R2_addresses) {
  const auto url = [](std::string_view base) { return chat_address(base)->url; };
  EXPECT_EQ(url("http://localhost:8080"), "http://localhost:8080/v1/chat/completions");
  EXPECT_EQ(url("http://localhost:8080/v1/"), "http://localhost:8080/v1/chat/completions");
  EXPECT_EQ(url("http://h/openai/v1/chat/completions"), "http://h/openai/v1/chat/completions");
  EXPECT_EQ(url("https://api.anthropic.com"), "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(chat_address("http://x/v1/messages")->wire, ChatWire::anthropic);
  EXPECT_EQ(chat_address("https://notanthropic.com")->wire, ChatWire::openai);
  EXPECT_EQ(chat_address("http://h", ChatWire::anthropic)->url, "http://h/v1/messages");
  for (const char* bad : {"", "localhost:8080", "ftp://x", "http://", "http:///v1", "http://a b"})
    EXPECT_EQ(chat_address(bad).error().code, ErrorCode::value) << bad;
  EXPECT_EQ(
      from({{"ALFRED_MODEL_URL", "http://h"}, {"ALFRED_MODEL", "m"}}, R"({"wire":"anthropic"})")
          .url,
      "http://h/v1/messages");
}

TEST(ChatSettings, R3_R5_the_table_is_read_and_a_mistake_is_named) {
  const Variables set{{"ALFRED_MODEL_URL", "http://h"}, {"ALFRED_MODEL", "m"}};
  const ChatSettings settings = from(set, R"({"effort":"low","max_tokens":10,"retries":0,
      "most_at_once":2,"connect_timeout_s":1,"first_byte_timeout_s":2,"idle_timeout_s":0.3,
      "timeout_s":4,"ca_file":"c.pem",
      "structure":"tool","anthropic_version":"2026-10-21","price":{"input":1,"output":2.5},
      "think":{"model":"t","effort":"high","max_tokens":20,"timeout_s":9,
               "price":{"input":3,"cached":0.3,"output":4}},"reply":{}})");
  EXPECT_EQ(settings.model_of(Node::think), "t");
  EXPECT_EQ(settings.model_of(Node::act), "m");
  EXPECT_EQ(settings.effort_of(Node::think), "high");
  EXPECT_EQ(settings.effort_of(Node::act), "low");
  EXPECT_EQ(settings.max_tokens_of(Node::think), 20);
  EXPECT_EQ(settings.timeouts_of(Node::think).total_ms, 9'000);
  EXPECT_EQ(settings.timeouts_of(Node::act).total_ms, 4'000);
  EXPECT_EQ(settings.prices_of(Node::think), (ModelPrices{3, 0.3, 4}));
  EXPECT_EQ(settings.prices_of(Node::act), (ModelPrices{1, std::nullopt, 2.5}));
  EXPECT_EQ(settings.timeouts.idle_ms, 300);
  EXPECT_EQ(settings.structure, Structure::tool);
  const std::pair<const char*, const char*> bad[] = {
      {R"({"modle":"x"})", "model.modle"},
      {R"({"url":7})", "model.url"},
      {R"({"wire":"x"})", "model.wire"},
      {R"({"structure":"x"})", "model.structure"},
      {R"({"max_tokens":0})", "model.max_tokens"},
      {R"({"retries":"2"})", "model.retries"},
      {R"({"price":{"input":1}})", "model.price"},
      {R"({"price":{"input":-1,"output":1}})", "model.price.input"},
      {R"({"dream":{}})", "model.dream"},
      {R"({"timeout_s":0})", "model.timeout_s"},
      {R"({"think":{"temperature":1}})", "model.think.temperature"},
      {R"({"think":7})", "model.think"}};
  for (const auto& [text, path] : bad) {
    EXPECT_EQ(error_of(set, text).code, ErrorCode::schema) << text;
    EXPECT_EQ(error_of(set, text).path, path) << text;
    EXPECT_LE(error_of(set, text).allowed.size(), 10u);
  }
}

TEST(ChatSettings, R4_a_providers_key_goes_nowhere_else) {
  const Variables keys{
      {"OPENAI_API_KEY", "ok"}, {"ANTHROPIC_API_KEY", "ak"}, {"ALFRED_MODEL", "m"}};
  const auto key_at = [&](const std::string& url) {
    Variables set = keys;
    if (!url.empty()) set["ALFRED_MODEL_URL"] = url;
    return from(set).key;
  };
  EXPECT_EQ(key_at("https://api.openai.com/v1"), "ok");
  EXPECT_EQ(key_at("https://eu.api.openai.com/v1"), "ok");
  EXPECT_EQ(key_at("https://api.anthropic.com"), "ak");
  EXPECT_EQ(key_at(""), "ok");
  for (const char* other : {"http://localhost:8080", "https://openai.com.example.org/v1",
                            "https://notopenai.com", "https://api.openai.com@example.org/v1"})
    EXPECT_EQ(key_at(other), "") << other;
}

TEST(ChatSettings, R5_a_key_that_would_break_a_header_is_refused_and_not_shown) {
  const Error error = error_of({{"ALFRED_MODEL_URL", "http://h"},
                                {"ALFRED_MODEL", "m"},
                                {"ALFRED_MODEL_KEY", "sk-1\r\nX-Evil: 1"}});
  EXPECT_EQ(error.code, ErrorCode::value);
  EXPECT_EQ(error.message.find("sk-1"), std::string::npos);
}

}  // namespace
}  // namespace alfred
