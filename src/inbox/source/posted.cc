#include "inbox/source/posted.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "inbox/source/github.h"
#include "inbox/wake/webhook.h"

namespace alfred::inbox {
namespace {

constexpr std::int64_t kOldestMs = 300'000;
constexpr std::size_t kMostHeaders = 32;
constexpr std::size_t kLongestHeader = 1'024;

std::string header(const Posted& posted, std::string_view name) {
  for (const auto& [key, value] : posted.headers)
    if (key == name) return value;
  return "";
}

std::string text_of(const Json& config, std::string_view name) {
  const Json* const value = config.as_object().if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

// Takes as long wherever they differ.
bool is_same(std::string_view given, std::string_view wanted) {
  if (given.size() != wanted.size()) return false;
  unsigned differs = 0;
  for (std::size_t at = 0; at < wanted.size(); ++at)
    differs |= static_cast<unsigned>(static_cast<unsigned char>(given[at]) ^
                                     static_cast<unsigned char>(wanted[at]));
  return differs == 0;
}

bool is_signed_by_github(const std::string& secret, const Posted& posted) {
  return is_same(header(posted, "x-hub-signature-256"),
                 "sha256=" + hmac_sha256(secret, posted.body));
}

// t=<seconds>,v1=<hex>[,v1=<hex>]
bool is_signed_by_stripe(const std::string& secret, const Posted& posted) {
  const std::string line = header(posted, "stripe-signature");
  std::string time;
  std::vector<std::string> signatures;
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t end = std::min(line.find(',', from), line.size());
    const std::string part = line.substr(from, end - from);
    if (part.starts_with("t=")) time = part.substr(2);
    if (part.starts_with("v1=")) signatures.push_back(part.substr(3));
    from = end + 1;
  }
  std::int64_t seconds = 0;
  const auto [end, wrong] = std::from_chars(time.data(), time.data() + time.size(), seconds);
  if (wrong != std::errc() || end != time.data() + time.size() || time.size() > 12) return false;
  if (std::abs(posted.at_ms - seconds * 1000) > kOldestMs) return false;
  const std::string wanted = hmac_sha256(secret, time + "." + posted.body);
  return std::any_of(signatures.begin(), signatures.end(),
                     [&](const std::string& one) { return is_same(one, wanted); });
}

bool is_shown(std::string_view name) {
  const bool is_secret =
      name.find("signature") != std::string_view::npos ||
      name.find("token") != std::string_view::npos || name.find("auth") != std::string_view::npos ||
      name.find("secret") != std::string_view::npos || name.find("key") != std::string_view::npos;
  return !is_secret && (name.starts_with("x-") || name == "user-agent" || name == "webhook-id");
}

JsonObject shown_headers(const Posted& posted) {
  JsonObject out;
  for (const auto& [name, value] : posted.headers)
    if (is_shown(name) && value.size() <= kLongestHeader && out.size() < kMostHeaders)
      out[name] = value;
  return out;
}

// A text or number at a dotted path of the body; empty: there is none.
std::string scalar_at(const Json& from, std::string_view path) {
  const Json* here = &from;
  for (std::size_t begin = 0; begin <= path.size() && !path.empty();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const JsonObject* const object = here->if_object();
    here = object == nullptr ? nullptr : object->if_contains(path.substr(begin, end - begin));
    if (here == nullptr) return "";
    begin = end + 1;
  }
  if (here->is_string()) return std::string(here->as_string());
  if (path.empty() || here->is_double()) return "";  // a double is not all its digits
  if (here->is_uint64()) return std::to_string(here->as_uint64());
  return here->is_int64() ? std::to_string(here->as_int64()) : std::string();
}

std::string first_of(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

}  // namespace

Result<void> check_signature(const Json& config, const Posted& posted) {
  const std::string secret = text_of(config, "secret");
  if (secret.empty()) return {};
  const bool is_stripe = text_of(config, "signature") == "stripe";
  if (is_stripe ? is_signed_by_stripe(secret, posted) : is_signed_by_github(secret, posted))
    return {};
  return fail(ErrorCode::access,
              fmt::format("This is not signed with the source's secret. Send the header {}.",
                          is_stripe ? "Stripe-Signature" : "X-Hub-Signature-256"),
              is_stripe ? "Stripe-Signature" : "X-Hub-Signature-256");
}

Result<Json> posted_event(std::string_view host_type, const Json& config, const Posted& posted) {
  if (host_type == "github") {
    Result<Json> event = github_event(
        {header(posted, "x-github-event"), header(posted, "x-github-delivery"), posted.json});
    if (event) event->at("metadata").as_object()["headers"] = shown_headers(posted);
    return event;
  }
  const std::string id =
      first_of({scalar_at(posted.json, text_of(config, "nativeIdPath")),
                header(posted, "webhook-id"), header(posted, "x-github-delivery"),
                header(posted, "x-request-id"), hmac_sha256("", posted.body)});
  const std::string variant = first_of({scalar_at(posted.json, text_of(config, "variantPath")),
                                        header(posted, "x-github-event"), "webhook"});
  return JsonObject{{"sourceNativeId", id},
                    {"eventVariant", variant},
                    {"metadata", JsonObject{{"headers", shown_headers(posted)}}},
                    {"rawPayload", posted.json}};
}

}  // namespace alfred::inbox
