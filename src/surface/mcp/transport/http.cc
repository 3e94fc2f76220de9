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
  HttpAnswer answer{.status = status, .body = std::move(body)};
  answer.headers.emplace_back("Content-Type", "application/json");
  return answer;
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
  std::string type = header_of(headers, "Content-Type").value_or("");
  type.resize(std::min(type.find_first_of("; \t"), type.size()));
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return type == "application/json";
}

void take_note(const HttpAsk& ask, const RpcMessage& message, bool is_modern, McpNote& note) {
  note.method = message.method;
  const JsonString* const name = text_member(message.params, "name");
  if (name != nullptr && (message.method == "tools/call" || message.method == "prompts/get"))
    note.name = *name;
  note.version = is_modern ? kModern : header_of(ask.headers, kVersionHeader).value_or("");
  const JsonObject* const meta = object_member(message.params, "_meta");
  const JsonString* const trace = meta == nullptr ? nullptr : text_member(*meta, "traceparent");
  if (trace != nullptr) note.traceparent = *trace;
}

// Whether it is a call that a client wants to be told of while it runs.
bool tells_progress(const RpcMessage& message) {
  return message.kind == MessageKind::request && message.method == "tools/call" &&
         progress_token(message) != nullptr &&
         (!McpEndpoint::is_modern(message) || McpEndpoint::checked_meta(message));
}

}  // namespace

std::shared_ptr<McpPeer> McpHttp::peer_of(const SessionPtr& session) {
  return {session, &session->peer};
}

McpHttp::~McpHttp() {
  for (auto& [id, session] : sessions_) endpoint_.detach(session->peer);
}

HttpAnswer McpHttp::answer(const HttpAsk& ask) {
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
  if (!message) return refusal(400, message.error().id, message.error());
  const bool is_modern =
      McpEndpoint::is_modern(*message) || header_of(ask.headers, kVersionHeader) == kModern;
  HttpAnswer answer = is_modern ? post_modern(ask, *message) : post_legacy(ask, *message);
  take_note(ask, *message, is_modern, answer.note);
  return answer;
}

HttpAnswer McpHttp::post_modern(const HttpAsk& ask, const RpcMessage& message) {
  if (message.kind == MessageKind::request && !McpEndpoint::is_modern(message))
    return refusal(
        400, message.id,
        {RpcCode::invalid_params, "params._meta has no " + std::string(kMetaVersion) + "."});
  if (message.kind == MessageKind::request)
    if (const RpcResult<void> same = check_headers(ask.headers, message, endpoint_.param_headers());
        !same)
      return refusal(400, message.id, same.error());
  const auto peer = std::make_shared<McpPeer>();
  peer->principal = ask.principal;
  peer->stop = ask.is_gone ? ask.is_gone : std::make_shared<StopFlag>(false);
  return receive(message, peer);
}

HttpAnswer McpHttp::receive(const RpcMessage& message, const std::shared_ptr<McpPeer>& peer) {
  const auto stream = std::make_shared<EventStream>(peer->stop);
  if (tells_progress(message)) {
    HttpAnswer answer = stream_answer(stream);
    answer.work = [this, message, peer, stream] { endpoint_.receive(message, *peer, stream); };
    return answer;
  }
  const Receipt receipt = endpoint_.receive(message, *peer, stream);
  if (receipt.http_status == 202) return {.status = 202};
  std::optional<std::string> only = stream->take_only_message();
  HttpAnswer answer =
      only ? json_answer(receipt.http_status, std::move(*only)) : stream_answer(stream);
  answer.note.fault = receipt.fault;
  return answer;
}

tl::expected<McpHttp::SessionPtr, HttpAnswer> McpHttp::session_of(const HttpAsk& ask) {
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
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(*id);
  if (found == sessions_.end() || found->second->peer.principal != ask.principal)
    return tl::unexpected(
        refusal(404, Json(),
                {RpcCode::invalid_request, "There is no such session any more. Send initialize."}));
  found->second->last_used = ++uses_;
  return found->second;
}

HttpAnswer McpHttp::post_legacy(const HttpAsk& ask, const RpcMessage& message) {
  if (message.kind == MessageKind::request && message.method == "initialize")
    return begin_session(ask, message);
  const tl::expected<SessionPtr, HttpAnswer> session = session_of(ask);
  if (!session) return session.error();
  return receive(message, peer_of(*session));
}

HttpAnswer McpHttp::begin_session(const HttpAsk& ask, const RpcMessage& message) {
  const auto session = std::make_shared<Session>();
  session->peer.principal = ask.principal;
  HttpAnswer answer = receive(message, peer_of(session));
  if (session->peer.version.empty()) return answer;  // refused
  // 120 bits that nobody can guess.
  const std::string id = std::string(new_short_id<IdKind::session>(random_).view()) +
                         std::string(new_short_id<IdKind::session>(random_).view().substr(4));
  endpoint_.attach(session->peer);
  SessionPtr oldest;
  {
    const std::lock_guard lock(mutex_);
    session->last_used = ++uses_;
    oldest = oldest_beyond_limit();
    sessions_[id] = session;
  }
  if (oldest) end(oldest);
  answer.headers.emplace_back(kSessionHeader, id);
  return answer;
}

// The mutex is held.
McpHttp::SessionPtr McpHttp::oldest_beyond_limit() {
  if (sessions_.size() < kMostSessions) return nullptr;
  const auto oldest =
      std::min_element(sessions_.begin(), sessions_.end(), [](const auto& one, const auto& other) {
        return one.second->last_used < other.second->last_used;
      });
  SessionPtr out = oldest->second;
  sessions_.erase(oldest);
  return out;
}

void McpHttp::end(const SessionPtr& session) {
  if (const auto stream = endpoint_.set_stream(session->peer, nullptr)) stream->finish();
  endpoint_.detach(session->peer);
}

HttpAnswer McpHttp::get(const HttpAsk& ask) {
  const tl::expected<SessionPtr, HttpAnswer> session = session_of(ask);
  if (!session) return session.error();
  const auto stream = std::make_shared<EventStream>();
  // The client has come again: the stream it had ends.
  if (const auto before = endpoint_.set_stream((*session)->peer, stream)) before->finish();
  return stream_answer(stream);
}

HttpAnswer McpHttp::end_session(const HttpAsk& ask) {
  const tl::expected<SessionPtr, HttpAnswer> session = session_of(ask);
  if (!session) return session.error();
  {
    const std::lock_guard lock(mutex_);
    sessions_.erase(*header_of(ask.headers, kSessionHeader));
  }
  end(*session);
  return {.status = 200};
}

void McpHttp::closed(const std::shared_ptr<EventStream>& stream) {
  stream->closed();
  endpoint_.drop(*stream);
}

void McpHttp::finish() {
  endpoint_.finish();
  std::map<std::string, SessionPtr, std::less<>> all;
  {
    const std::lock_guard lock(mutex_);
    all = sessions_;
  }
  for (auto& [id, session] : all) end(session);  // and what waits for its user
}

}  // namespace alfred::mcp
