#include "surface/mcp/message.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/decimal.h"
#include "base/json/json_members.h"
#include "base/quoted_text.h"

namespace alfred::mcp {
namespace {

bool is_id(const Json& id) { return id.is_string() || id.is_int64() || id.is_uint64(); }

RpcFailure invalid(std::string message) {
  return rpc_fail(RpcCode::invalid_request, std::move(message));
}

RpcResult<RpcMessage> read_response(JsonObject object) {
  if (object.contains("result") == object.contains("error"))
    return invalid("A response has either a result or an error.");
  RpcMessage message{.kind = MessageKind::response, .id = object["id"]};
  object.erase("id");
  message.response = std::move(object);
  return message;
}

RpcFailure with_id(RpcFailure failure, const Json* id) {
  if (id != nullptr && is_id(*id)) failure.value().id = *id;
  return failure;
}

RpcResult<RpcMessage> read_object(JsonObject object) {
  const Json* const id = object.if_contains("id");
  const JsonString* const version = text_member(object, "jsonrpc");
  if (version == nullptr || *version != "2.0")
    return with_id(invalid("A message has the member \"jsonrpc\":\"2.0\"."), id);
  if (id != nullptr && !is_id(*id)) return invalid("An id is a text or a whole number.");
  if (!object.contains("method")) {
    if (id == nullptr) return invalid("A message has a method, or it is a response with an id.");
    return read_response(std::move(object));
  }
  const JsonString* const method = text_member(object, "method");
  if (method == nullptr) return with_id(invalid("A method is a text."), id);
  Json* const params = object.if_contains("params");
  const bool has_params = params != nullptr && params->is_object();
  RpcMessage message{.kind = id == nullptr ? MessageKind::notification : MessageKind::request,
                     .id = id == nullptr ? Json() : *id,
                     .method = std::string(*method),
                     .params = has_params ? std::move(params->get_object()) : JsonObject()};
  if (params != nullptr && !has_params)
    message.fault = RpcError{RpcCode::invalid_request, "params is an object."};
  return message;
}

std::string_view value_of(const std::vector<JsonMember>& members, std::string_view name) {
  for (const JsonMember& one : members)
    if (one.name == name) return one.value;
  return {};
}

JsonLimits message_limits() {
  JsonLimits limits = JsonLimits::none();
  limits.max_bytes = kMostMessageBytes;
  limits.max_depth = 128;
  return limits;
}

// Which member of an object cannot be read: `arguments.data`.
std::string unread_path(std::string_view object) {
  constexpr int kDeepest = 8;
  std::string path;
  for (int level = 0; level < kDeepest; ++level) {
    const std::optional<std::vector<JsonMember>> members = outline_members(object);
    if (!members) break;
    const auto found = std::find_if(members->begin(), members->end(), [](const JsonMember& one) {
      return !parse_json(one.value, message_limits());
    });
    if (found == members->end()) break;
    path += (path.empty() ? "" : ".") + found->name;
    object = found->value;
  }
  return path;
}

RpcError unread(const Error& error, const std::string& path) {
  std::string text = "The parameters cannot be read";
  if (!path.empty()) text += ", because of " + quoted_text(path);
  return {RpcCode::invalid_params,
          fmt::format("{}: {} [{}]", text, error.message, error_name(error.code))};
}

// R3 and R4, of a text that the reader refused.
RpcResult<RpcMessage> read_outline(std::string_view text, const Error& error) {
  RpcFailure refused = rpc_fail(RpcCode::parse, error.message);
  const std::optional<std::vector<JsonMember>> members = outline_members(text);
  if (!members) return refused;
  JsonObject read;
  for (const JsonMember& one : *members)
    if (one.name != "params" && one.name != "result")
      if (Result<Json> value = parse_json(one.value, message_limits()))
        read[one.name] = std::move(*value);
  const Json* const id = read.if_contains("id");
  if (id == nullptr || !is_id(*id)) return refused;
  // An answer that cannot be read is none that agrees to anything.
  if (!value_of(*members, "result").empty()) read["error"] = JsonObject();
  RpcResult<RpcMessage> message = read_object(std::move(read));
  if (!message || message->kind != MessageKind::request) return message;
  const std::string_view params = value_of(*members, "params");
  message->fault = unread(error, unread_path(params));
  if (const auto parts = outline_members(params))
    for (const JsonMember& one : *parts)
      if (Result<Json> value = parse_json(one.value, message_limits()))
        message->params[one.name] = std::move(*value);
  return message;
}

// R4. Only what a tool is given is looked at: a progress token may be any number.
std::optional<RpcError> rounded_argument(std::string_view text) {
  if (check_digits(text)) return std::nullopt;
  const std::optional<std::vector<JsonMember>> members = outline_members(text);
  if (!members) return std::nullopt;
  const auto params = outline_members(value_of(*members, "params"));
  if (!params) return std::nullopt;
  const Result<void> kept = check_digits(value_of(*params, "arguments"));
  if (kept) return std::nullopt;
  return RpcError{RpcCode::invalid_params,
                  fmt::format("{} [{}]", kept.error().message, error_name(kept.error().code))};
}

JsonObject start_message(const Json& id) {
  JsonObject message{{"jsonrpc", "2.0"}};
  if (!id.is_null()) message["id"] = id;
  return message;
}

}  // namespace

RpcResult<RpcMessage> read_message(std::string_view text) {
  Result<Json> json = parse_json(text, message_limits());
  if (!json) return read_outline(text, json.error());
  if (json->is_array())
    return invalid("An array of messages is no part of this protocol. Send them one by one.");
  if (!json->is_object()) return invalid("A message is an object.");
  RpcResult<RpcMessage> message = read_object(std::move(json->get_object()));
  if (message && message->method == "tools/call" && !message->fault)
    message->fault = rounded_argument(text);
  return message;
}

bool is_cancellation(std::string_view text) {
  constexpr std::size_t kMostBytes = 4096;
  constexpr std::string_view kMethod = "notifications/cancelled";
  if (text.size() > kMostBytes || text.find(kMethod) == std::string_view::npos) return false;
  const RpcResult<RpcMessage> message = read_message(text);
  return message && message->kind == MessageKind::notification && message->method == kMethod;
}

Json response_message(const Json& id, JsonObject result) {
  JsonObject message = start_message(id);
  message["result"] = std::move(result);
  return message;
}

Json error_message(const Json& id, const RpcError& error) {
  JsonObject message = start_message(id);
  JsonObject told{{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (error.extra) told["data"] = *error.extra;
  message["error"] = std::move(told);
  return message;
}

Json notification_message(std::string_view method, JsonObject params) {
  return JsonObject{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

Json request_message(const Json& id, std::string_view method, JsonObject params) {
  JsonObject message = start_message(id);
  message["method"] = method;
  message["params"] = std::move(params);
  return message;
}

std::string sorted_text(const Json& value) {
  std::string out;
  if (const JsonArray* const array = value.if_array()) {
    for (const Json& one : *array) out += (out.empty() ? "[" : ",") + sorted_text(one);
    return out.empty() ? "[]" : out + "]";
  }
  const JsonObject* const object = value.if_object();
  if (object == nullptr) return write_json(value);
  std::map<std::string, std::string> members;
  for (const auto& [name, member] : *object) members[name] = sorted_text(member);
  for (const auto& [name, text] : members) {
    out += out.empty() ? "{" : ",";
    append_json_string(out, name);
    out += ":" + text;
  }
  return out.empty() ? "{}" : out + "}";
}

const Json* progress_token(const RpcMessage& message) {
  const JsonObject* const meta = object_member(message.params, "_meta");
  const Json* const token = meta == nullptr ? nullptr : meta->if_contains("progressToken");
  return token != nullptr && (token->is_string() || token->is_number()) ? token : nullptr;
}

const JsonObject* object_member(const JsonObject& object, std::string_view name) {
  const Json* const found = object.if_contains(name);
  return found == nullptr ? nullptr : found->if_object();
}

const JsonString* text_member(const JsonObject& object, std::string_view name) {
  const Json* const found = object.if_contains(name);
  return found == nullptr ? nullptr : found->if_string();
}

}  // namespace alfred::mcp
