#include "interpreter/chat_http/chat_failure.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "interpreter/chat_http/chat_reader.h"

namespace alfred {
namespace {

constexpr std::size_t kLoggedBytes = 200;

// "https://host/…": the address without what may be secret in it.
std::string place_of(const std::string& url) {
  const std::size_t host = url.find("//") + 2;
  const std::size_t path = std::min(url.find('/', host), url.size());
  const std::size_t user = url.rfind('@', path);
  const std::size_t from = user == std::string::npos || user < host ? host : user + 1;
  const std::size_t end = std::min(url.find_first_of("?#", path), url.size());
  return url.substr(0, host) + url.substr(from, end - from);
}

std::string without_key(std::string text, const std::string& key) {
  if (key.empty()) return text;
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
    text.replace(at, key.size(), "[key]");
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kLoggedBytes)) {
    if (c >= ' ' && c <= '~' && c != '\\')
      out += c;
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string detail_of(const ChatSettings& settings, const HttpOutcome& outcome) {
  std::string id = outcome.head.header("x-request-id");
  if (id.empty()) id = outcome.head.header("request-id");
  std::string out = fmt::format("status {}", outcome.head.status);
  if (!id.empty()) out += ", request " + escaped(id);
  if (!outcome.body.empty()) out += ", body " + escaped(without_key(outcome.body, settings.key));
  return out;
}

std::string said(const ChatSettings& settings, const HttpOutcome& outcome) {
  const std::string told = endpoint_error_text(outcome.body);
  const std::string& text = told.empty() ? outcome.body : told;
  return text.empty() ? "" : " It says " + quoted_text(without_key(text, settings.key)) + ".";
}

std::string wait_text(const HttpHead& head) {
  for (const char* name : {"retry-after-ms", "retry-after"})
    if (const std::string wait = head.header(name); !wait.empty())
      return fmt::format(" ({} {})", name, quoted_text(wait));
  return "";
}

std::string status_message(const Ask& ask, const ChatSettings& settings,
                           const HttpOutcome& outcome) {
  const int status = outcome.head.status;
  const std::string place = place_of(settings.url);
  if (status == 401 || status == 403)
    return fmt::format(
        "The model's endpoint {} refuses the key ({}). Set ALFRED_MODEL_KEY to one that it takes.",
        place, status);
  if (status == 404)
    return fmt::format(
        "There is no model {} at {} (404). Look at ALFRED_MODEL and ALFRED_MODEL_URL.",
        quoted_text(settings.model_of(ask.node)), place);
  if (status == 429)
    return fmt::format("The model's endpoint {} wants fewer requests, or is used up (429){}.",
                       place, wait_text(outcome.head));
  if (is_too_long(outcome))
    return "The prompt is too long for this model. Use one that takes more, or start a new session.";
  if (status >= 300 && status < 400)
    return fmt::format(
        "The model's endpoint {} sends elsewhere ({}), which is not followed. Set ALFRED_MODEL_URL "
        "to the right address.",
        place, status);
  return fmt::format("The model's endpoint {} answered {}{}. Try again later.", place, status,
                     wait_text(outcome.head));
}

}  // namespace

bool is_too_long(const HttpOutcome& outcome) {
  if (outcome.error || (outcome.head.status != 400 && outcome.head.status != 413)) return false;
  for (const char* words : {"context length", "context_length", "context size", "too long",
                            "maximum context", "context window"})
    if (outcome.body.find(words) != std::string::npos) return true;
  return false;
}

Error chat_failure(const Ask& ask, const ChatSettings& settings, const HttpOutcome& outcome) {
  Error error{ErrorCode::model, "", "", {}, detail_of(settings, outcome)};
  if (!outcome.error) {
    error.message = status_message(ask, settings, outcome) + said(settings, outcome);
    return error;
  }
  if (outcome.error->fault == HttpFault::cancelled) {
    error.message = "The model was not waited for: the turn is cancelled.";
    return error;
  }
  if (outcome.error->fault == HttpFault::too_large) error.code = ErrorCode::limit;
  error.message =
      fmt::format("The model at {} gave no answer: {}. Try again later.", place_of(settings.url),
                  without_key(outcome.error->reason, settings.key));
  if (outcome.error->fault == HttpFault::cut) error.message += said(settings, outcome);
  return error;
}

Error chat_nonsense(const ChatSettings& settings, const HttpOutcome& outcome, const Error& why) {
  const std::string type = outcome.head.header("content-type");
  return {why.code,
          fmt::format("{} Is {} the address of a model? It sent {}.", why.message,
                      place_of(settings.url), type.empty() ? "no type" : quoted_text(type)),
          "",
          {},
          detail_of(settings, outcome)};
}

}  // namespace alfred
