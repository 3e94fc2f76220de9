#include "surface/http/gate/gate.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace alfred::http {
namespace {

constexpr std::uint16_t kUsualPort = 80;
constexpr std::string_view kBearer = "bearer ";

Rejection rejected(int status, ErrorCode code, std::string message, std::string path) {
  return {status, Error{code, std::move(message), std::move(path), {}, {}}};
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower_text(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

// Takes as long whatever is given: what differs is collected, not found.
bool is_same_secret(std::string_view given, std::string_view wanted) {
  unsigned differs = given.size() == wanted.size() ? 0U : 1U;
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const char one = given.empty() ? '\0' : given[at % given.size()];
    differs |= static_cast<unsigned char>(one) ^ static_cast<unsigned char>(wanted[at]);
  }
  return differs == 0;
}

}  // namespace

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

std::vector<std::string> own_hosts(std::string_view address, std::uint16_t port) {
  std::vector<std::string> names;
  const bool is_six = address.find(':') != std::string_view::npos;
  names.push_back(is_six ? fmt::format("[{}]", address) : std::string(address));
  // All addresses of the machine are those of loopback too.
  if (is_loopback(address) || address == "0.0.0.0" || address == "::")
    for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) names.emplace_back(name);
  std::vector<std::string> hosts;
  for (const std::string& name : names) {
    hosts.push_back(fmt::format("{}:{}", name, port));
    if (port == kUsualPort) hosts.push_back(name);  // clients leave it out
  }
  return hosts;
}

Gate::Gate(GateOptions options) : options_(std::move(options)) {
  for (std::string& host : options_.hosts) host = lower_text(host);
}

bool Gate::is_own_host(std::string_view host) const {
  return std::any_of(options_.hosts.begin(), options_.hosts.end(), [&](std::string_view own) {
    return own.size() == host.size() &&
           std::equal(own.begin(), own.end(), host.begin(),
                      [](char mine, char c) { return mine == lower(c); });
  });
}

std::optional<Rejection> Gate::check_origin(const HttpRequest& request) const {
  const std::size_t hosts = request.count("host");
  if (hosts > 1 || (hosts == 0 && !request.is_old))
    return rejected(400, ErrorCode::request, "A request names one Host.", "Host");
  // Whoever can open the socket file is its owner; no browser can.
  if (!request.is_socket_file && !is_own_host(request.header("host")))
    return rejected(
        403, ErrorCode::access,
        "This server is not known by that Host. Use the address it printed when it started, "
        "or name yours with --host.",
        "Host");
  // Of two the first may be good and the other the one that a proxy or a browser added.
  for (const auto& [name, path] :
       {std::pair("origin", "Origin"), {"sec-fetch-site", "Sec-Fetch-Site"}})
    if (request.count(name) > 1)
      return rejected(400, ErrorCode::request, fmt::format("A request has one {} at most.", path),
                      path);
  const std::string_view origin = request.header("origin");
  const bool has_origin = request.count("origin") > 0;
  const bool is_own = origin.starts_with("http://") && is_own_host(origin.substr(7));
  if (has_origin && !is_own)
    return rejected(403, ErrorCode::access, "Pages of another origin may not ask here.", "Origin");
  if (request.header("sec-fetch-site") == "cross-site")
    return rejected(403, ErrorCode::access, "Pages of another site may not ask here.",
                    "Sec-Fetch-Site");
  return std::nullopt;
}

std::optional<Rejection> Gate::check_token(const HttpRequest& request) const {
  if (options_.token.empty()) return std::nullopt;
  std::string_view given = request.header("authorization");
  const bool is_bearer = request.count("authorization") == 1 && given.size() > kBearer.size() &&
                         lower_text(given.substr(0, kBearer.size())) == kBearer;
  given = is_bearer ? given.substr(kBearer.size()) : std::string_view();
  if (is_same_secret(given, options_.token)) return std::nullopt;
  return rejected(
      401, ErrorCode::access,
      "Send the header `Authorization: Bearer <token>` with the token of this server; it "
      "printed where it keeps it when it started.",
      "Authorization");
}

std::optional<Rejection> Gate::check_type(const HttpRequest& request) {
  const std::string type = lower_text(request.header("content-type"));
  const std::string_view plain = std::string_view(type).substr(0, type.find(';'));
  if (request.count("content-type") == 1 && plain.substr(0, plain.find(' ')) == "application/json")
    return std::nullopt;
  return rejected(415, ErrorCode::request,
                  "Send JSON, with the header `Content-Type: application/json`.", "Content-Type");
}

}  // namespace alfred::http
