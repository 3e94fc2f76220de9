#include "interpreter/chat_http/retry_after.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

constexpr std::int64_t kNow = 784'111'772'000;  // 1994-11-06T08:49:32Z

using Headers = std::map<std::string, std::string>;

std::optional<std::int64_t> wait(const Headers& headers) {
  return asked_wait_ms({429, headers}, kNow);
}

TEST(RetryAfter, R2_every_form_of_the_wait) {
  EXPECT_EQ(wait({{"retry-after-ms", "250"}}), 250);
  EXPECT_EQ(wait({{"retry-after", "2"}}), 2'000);
  EXPECT_EQ(wait({{"retry-after", "1.5"}}), 1'500);
  EXPECT_EQ(wait({{"retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"}}), 5'000);
  EXPECT_EQ(wait({{"retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"}}), 0);
  EXPECT_EQ(wait({{"retry-after", "99999999999999999999"}}), 1'000'000'000'000);
  for (const char* odd : {"", "-3", "soon", "2 s", "nan", "inf", "Sun, 06 Nov 1994 08:49:37 CET",
                          "Sun, 36 Nov 1994 08:49:37 GMT", "Sun, 06 Xov 1994 08:49:37 GMT"})
    EXPECT_EQ(wait({{"retry-after", odd}}), std::nullopt) << odd;
}

TEST(RetryAfter, R2_limits_that_are_used_up_are_renewed) {
  const auto openai = [](const char* left, const char* reset) {
    return wait({{"x-ratelimit-remaining-requests", left}, {"x-ratelimit-reset-requests", reset}});
  };
  EXPECT_EQ(openai("0", "6m0s"), 360'000);
  EXPECT_EQ(openai("0", "20ms"), 20);
  EXPECT_EQ(openai("0", "1h2m1.5s"), 3'721'500);
  EXPECT_EQ(openai("1", "6m0s"), std::nullopt);
  for (const char* odd : {"", "6", "m", "6x", "-6s", "6m0"})
    EXPECT_EQ(openai("0", odd), std::nullopt) << odd;
  EXPECT_EQ(wait({{"anthropic-ratelimit-tokens-remaining", "0"},
                  {"anthropic-ratelimit-tokens-reset", "1994-11-06T08:49:40Z"},
                  {"anthropic-ratelimit-requests-remaining", "0"},
                  {"anthropic-ratelimit-requests-reset", "1994-11-06T08:49:34Z"}}),
            8'000);
}

TEST(RetryAfter, R2_without_a_word_the_wait_doubles_up_to_8_s_less_a_quarter) {
  SeededRandom random(1);
  const HttpOutcome outcome{.head = {500, {}}};
  for (std::int64_t tries = 0; tries < 60; ++tries) {
    const RetryChoice choice = choose_retry(outcome, tries, 0, random);
    const std::int64_t full = tries < 4 ? 500LL << tries : 8'000;
    EXPECT_TRUE(choice.is_retried);
    EXPECT_LE(choice.wait_ms, full);
    EXPECT_GE(choice.wait_ms, full * 3 / 4);
  }
}

TEST(RetryAfter, R1_what_is_tried_again) {
  SeededRandom random(1);
  const auto is_retried = [&](const HttpOutcome& outcome) {
    return choose_retry(outcome, 0, 0, random).is_retried;
  };
  for (const int status : {408, 409, 429, 500, 529})
    EXPECT_TRUE(is_retried({.head = {status, {}}}));
  for (const int status : {302, 400, 401, 403, 404, 413, 422})
    EXPECT_FALSE(is_retried({.head = {status, {}}}));
  EXPECT_TRUE(is_retried({.head = {400, {{"x-should-retry", "true"}}}}));
  EXPECT_FALSE(is_retried({.head = {500, {{"x-should-retry", "false"}}}}));
  EXPECT_FALSE(is_retried({.head = {429, {}}, .body = "enforced_spend_limit_reached"}));
  for (const HttpFault fault : {HttpFault::unreachable, HttpFault::cut, HttpFault::idle})
    EXPECT_TRUE(is_retried({.error = HttpError{fault, ""}}));
  for (const HttpFault fault :
       {HttpFault::too_slow, HttpFault::too_large, HttpFault::encoded, HttpFault::cancelled})
    EXPECT_FALSE(is_retried({.error = HttpError{fault, ""}}));
}

}  // namespace
}  // namespace alfred
