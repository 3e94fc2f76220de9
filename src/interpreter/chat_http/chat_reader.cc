#include "interpreter/chat_http/chat_reader.h"

#include <algorithm>

namespace alfred {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000'000;  // more is nonsense

const JsonObject* object_in(const JsonObject& object, std::string_view name) {
  const Json* member = object.if_contains(name);
  return member == nullptr ? nullptr : member->if_object();
}
const JsonArray* array_in(const JsonObject& object, std::string_view name) {
  const Json* member = object.if_contains(name);
  return member == nullptr ? nullptr : member->if_array();
}
std::string text_in(const JsonObject& object, std::string_view name) {
  const Json* member = object.if_contains(name);
  const JsonString* text = member == nullptr ? nullptr : member->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}
// R3: -1 for what is none.
std::int64_t count_in(const JsonObject& object, std::string_view name) {
  const Json* member = object.if_contains(name);
  if (member == nullptr || !member->is_int64()) return -1;
  const std::int64_t count = member->get_int64();
  return count > kMostTokens ? -1 : count;
}
std::int64_t index_in(const JsonObject& object, std::int64_t otherwise) {
  const Json* member = object.if_contains("index");
  return member != nullptr && member->is_int64() ? member->get_int64() : otherwise;
}
// A text, or a list of parts that have one.
std::string content_in(const JsonObject& said) {
  const JsonArray* parts = array_in(said, "content");
  if (parts == nullptr) return text_in(said, "content");
  std::string out;
  for (const Json& part : *parts)
    if (part.is_object()) out += text_in(part.get_object(), "text");
  return out;
}
// Arguments are a text that holds JSON; some endpoints send the JSON itself.
std::string arguments_in(const JsonObject& call, std::string_view name) {
  const Json* value = call.if_contains(name);
  if (value == nullptr) return "";
  return value->is_object() ? write_json(*value) : text_in(call, name);
}

Unexpected no_answer(std::string what) { return fail(ErrorCode::model, std::move(what)); }

Result<Json> parsed(std::string_view text) {
  Result<Json> json = parse_json(text, JsonLimits::none());
  if (!json) return no_answer("The model's endpoint sent something that is no JSON.");
  if (!json->is_object())
    return no_answer("The model's endpoint sent something that is no object.");
  return json;
}

std::optional<FinishReason> openai_finish(const std::string& reason) {
  if (reason.empty()) return std::nullopt;
  if (reason == "length") return FinishReason::length;
  return reason == "content_filter" ? FinishReason::refusal : FinishReason::stop;
}
std::optional<FinishReason> anthropic_finish(const std::string& reason) {
  if (reason.empty()) return std::nullopt;
  if (reason == "max_tokens" || reason == "model_context_window_exceeded")
    return FinishReason::length;
  return reason == "refusal" ? FinishReason::refusal : FinishReason::stop;
}

}  // namespace

ChatReply ChatReader::reply() const {
  ChatReply out = reply_;
  if (out.text.empty())
    for (const auto& [index, arguments] : tools_) out.text += arguments;
  return out;
}

void ChatReader::add(std::string_view text) {
  if (text.empty()) return;
  reply_.text += text;
  if (on_text_) on_text_(text);
}

Result<void> ChatReader::take(const SseEvent& event) {
  if (is_done_) return {};
  if (event.data == "[DONE]") {
    is_done_ = true;
    return {};
  }
  const Result<Json> json = parsed(event.data);
  if (!json) return Unexpected(json.error());
  const JsonObject& object = json->get_object();
  const Json* error = object.if_contains("error");
  if ((error != nullptr && !error->is_null()) || event.name == "error") {
    reply_.broke_off = endpoint_error_text(event.data);
    is_done_ = true;
    return {};
  }
  return wire_ == ChatWire::openai ? take_openai(object, "delta") : take_anthropic(object);
}

Result<void> ChatReader::take_whole(std::string_view body) {
  const Result<Json> json = parsed(body);
  if (!json) return Unexpected(json.error());
  const JsonObject& object = json->get_object();
  is_done_ = true;
  return wire_ == ChatWire::openai ? take_openai(object, "message") : take_anthropic_whole(object);
}

