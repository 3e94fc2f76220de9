#include "surface/mcp/message.h"

#include <map>
#include <utility>

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

RpcResult<RpcMessage> read_object(JsonObject object) {
  const JsonString* const version = text_member(object, "jsonrpc");
  if (version == nullptr || *version != "2.0")
    return invalid("A message has the member \"jsonrpc\":\"2.0\".");
  const Json* const id = object.if_contains("id");
  if (id != nullptr && !is_id(*id)) return invalid("An id is a text or a whole number.");
  if (!object.contains("method")) {
    if (id == nullptr) return invalid("A message has a method, or it is a response with an id.");
    return read_response(std::move(object));
  }
  const JsonString* const method = text_member(object, "method");
  if (method == nullptr) return invalid("A method is a text.");
  RpcMessage message{.kind = id == nullptr ? MessageKind::notification : MessageKind::request,
                     .id = id == nullptr ? Json() : *id,
                     .method = std::string(*method)};
  if (Json* const params = object.if_contains("params")) {
    if (!params->is_object()) return invalid("params is an object.");
    message.params = std::move(params->get_object());
  }
  return message;
}

JsonObject start_message(const Json& id) {
  JsonObject message{{"jsonrpc", "2.0"}};
  if (!id.is_null()) message["id"] = id;
  return message;
}

}  // namespace

RpcResult<RpcMessage> read_message(std::string_view text) {
  JsonLimits limits = JsonLimits::none();
  limits.max_bytes = kMostMessageBytes;
  limits.max_depth = 128;
  Result<Json> json = parse_json(text, limits);
  if (!json) return rpc_fail(RpcCode::parse, json.error().message);
  if (json->is_array())
    return invalid("An array of messages is no part of this protocol. Send them one by one.");
  if (!json->is_object()) return invalid("A message is an object.");
  return read_object(std::move(json->get_object()));
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
