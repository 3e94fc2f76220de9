#include "surface/mcp/transport/http.h"

#include <algorithm>

#include "alfred/ids.h"
#include "surface/mcp/revision.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";
constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";
constexpr std::string_view kUnsaid = "2025-03-26";  // what no header at all means

HttpAnswer json_answer(int status, std::string body) {
  return {
      .status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

HttpAnswer refusal(int status, const Json& id, const RpcError& error) {
  return json_answer(status, write_json(error_message(id, error)));
}

HttpAnswer stream_answer(std::shared_ptr<EventStream> stream) {
  return {.status = 200,
          .headers = {{"Content-Type", "text/event-stream"},
                      {"Cache-Control", "no-cache"},
                      {"X-Accel-Buffering", "no"}},
          .stream = std::move(stream)};
}

HttpAnswer not_allowed() {
  HttpAnswer answer = refusal(405, Json(), {RpcCode::invalid_request, "Send messages by POST."});
  answer.headers.emplace_back("Allow", "POST, GET, DELETE");
  return answer;
}

bool is_json(const HttpHeaders& headers) {
  const std::string type = header_of(headers, "Content-Type").value_or("");
  return type.substr(0, type.find(';')).find("application/json") == 0;
}

}  // namespace

McpHttp::~McpHttp() {
  for (auto& [id, session] : sessions_) endpoint_.detach(session->peer);
}

HttpAnswer McpHttp::answer(const HttpAsk& ask) {
  const std::lock_guard lock(mutex_);
  if (ask.method == "POST") return post(ask);
  if (header_of(ask.headers, kVersionHeader) == kModern || !header_of(ask.headers, kSessionHeader))
    return not_allowed();
  if (ask.method == "GET") return get(ask);
  return ask.method == "DELETE" ? end_session(ask) : not_allowed();
}

HttpAnswer McpHttp::post(const HttpAsk& ask) {
  if (!is_json(ask.headers))
    return refusal(415, Json(), {RpcCode::invalid_request, "Content-Type is application/json."});
  if (ask.body.size() > kMostMessageBytes)
    return refusal(413, Json(), {RpcCode::invalid_request, "A message has at most 4 MiB."});
  const RpcResult<RpcMessage> message = read_message(ask.body);
  if (!message) return refusal(400, Json(), message.error());
  const bool is_modern =
      McpEndpoint::is_modern(*message) || header_of(ask.headers, kVersionHeader) == kModern;
  return is_modern ? post_modern(ask, *message) : post_legacy(ask, *message);
}

HttpAnswer McpHttp::post_modern(const HttpAsk& ask, const RpcMessage& message) {
  if (message.kind == MessageKind::request && !McpEndpoint::is_modern(message))
    return refusal(
        400, message.id,
        {RpcCode::invalid_params, "params._meta has no " + std::string(kMetaVersion) + "."});
  if (message.kind == MessageKind::request)
    if (const RpcResult<void> same = check_headers(ask.headers, message); !same)
      return refusal(400, message.id, same.error());
  McpPeer peer;
  peer.principal = ask.principal;
  return receive(message, peer);
}

HttpAnswer McpHttp::receive(const RpcMessage& message, McpPeer& peer) {
  const auto stream = std::make_shared<EventStream>();
  const Receipt receipt = endpoint_.receive(message, peer, stream);
  if (receipt.http_status == 202) return {.status = 202};
  const std::vector<std::string> messages = stream->messages();
  if (stream->is_finished() && messages.size() == 1)
    return json_answer(receipt.http_status, messages.front());
  return stream_answer(stream);
}

tl::expected<McpHttp::Session*, HttpAnswer> McpHttp::session_of(const HttpAsk& ask) {
  const std::optional<std::string> version = header_of(ask.headers, kVersionHeader);
  const bool is_spoken = !version || *version == kUnsaid ||
                         std::find(kLegacy.begin(), kLegacy.end(), *version) != kLegacy.end();
  if (!is_spoken)
    return tl::unexpected(refusal(
        400, Json(), {RpcCode::invalid_request, "This MCP-Protocol-Version is not spoken here."}));
  const std::optional<std::string> id = header_of(ask.headers, kSessionHeader);
  if (!id)
    return tl::unexpected(
        refusal(400, Json(),
                {RpcCode::invalid_request, "Mcp-Session-Id is missing. Send initialize for one."}));
  const auto found = sessions_.find(*id);
  if (found == sessions_.end() || found->second->peer.principal != ask.principal)
    return tl::unexpected(
        refusal(404, Json(),
                {RpcCode::invalid_request, "There is no such session any more. Send initialize."}));
  found->second->last_used = ++uses_;
  return found->second.get();
}

HttpAnswer McpHttp::post_legacy(const HttpAsk& ask, const RpcMessage& message) {
  if (message.kind == MessageKind::request && message.method == "initialize")
    return begin_session(ask, message);
  const tl::expected<Session*, HttpAnswer> session = session_of(ask);
  if (!session) return session.error();
  return receive(message, (*session)->peer);
}

HttpAnswer McpHttp::begin_session(const HttpAsk& ask, const RpcMessage& message) {
  auto session = std::make_unique<Session>();
  session->peer.principal = ask.principal;
  session->last_used = ++uses_;
  HttpAnswer answer = receive(message, session->peer);
  if (session->peer.version.empty()) return answer;  // refused
  make_room();
  // 120 bits that nobody can guess.
  const std::string id = std::string(new_short_id<IdKind::session>(random_).view()) +
                         std::string(new_short_id<IdKind::session>(random_).view().substr(4));
  endpoint_.attach(session->peer);
  sessions_[id] = std::move(session);
  answer.headers.emplace_back(kSessionHeader, id);
  return answer;
}

void McpHttp::make_room() {
  if (sessions_.size() < kMostSessions) return;
  const auto oldest =
      std::min_element(sessions_.begin(), sessions_.end(), [](const auto& one, const auto& other) {
        return one.second->last_used < other.second->last_used;
      });
  if (oldest->second->peer.stream) oldest->second->peer.stream->finish();
  endpoint_.detach(oldest->second->peer);
  sessions_.erase(oldest);
}

HttpAnswer McpHttp::get(const HttpAsk& ask) {
  const tl::expected<Session*, HttpAnswer> session = session_of(ask);
  if (!session) return session.error();
  McpPeer& peer = (*session)->peer;
  if (peer.stream) peer.stream->finish();  // the client has come again
  const auto stream = std::make_shared<EventStream>();
  peer.stream = stream;
  return stream_answer(stream);
}

HttpAnswer McpHttp::end_session(const HttpAsk& ask) {
  const tl::expected<Session*, HttpAnswer> session = session_of(ask);
  if (!session) return session.error();
  McpPeer& peer = (*session)->peer;
  if (peer.stream) peer.stream->finish();
  endpoint_.detach(peer);
  sessions_.erase(*header_of(ask.headers, kSessionHeader));
  return {.status = 200};
}

void McpHttp::closed(const std::shared_ptr<EventStream>& stream) {
  const std::lock_guard lock(mutex_);
  endpoint_.drop(*stream);
}

void McpHttp::finish() {
  const std::lock_guard lock(mutex_);
  endpoint_.finish();
  for (auto& [id, session] : sessions_) {
    if (session->peer.stream) session->peer.stream->finish();
    endpoint_.detach(session->peer);  // and what waits for its user
  }
}

}  // namespace alfred::mcp