Result<void> ChatReader::take_openai(const JsonObject& chunk, std::string_view part) {
  if (const JsonObject* usage = object_in(chunk, "usage")) {
    ChatUsage counted{count_in(*usage, "prompt_tokens"), 0, count_in(*usage, "completion_tokens")};
    if (const JsonObject* details = object_in(*usage, "prompt_tokens_details"))
      counted.cached = std::clamp<std::int64_t>(count_in(*details, "cached_tokens"), 0,
                                                std::max<std::int64_t>(counted.input, 0));
    if (counted.input >= 0 && counted.output >= 0) reply_.usage = counted;
  }
  const JsonArray* choices = array_in(chunk, "choices");
  if (choices == nullptr) {
    if (part == "message") return no_answer("The model's answer has no choices.");
    return {};
  }
  for (const Json& choice : *choices)
    if (choice.is_object() && index_in(choice.get_object(), 0) == 0)
      take_openai_choice(choice.get_object(), part);
  return {};
}

void ChatReader::take_openai_choice(const JsonObject& choice, std::string_view part) {
  if (const JsonObject* said = object_in(choice, part)) {
    add(content_in(*said));
    take_openai_tools(*said);
    if (!text_in(*said, "refusal").empty()) reply_.finish = FinishReason::refusal;
  }
  const auto finish = openai_finish(text_in(choice, "finish_reason"));
  if (finish && reply_.finish != FinishReason::refusal) reply_.finish = finish;
}

void ChatReader::take_openai_tools(const JsonObject& said) {
  const JsonArray* calls = array_in(said, "tool_calls");
  if (calls == nullptr) return;
  std::int64_t place = 0;
  for (const Json& call : *calls) {
    if (!call.is_object()) continue;
    if (const JsonObject* function = object_in(call.get_object(), "function"))
      tools_[index_in(call.get_object(), place)] += arguments_in(*function, "arguments");
    ++place;
  }
}

Result<void> ChatReader::take_anthropic_whole(const JsonObject& message) {
  const JsonArray* content = array_in(message, "content");
  if (content == nullptr) return no_answer("The model's answer has no content.");
  std::int64_t index = 0;
  for (const Json& one : *content) {
    if (!one.is_object()) continue;
    const JsonObject& block = one.get_object();
    if (text_in(block, "type") == "text") add(text_in(block, "text"));
    if (text_in(block, "type") == "tool_use") tools_[index++] = arguments_in(block, "input");
  }
  reply_.finish = anthropic_finish(text_in(message, "stop_reason"));
  take_anthropic_usage(message);
  return {};
}

Result<void> ChatReader::take_anthropic(const JsonObject& event) {
  const std::string type = text_in(event, "type");
  if (type == "message_start")
    if (const JsonObject* message = object_in(event, "message")) take_anthropic_usage(*message);
  if (type == "content_block_delta") take_anthropic_delta(event);
  if (type == "message_delta") {
    if (const JsonObject* delta = object_in(event, "delta"))
      if (const auto finish = anthropic_finish(text_in(*delta, "stop_reason")))
        reply_.finish = finish;
    take_anthropic_usage(event);
  }
  if (type == "message_stop") is_done_ = true;
  return {};
}

void ChatReader::take_anthropic_delta(const JsonObject& event) {
  const JsonObject* delta = object_in(event, "delta");
  if (delta == nullptr) return;
  const std::string type = text_in(*delta, "type");
  if (type == "text_delta") add(text_in(*delta, "text"));
  if (type == "input_json_delta") tools_[index_in(event, 0)] += text_in(*delta, "partial_json");
}

// input_tokens are those that came from no cache; the counts grow as the stream goes on.
void ChatReader::take_anthropic_usage(const JsonObject& holder) {
  const JsonObject* usage = object_in(holder, "usage");
  if (usage == nullptr) return;
  ChatUsage counted = reply_.usage.value_or(ChatUsage());
  if (const std::int64_t fresh = count_in(*usage, "input_tokens"); fresh >= 0) {
    counted.cached = std::max<std::int64_t>(0, count_in(*usage, "cache_read_input_tokens"));
    counted.input = fresh + counted.cached +
                    std::max<std::int64_t>(0, count_in(*usage, "cache_creation_input_tokens"));
  } else if (!reply_.usage) {
    return;
  }
  counted.output = count_in(*usage, "output_tokens");
  reply_.usage = counted.output < 0 ? std::nullopt : std::optional(counted);
}

std::string endpoint_error_text(std::string_view body) {
  const Result<Json> json = parse_json(body, JsonLimits::none());
  const JsonObject* object = json ? json->if_object() : nullptr;
  if (object == nullptr) return "";
  const Json* error = object->if_contains("error");
  if (error == nullptr) return text_in(*object, "message");
  if (const JsonString* text = error->if_string()) return std::string(*text);
  return error->is_object() ? text_in(error->get_object(), "message") : "";
}

}  // namespace alfred
