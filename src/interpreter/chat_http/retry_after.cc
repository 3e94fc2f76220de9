#include "interpreter/chat_http/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/time/iso_time.h"

namespace alfred {
namespace {

constexpr std::int64_t kLongestWaitMs = 60'000;
constexpr std::int64_t kFirstWaitMs = 500;
constexpr std::int64_t kLastWaitMs = 8'000;
constexpr double kMostMs = 1e12;

// The number at the start of the text, which it is cut off from.
std::optional<double> cut_number(std::string_view& text) {
  double value = 0;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<double> number(std::string_view text) {
  const std::optional<double> value = cut_number(text);
  return text.empty() ? value : std::nullopt;
}

std::int64_t whole_ms(double ms) { return static_cast<std::int64_t>(std::min(ms, kMostMs)); }

// "Sun, 06 Nov 1994 08:49:37 GMT", whatever the locale.
std::optional<std::int64_t> http_date_ms(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kMonths{
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != 29 || text.substr(3, 2) != ", " || !text.ends_with(" GMT"))
    return std::nullopt;
  const auto month = std::find(kMonths.begin(), kMonths.end(), text.substr(8, 3));
  if (month == kMonths.end()) return std::nullopt;
  const std::string number = std::to_string(101 + (month - kMonths.begin())).substr(1);
  return iso_instant_ms(std::string(text.substr(12, 4)) + "-" + number + "-" +
                        std::string(text.substr(5, 2)) + "T" + std::string(text.substr(17, 8)) +
                        "Z");
}

// "6m0s", "1.5s", "20ms", or an instant.
std::optional<std::int64_t> reset_ms(std::string_view text, std::int64_t now_ms) {
  if (const auto instant = iso_instant_ms(text))
    return std::max<std::int64_t>(0, *instant - now_ms);
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"d", 86'400e3}};
  double sum = 0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const std::optional<double> value = cut_number(text);
    const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const auto& one) { return text.starts_with(one.first); });
    if (!value || *value < 0 || unit == std::end(kUnits)) return std::nullopt;
    sum += *value * unit->second;
    text.remove_prefix(unit->first.size());
  }
  return whole_ms(sum);
}

bool is_spent(const std::string& body) {
  return body.find("insufficient_quota") != std::string::npos ||
         body.find("enforced_spend_limit_reached") != std::string::npos;
}

bool may_retry(const HttpOutcome& outcome) {
  if (outcome.error)
    return outcome.error->fault == HttpFault::unreachable ||
           outcome.error->fault == HttpFault::cut || outcome.error->fault == HttpFault::idle;
  const std::string said = outcome.head.header("x-should-retry");
  if (said == "true") return true;
  if (said == "false" || is_spent(outcome.body)) return false;
  const int status = outcome.head.status;
  return status == 408 || status == 409 || status == 429 || status >= 500;
}

}  // namespace

std::optional<std::int64_t> renewed_ms(const HttpHead& head, std::int64_t now_ms) {
  std::optional<std::int64_t> latest;
  const auto look = [&](const std::string& remaining, const std::string& reset) {
    if (number(head.header(remaining)) != 0.0) return;
    const auto wait = reset_ms(head.header(reset), now_ms);
    if (wait) latest = std::max(latest.value_or(0), *wait);
  };
  for (const std::string what : {"requests", "tokens"})
    look("x-ratelimit-remaining-" + what, "x-ratelimit-reset-" + what);
  for (const std::string what : {"requests", "tokens", "input-tokens", "output-tokens"})
    look("anthropic-ratelimit-" + what + "-remaining", "anthropic-ratelimit-" + what + "-reset");
  return latest;
}

std::optional<std::int64_t> asked_wait_ms(const HttpHead& head, std::int64_t now_ms) {
  if (const auto ms = number(head.header("retry-after-ms")); ms && *ms >= 0) return whole_ms(*ms);
  const std::string after = head.header("retry-after");
  if (const auto seconds = number(after); seconds && *seconds >= 0)
    return whole_ms(*seconds * 1'000);
  if (const auto date = http_date_ms(after)) return std::max<std::int64_t>(0, *date - now_ms);
  return renewed_ms(head, now_ms);
}

RetryChoice choose_retry(const HttpOutcome& outcome, std::int64_t tries_before, std::int64_t now_ms,
                         Random& random) {
  if (!may_retry(outcome)) return {};
  if (const auto asked = asked_wait_ms(outcome.head, now_ms))
    return {*asked <= kLongestWaitMs, *asked};
  constexpr std::int64_t kMostDoublings = 10;
  const std::int64_t full =
      std::min(kFirstWaitMs << std::min(tries_before, kMostDoublings), kLastWaitMs);
  const auto quarter = static_cast<std::uint64_t>(full / 4 + 1);
  return {true, full - static_cast<std::int64_t>(random.next_u64() % quarter)};
}

}  // namespace alfred
