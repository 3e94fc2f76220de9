// One JSON-RPC message of MCP, read and checked, and the messages that answer it.
//
// R1 a request has an id (a text or a whole number), a notification none; a response has a result or an
//    error. Anything else is an invalid request, and nothing is done.
// R2 an array of messages is refused: no revision spoken here has batches.
// R3 a message that is no JSON is answered without an id; any other with the id that it has.
// R4 a request whose parameters cannot be read, or not without rounding a number of its arguments, is a
//    message with a fault: nothing is done, and its answer has its id and says what came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred::mcp {

enum class RpcCode : int {
  parse = -32700,
  invalid_request = -32600,
  unknown_method = -32601,
  invalid_params = -32602,
  internal = -32603,
  resource_missing = -32002,  // up to 2025-11-25
  header_mismatch = -32020,   // from 2026-07-28 on, as the two below
  capability_missing = -32021,
  unsupported_version = -32022,
};

struct RpcError {
  RpcCode code = RpcCode::internal;
  std::string message{};
  std::optional<Json> extra{};  // the error's `data`
  Json id{};                    // of a message that was refused as it was read; null: none
};

enum class MessageKind : std::uint8_t { request, notification, response };

struct RpcMessage {
  MessageKind kind = MessageKind::request;
  Json id{};  // null: none
  std::string method{};
  JsonObject params{};
  JsonObject response{};            // `result` or `error`
  std::optional<RpcError> fault{};  // R4; params has what could be read beside it
};

template <class T>
using RpcResult = tl::expected<T, RpcError>;
using RpcFailure = tl::unexpected<RpcError>;

// More is refused (robustness.md): one message on one line or in one body.
inline constexpr std::size_t kMostMessageBytes = std::size_t{4} << 20;

RpcResult<RpcMessage> read_message(std::string_view text);
// Whether it is one that takes back a request; what is long is none.
bool is_cancellation(std::string_view text);

Json response_message(const Json& id, JsonObject result);
Json error_message(const Json& id, const RpcError& error);
Json notification_message(std::string_view method, JsonObject params);
Json request_message(const Json& id, std::string_view method, JsonObject params);

inline RpcFailure rpc_fail(RpcCode code, std::string message, std::optional<Json> extra = {}) {
  return RpcFailure(RpcError{code, std::move(message), std::move(extra)});
}

// The same text for the same value, whatever order its members have.
std::string sorted_text(const Json& value);

// What a client wants to be told of its progress with: a text or a number; null: it does not want
// it.
const Json* progress_token(const RpcMessage& message);

// Members of an object, null where they are not there or of another type.
const JsonObject* object_member(const JsonObject& object, std::string_view name);
const JsonString* text_member(const JsonObject& object, std::string_view name);

}  // namespace alfred::mcp
