// For tests only: answers in both wire forms, whole and as streams, as the providers' own servers
// send them, and the server that gives them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "contracts/ask.h"
#include "interpreter/chat_http/chat_settings.h"
#include "net/http_server_for_tests.h"

namespace alfred {

struct SaidForTests {
  std::string text{};
  FinishReason finish = FinishReason::stop;
};

inline std::string finish_for_tests(ChatWire wire, FinishReason finish) {
  static const char* const names[2][3] = {{"stop", "length", "content_filter"},
                                          {"end_turn", "max_tokens", "refusal"}};
  return names[static_cast<std::size_t>(wire)][static_cast<std::size_t>(finish)];
}

// The text in parts of about `size` bytes, each of them UTF-8.
inline std::vector<std::string> parts_for_tests(std::string_view text, std::size_t size) {
  std::vector<std::string> out;
  while (!text.empty()) {
    std::size_t end = std::min(size, text.size());
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// 40 tokens read, 30 of them from the cache, 5 written.
inline std::string whole_for_tests(ChatWire wire, const SaidForTests& said) {
  const std::string finish = finish_for_tests(wire, said.finish);
  if (wire == ChatWire::openai)
    return write_json(JsonObject{
        {"id", "chatcmpl-1"},
        {"choices", JsonArray{JsonObject{
                        {"index", 0},
                        {"message", JsonObject{{"role", "assistant"}, {"content", said.text}}},
                        {"finish_reason", finish}}}},
        {"usage", JsonObject{{"prompt_tokens", 40},
                             {"completion_tokens", 5},
                             {"prompt_tokens_details", JsonObject{{"cached_tokens", 30}}}}}});
  return write_json(JsonObject{
      {"type", "message"},
      {"content", JsonArray{JsonObject{{"type", "thinking"}, {"thinking", "hm"}},
                            JsonObject{{"type", "text"}, {"text", said.text}}}},
      {"stop_reason", finish},
      {"usage",
       JsonObject{{"input_tokens", 10}, {"cache_read_input_tokens", 30}, {"output_tokens", 5}}}});
}

inline std::string event_for_tests(const JsonObject& json, const std::string& name = "") {
  return (name.empty() ? "" : "event: " + name + "\n") + "data: " + write_json(json) + "\n\n";
}

inline std::string openai_stream_for_tests(const SaidForTests& said, std::size_t part = 16) {
  const auto chunk = [](JsonObject delta, Json finish) {
    return event_for_tests(
        {{"choices", JsonArray{JsonObject{
                         {"index", 0}, {"delta", std::move(delta)}, {"finish_reason", finish}}}}});
  };
  std::string out = chunk({{"role", "assistant"}, {"content", ""}}, nullptr) + ": ping\n\n";
  out += chunk({{"reasoning_content", "hm"}}, nullptr);
  for (const std::string& one : parts_for_tests(said.text, part))
    out += chunk({{"content", one}}, nullptr);
  out += chunk({}, Json(finish_for_tests(ChatWire::openai, said.finish)));
  out += event_for_tests(
      {{"choices", JsonArray{}},
       {"usage", JsonObject{{"prompt_tokens", 40},
                            {"completion_tokens", 5},
                            {"prompt_tokens_details", JsonObject{{"cached_tokens", 30}}}}}});
  return out + "data: [DONE]\n\n";
}

inline std::string anthropic_stream_for_tests(const SaidForTests& said, std::size_t part = 16) {
  const auto event = [](const std::string& type, JsonObject rest) {
    JsonObject json{{"type", type}};
    for (const auto& member : rest) json.insert(member);
    return event_for_tests(json, type);
  };
  const auto delta = [&](int index, JsonObject what) {
    return event("content_block_delta", {{"index", index}, {"delta", std::move(what)}});
  };
  std::string out =
      event("message_start",
            {{"message", JsonObject{{"usage", JsonObject{{"input_tokens", 10},
                                                         {"cache_read_input_tokens", 30},
                                                         {"cache_creation_input_tokens", 0},
                                                         {"output_tokens", 1}}}}}});
  out += event("ping", {}) + delta(0, {{"type", "thinking_delta"}, {"thinking", "hm"}});
  out += event("content_block_start",
               {{"index", 1}, {"content_block", JsonObject{{"type", "text"}, {"text", ""}}}});
  for (const std::string& one : parts_for_tests(said.text, part))
    out += delta(1, {{"type", "text_delta"}, {"text", one}});
  out += event("content_block_stop", {{"index", 1}});
  out += event(
      "message_delta",
      {{"delta", JsonObject{{"stop_reason", finish_for_tests(ChatWire::anthropic, said.finish)}}},
       {"usage", JsonObject{{"output_tokens", 5}}}});
  return out + event("message_stop", {});
}

inline std::string events_for_tests(ChatWire wire, const SaidForTests& said,
                                    std::size_t part = 16) {
  return wire == ChatWire::openai ? openai_stream_for_tests(said, part)
                                  : anthropic_stream_for_tests(said, part);
}

// What a request asks for, as a provider reads it.
struct AskedForTests {
  std::string node{};  // of the schema's or the tool's name; "reply" without one
  std::string system{};
  std::string user{};
};
inline AskedForTests asked_for_tests(ChatWire wire, const std::string& body) {
  const Json json = parse_json(body, JsonLimits::none()).value();
  const JsonObject& request = json.get_object();
  AskedForTests out{.node = "reply"};
  const auto text = [](const Json& value) { return std::string(value.get_string()); };
  if (wire == ChatWire::openai) {
    out.system = text(json.at("messages").at(0).at("content"));
    out.user = text(json.at("messages").at(1).at("content"));
    if (request.contains("response_format"))
      out.node = text(json.at("response_format").at("json_schema").at("name"));
    return out;
  }
  out.system = text(json.at("system").at(0).at("text"));
  out.user = text(json.at("messages").at(0).at("content"));
  if (request.contains("tools")) out.node = text(json.at("tools").at(0).at("name"));
  if (request.contains("output_config"))
    out.node = text(json.at("output_config").at("format").at("schema").at("title"));
  return out;
}

inline std::string path_for_tests(ChatWire wire) {
  return wire == ChatWire::openai ? "/v1/chat/completions" : "/v1/messages";
}

}  // namespace alfred
