// Webhook: POSTs a wake-up.
//
// R1 the body is signed: X-Alfred-Signature is `sha256=` and the HMAC-SHA256, by the target's secret, of
//    X-Alfred-Timestamp, a dot and the body.
// R2 2xx is delivered; 404, 409, 410 and 422 say that there is nobody: gone; everything else is tried again.
// R3 redirects are not followed; every wait is bounded. Who is told that it is over breaks off within 50 ms.
#pragma once

#include <atomic>
#include <mutex>

#include "inbox/wake/waker.h"
#include "net/http_client.h"

namespace alfred {

class WebhookWaker final : public Waker {
 public:
  static constexpr std::int64_t kTimeoutMs = 10'000;

  explicit WebhookWaker(std::int64_t timeout_ms = kTimeoutMs,
                        const std::atomic<bool>* is_over = nullptr)
      : timeout_ms_(timeout_ms), is_over_(is_over) {}
  WakeOutcome wake(const WakeRequest& request) override;

 private:
  std::int64_t timeout_ms_;
  const std::atomic<bool>* is_over_;
  std::mutex mutex_;  // the client serves one thread at a time
  HttpClient client_;
};

// Lower-case hex.
std::string hmac_sha256(std::string_view secret, std::string_view text);

}  // namespace alfred
