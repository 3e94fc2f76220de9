// A model's answer out of what its endpoint sends, whole or as a stream, in either form.
//
// R1 the text is what the model says; its reasoning is not. Where it only called tools, their arguments are the text,
//    in the order of their index, as they were written (D10).
// R2 an answer is whole when the endpoint said why it stopped; a stream that ends before is no answer (D6).
// R3 usage that is missing, negative or absurd is not taken; the caller estimates (D11).
// R4 an error inside a stream ends it; the answer did not come.
// R5 after the endpoint's last word nothing counts: what a proxy sends twice is read once (D12).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "contracts/ask.h"
#include "interpreter/chat_http/chat_settings.h"
#include "net/sse_parser.h"

namespace alfred {

struct ChatUsage {
  std::int64_t input = 0;  // all of it, also what the provider had in its cache
  std::int64_t cached = 0;
  std::int64_t output = 0;
  friend bool operator==(const ChatUsage&, const ChatUsage&) = default;
};

struct ChatReply {
  std::string text{};
  std::optional<FinishReason> finish{};  // R2
  std::optional<ChatUsage> usage{};
  std::optional<std::string> broke_off{};  // R4: why
  friend bool operator==(const ChatReply&, const ChatReply&) = default;
};

class ChatReader {
 public:
  using OnText = std::function<void(std::string_view)>;

  explicit ChatReader(ChatWire wire, OnText on_text = {})
      : wire_(wire), on_text_(std::move(on_text)) {}

  // One event of a stream. Error: model.
  Result<void> take(const SseEvent& event);
  // The whole body of an answer that is no stream. Error: model.
  Result<void> take_whole(std::string_view body);
  // R5.
  bool is_done() const { return is_done_; }

  ChatReply reply() const;

 private:
  Result<void> take_openai(const JsonObject& chunk, std::string_view part);
  void take_openai_choice(const JsonObject& choice, std::string_view part);
  void take_openai_tools(const JsonObject& said);
  Result<void> take_anthropic(const JsonObject& event);
  Result<void> take_anthropic_whole(const JsonObject& message);
  void take_anthropic_delta(const JsonObject& event);
  void take_anthropic_usage(const JsonObject& holder);
  void add(std::string_view text);

  ChatWire wire_;
  OnText on_text_;
  ChatReply reply_;
  std::map<std::int64_t, std::string> tools_;  // arguments by index
  bool is_done_ = false;
};

// The sentence an error body has for people; empty when it has none.
std::string endpoint_error_text(std::string_view body);

}  // namespace alfred
