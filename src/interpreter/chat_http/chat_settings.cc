#include "interpreter/chat_http/chat_settings.h"

#include <algorithm>
#include <cstdlib>

#include "base/quoted_text.h"

namespace alfred {
namespace {

constexpr std::string_view kOpenAi = "https://api.openai.com/v1";
constexpr std::string_view kAnthropic = "https://api.anthropic.com/v1";

std::string value_of(const ChatSettings::Variables& variables, const char* name) {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

std::string_view host_of(std::string_view url) {
  std::string_view host = url.substr(std::min(url.find("//") + 2, url.size()));
  host = host.substr(0, host.find('/'));
  if (const std::size_t user = host.rfind('@'); user != std::string_view::npos)
    host.remove_prefix(user + 1);
  return host.substr(0, host.find(':'));
}

bool is_host_of(std::string_view url, std::string_view domain) {
  const std::string_view host = host_of(url);
  return host == domain || (host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

Result<std::string> text_at(const JsonObject& table, std::string_view name) {
  const Json* const value = table.if_contains(name);
  if (value == nullptr) return std::string();
  if (!value->is_string())
    return fail(ErrorCode::schema, "A text is wanted here.", "model." + std::string(name));
  return std::string(value->get_string());
}

// Where a model is, and who may ask it.
struct Place {
  std::string url{};
  std::string model{};
  std::string key{};
  bool is_token = false;  // Anthropic's, which goes as a bearer
  std::optional<ChatWire> wire{};
};

Result<Place> own_place(const ChatSettings::Variables& variables, const JsonObject& table) {
  Place out;
  const std::pair<const char*, std::pair<const char*, std::string*>> parts[] = {
      {"ALFRED_MODEL_URL", {"url", &out.url}},
      {"ALFRED_MODEL", {"model", &out.model}},
      {"ALFRED_MODEL_KEY", {"key", &out.key}}};
  for (const auto& [variable, place] : parts) {
    Result<std::string> written = text_at(table, place.first);
    if (!written) return Unexpected(std::move(written).error());
    const std::string set = value_of(variables, variable);
    *place.second = set.empty() ? *std::move(written) : set;
  }
  Result<std::string> spoken = text_at(table, "wire");
  if (!spoken) return Unexpected(std::move(spoken).error());
  if (const std::string set = value_of(variables, "ALFRED_MODEL_WIRE"); !set.empty()) spoken = set;
  for (const ChatWire wire : {ChatWire::openai, ChatWire::anthropic})
    if (*spoken == name_of(wire)) out.wire = wire;
  if (!spoken->empty() && !out.wire)
    return fail(ErrorCode::schema, "There is no such way to speak to a model.", "model.wire",
                {"openai", "anthropic"});
  return out;
}

void add_anthropic_key(const ChatSettings::Variables& variables, Place& place) {
  place.key = value_of(variables, "ANTHROPIC_API_KEY");
  place.is_token = place.key.empty();
  if (place.is_token) place.key = value_of(variables, "ANTHROPIC_AUTH_TOKEN");
}

// R4.
void add_usual_key(const ChatSettings::Variables& variables, Place& place) {
  if (!place.key.empty()) return;
  if (is_host_of(place.url, "openai.com")) place.key = value_of(variables, "OPENAI_API_KEY");
  if (!is_host_of(place.url, "anthropic.com")) return;
  add_anthropic_key(variables, place);
}

Place usual_place(const ChatSettings::Variables& variables) {
  Place open{.url = value_of(variables, "OPENAI_BASE_URL"),
             .model = value_of(variables, "OPENAI_MODEL"),
             .key = value_of(variables, "OPENAI_API_KEY"),
             .wire = ChatWire::openai};
  if (open.url.empty()) open.url = kOpenAi;
  if (!open.model.empty()) return open;
  Place other{.url = value_of(variables, "ANTHROPIC_BASE_URL"),
              .model = value_of(variables, "ANTHROPIC_MODEL"),
              .wire = ChatWire::anthropic};
  if (other.url.empty()) other.url = kAnthropic;
  add_anthropic_key(variables, other);
  return other;
}

Result<void> complete(const ChatSettings::Variables& variables, Place& place) {
  if (place.model.empty())
    return fail(ErrorCode::value,
                "ALFRED_MODEL_URL is set and ALFRED_MODEL is not. Set it to the model's name.");
  if (!place.url.empty()) return {};
  if (!value_of(variables, "OPENAI_API_KEY").empty()) {
    place.url = kOpenAi;
  } else if (!value_of(variables, "ANTHROPIC_API_KEY").empty() ||
             !value_of(variables, "ANTHROPIC_AUTH_TOKEN").empty()) {
    place.url = kAnthropic;
  } else {
    return fail(ErrorCode::value,
                "ALFRED_MODEL is set and ALFRED_MODEL_URL is not. Set it to the model's address, "
                "as in http://localhost:8080/v1.");
  }
  return {};
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

ChatSettings::Variables chat_variables() {
  ChatSettings::Variables out;
  for (const char* name :
       {"ALFRED_MODEL_URL", "ALFRED_MODEL", "ALFRED_MODEL_KEY", "ALFRED_MODEL_WIRE",
        "OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL",
        "ANTHROPIC_MODEL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"})
    if (const char* value = std::getenv(name)) out[name] = value;
  return out;
}

HttpTimeouts ChatSettings::timeouts_of(Node node) const {
  HttpTimeouts out = timeouts;
  out.first_byte_ms = of(node).first_byte_ms.value_or(out.first_byte_ms);
  out.total_ms = of(node).total_ms.value_or(out.total_ms);
  return out;
}

std::optional<ModelPrices> ChatSettings::prices_of(Node node) const {
  if (of(node).prices || !of(node).model.empty()) return of(node).prices;
  return prices;
}

Result<ChatAddress> chat_address(std::string_view base, std::optional<ChatWire> wire) {
  if (!base.starts_with("http://") && !base.starts_with("https://"))
    return fail(ErrorCode::value,
                "The model's address is " + quoted_text(base) +
                    "; it must begin with http:// or https://, as in http://localhost:8080/v1.");
  if (!is_plain(base) || host_of(base).empty())
    return fail(ErrorCode::value, "The model's address names no host, or has spaces in it.");
  while (base.ends_with('/')) base.remove_suffix(1);
  if (base.ends_with("/messages"))
    return ChatAddress{wire.value_or(ChatWire::anthropic), std::string(base)};
  if (base.ends_with("/chat/completions"))
    return ChatAddress{wire.value_or(ChatWire::openai), std::string(base)};
  std::string url(base);
  if (base.find('/', base.find("//") + 2) == std::string_view::npos) url += "/v1";
  const ChatWire spoken =
      wire.value_or(is_host_of(base, "anthropic.com") ? ChatWire::anthropic : ChatWire::openai);
  return ChatAddress{spoken,
                     url + (spoken == ChatWire::anthropic ? "/messages" : "/chat/completions")};
}

Result<std::optional<ChatSettings>> ChatSettings::from(const Variables& variables,
                                                       const JsonObject& table) {
  ChatSettings out;
  if (Result<void> read = read_chat_table(table, out); !read)
    return Unexpected(std::move(read).error());
  Result<Place> place = own_place(variables, table);
  if (!place) return Unexpected(std::move(place).error());
  if (place->model.empty() && place->url.empty()) {
    place = usual_place(variables);
    if (place->model.empty()) return std::optional<ChatSettings>();
  } else {
    if (Result<void> done = complete(variables, *place); !done)
      return Unexpected(std::move(done).error());
    add_usual_key(variables, *place);
  }
  const Result<ChatAddress> address = chat_address(place->url, place->wire);
  if (!address) return Unexpected(address.error());
  if (!is_plain(place->key))
    return fail(ErrorCode::value,
                "The model's key has spaces or other characters that no key has. Copy it anew.");
  out.wire = address->wire;
  out.url = address->url;
  out.model = place->model;
  out.key = place->key;
  out.is_bearer = out.wire == ChatWire::openai || place->is_token;
  return std::optional(std::move(out));
}

}  // namespace alfred
