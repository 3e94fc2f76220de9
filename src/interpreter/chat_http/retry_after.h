// Whether a request that failed is tried again, and when (design: D1, D3, D4).
//
// R1 tried again: nothing came or it broke off, 408, 409, 429 and 5xx; x-should-retry has the last word; a 429 that says
//    the money is spent is not.
// R2 the wait is retry-after-ms, else retry-after (seconds or a date), else when the limit that is used up is
//    renewed (x-ratelimit-…, anthropic-ratelimit-…), else 0.5 s doubled each time up to 8 s, less
//    up to a quarter by chance. A wait of more than 60 s is not waited for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "alfred/random.h"
#include "net/http_client.h"

namespace alfred {

// The wait the endpoint asks for; nothing when it asks for none that makes sense.
std::optional<std::int64_t> asked_wait_ms(const HttpHead& head, std::int64_t now_ms);

// When a limit that is used up is renewed, from now; nothing when none is used up.
std::optional<std::int64_t> renewed_ms(const HttpHead& head, std::int64_t now_ms);

struct RetryChoice {
  bool is_retried = false;
  std::int64_t wait_ms = 0;  // also what was asked for when it is too long
};
RetryChoice choose_retry(const HttpOutcome& outcome, std::int64_t tries_before, std::int64_t now_ms,
                         Random& random);

}  // namespace alfred
