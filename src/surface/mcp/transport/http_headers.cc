// The headers that repeat what a message says (http.h, R3).
#include <algorithm>
#include <cctype>

#include "surface/mcp/revision.h"
#include "surface/mcp/transport/http.h"

namespace alfred::mcp {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_same_name(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;  // with all of its padding, or it is none
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U | static_cast<unsigned>(digit)) & 0xFFFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return out;
}

// =?base64?…?= is how a value that no header could hold is written.
std::optional<std::string> plain_value(const std::string& value) {
  constexpr std::string_view begin = "=?base64?";
  constexpr std::string_view end = "?=";
  const std::string_view all = value;
  if (!all.starts_with(begin) || !all.ends_with(end) || all.size() < begin.size() + end.size())
    return value;
  return from_base64(all.substr(begin.size(), all.size() - begin.size() - end.size()));
}

RpcResult<void> check_header(const HttpHeaders& headers, std::string_view name,
                             std::string_view wanted) {
  const std::optional<std::string> given = header_of(headers, name);
  const std::optional<std::string> value = given ? plain_value(*given) : std::nullopt;
  if (value && *value == wanted) return {};
  return rpc_fail(RpcCode::header_mismatch,
                  "The header " + std::string(name) +
                      (given ? " says something else than the message." : " is missing."));
}

const Json* argument_at(const JsonObject& params, const std::vector<std::string>& path) {
  const Json* at = params.if_contains("arguments");
  for (const std::string& name : path) {
    const JsonObject* const object = at == nullptr ? nullptr : at->if_object();
    at = object == nullptr ? nullptr : object->if_contains(name);
  }
  return at;
}

bool is_same_number(const std::string& header, const Json& value) {
  const Result<Json> number = parse_json(header, JsonLimits::none());
  return number && number->is_number() &&
         (*number == value || number->to_number<double>() == value.to_number<double>());
}

RpcResult<void> check_param(const HttpHeaders& headers, const ParamHeader& param,
                            const Json* value) {
  const std::optional<std::string> given = header_of(headers, param.header);
  const std::optional<std::string> text = given ? plain_value(*given) : std::nullopt;
  bool is_same = false;
  if (value == nullptr || value->is_null())
    is_same = !given;
  else if (text && value->is_string())
    is_same = *text == std::string_view(value->get_string());
  else if (text && value->is_bool())
    is_same = *text == (value->get_bool() ? "true" : "false");
  else if (text && value->is_number())
    is_same = is_same_number(*text, *value);
  if (is_same) return {};
  return rpc_fail(RpcCode::header_mismatch,
                  "The header " + param.header + " does not say what the argument does.");
}

RpcResult<void> check_params(const HttpHeaders& headers, const RpcMessage& message,
                             std::string_view tool, const ParamHeaders& params) {
  const auto found = params.find(tool);
  if (found == params.end()) return {};
  for (const ParamHeader& param : found->second)
    if (RpcResult<void> same = check_param(headers, param, argument_at(message.params, param.path));
        !same)
      return same;
  return {};
}

}  // namespace

std::optional<std::string> header_of(const HttpHeaders& headers, std::string_view name) {
  std::optional<std::string> all;
  for (const auto& [given, value] : headers) {
    if (!is_same_name(given, name)) continue;
    const std::size_t from = value.find_first_not_of(" \t");
    const std::string plain = from == std::string::npos
                                  ? std::string()
                                  : value.substr(from, value.find_last_not_of(" \t") - from + 1);
    all = all ? *all + ", " + plain : plain;
  }
  return all;
}

RpcResult<void> check_headers(const HttpHeaders& headers, const RpcMessage& message,
                              const ParamHeaders& params) {
  const JsonObject* const meta = object_member(message.params, "_meta");
  const JsonString* const version = meta == nullptr ? nullptr : text_member(*meta, kMetaVersion);
  if (version != nullptr)
    if (RpcResult<void> same = check_header(headers, "MCP-Protocol-Version", *version); !same)
      return same;
  if (RpcResult<void> same = check_header(headers, "Mcp-Method", message.method); !same)
    return same;
  const bool is_read = message.method == "resources/read";
  if (!is_read && message.method != "tools/call" && message.method != "prompts/get") return {};
  const JsonString* const name = text_member(message.params, is_read ? "uri" : "name");
  if (name == nullptr) return {};  // the message itself is wrong
  if (RpcResult<void> same = check_header(headers, "Mcp-Name", *name); !same) return same;
  return message.method == "tools/call" ? check_params(headers, message, *name, params)
                                        : RpcResult<void>();
}

}  // namespace alfred::mcp
