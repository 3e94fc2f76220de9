#include "inbox/wake/webhook.h"

#include <sodium.h>

#include <array>

#include <fmt/format.h>

namespace alfred {
namespace {

std::string body_of(const WakeRequest& request) {
  JsonObject body{{"activationId", request.activation}, {"agentId", request.agent},
                  {"inboxId", request.inbox},           {"targetId", request.target},
                  {"unackedEntries", request.unacked},  {"latestEntryId", request.latest_entry}};
  if (!request.entries.is_null()) body["entries"] = request.entries;
  return write_json(body);
}

WakeOutcome outcome_of(int status) {
  using Kind = WakeOutcome::Kind;
  if (status >= 200 && status < 300) return {Kind::delivered};
  const std::string reason = fmt::format("the webhook answered {}", status);
  const bool is_gone = status == 404 || status == 409 || status == 410 || status == 422;
  return {is_gone ? Kind::gone : Kind::failed, reason};
}

}  // namespace

std::string hmac_sha256(std::string_view secret, std::string_view text) {
  crypto_auth_hmacsha256_state state;
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> out{};
  const auto bytes = [](std::string_view view) {
    return reinterpret_cast<const unsigned char*>(view.data());
  };
  crypto_auth_hmacsha256_init(&state, bytes(secret), secret.size());
  crypto_auth_hmacsha256_update(&state, bytes(text), text.size());
  crypto_auth_hmacsha256_final(&state, out.data());
  std::string hex;
  for (const unsigned char byte : out) hex += fmt::format("{:02x}", byte);
  return hex;
}

WakeOutcome WebhookWaker::wake(const WakeRequest& request) {
  HttpRequest http;
  http.url = request.address;
  http.body = body_of(request);
  http.timeouts = {timeout_ms_, timeout_ms_, timeout_ms_, 2 * timeout_ms_};
  http.max_bytes = 64 * 1024;
  if (is_over_ != nullptr) http.is_cancelled = [this] { return is_over_->load(); };
  const std::string at = std::to_string(request.at_ms / 1000);
  http.headers = {
      {"Content-Type", "application/json"},
      {"X-Alfred-Activation", request.activation},
      {"X-Alfred-Timestamp", at},
      {"X-Alfred-Signature", "sha256=" + hmac_sha256(request.secret, at + "." + http.body)}};
  const std::scoped_lock lock(mutex_);
  const HttpOutcome done = client_.send(http);
  // An answer whose body was too long or cut is an answer all the same.
  if (done.head.status != 0) return outcome_of(done.head.status);
  return {WakeOutcome::Kind::failed, done.error
                                         ? "the webhook cannot be reached: " + done.error->reason
                                         : "the webhook gave no answer"};
}

}  // namespace alfred
