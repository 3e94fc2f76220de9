#include "inbox/registry/web_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/quoted_text.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kMostBytes = 2048;
constexpr unsigned kMostPort = 65'535;

// Where the scheme ends; 0: it is another one.
std::size_t scheme_end(std::string_view url) {
  return url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
}

// host:port, with whatever stands before it.
std::string_view authority_of(std::string_view url) {
  url.remove_prefix(scheme_end(url));
  return url.substr(0, url.find_first_of("/?#"));
}

bool is_name(std::string_view host) {
  return std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

bool is_ipv6(std::string_view host) {
  in6_addr address{};
  const std::string number(host.substr(0, host.find('%')));  // a zone may stand behind it
  return ::inet_pton(AF_INET6, number.c_str(), &address) == 1;
}

// Nothing behind the colon means the usual one.
bool is_port(std::string_view digits) {
  unsigned port = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool is_number = wrong == std::errc() && end == digits.data() + digits.size();
  return digits.empty() || (is_number && port >= 1 && port <= kMostPort);
}

// What is wrong with host:port; empty: nothing.
std::string host_fault(std::string_view authority) {
  const bool is_number = authority.starts_with('[');
  const std::size_t host_end =
      is_number ? std::min(authority.find(']'), authority.size()) : authority.find(':');
  const std::string_view host = authority.substr(is_number ? 1 : 0, host_end - (is_number ? 1 : 0));
  std::string_view port = authority.substr(std::min(host_end, authority.size()));
  if (is_number && !port.empty()) port.remove_prefix(1);
  if (host.empty()) return "has no host";
  if (is_number ? !is_ipv6(host) || host_end == authority.size() : !is_name(host))
    return fmt::format("has the host {}, which is none", quoted_text(host));
  if (port.empty()) return "";
  if (port[0] != ':' || !is_port(port.substr(1)))
    return fmt::format("has the port {}, which is none", quoted_text(port.substr(1)));
  return "";
}

bool has_sign(std::string_view text) { return text.find('@') != std::string_view::npos; }

std::string fault_of(std::string_view url) {
  if (scheme_end(url) == 0) return "does not begin so";
  if (url.size() > kMostBytes)
    return fmt::format("has {} bytes; it may have {}", url.size(), kMostBytes);
  if (!std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7F; }))
    return "has a byte that is no printable ASCII; write it as %XX";
  const std::string_view authority = authority_of(url);
  std::string fault = host_fault(authority);
  // Whatever else is wrong: a password may have a slash in it that ends what looks like the host.
  const bool has_at = has_sign(authority) || (!fault.empty() && has_sign(url));
  return has_at ? "has a user or a password before its host, which would be shown; wake-ups are "
                  "signed instead (X-Alfred-Signature)"
                : fault;
}

}  // namespace

Result<void> check_web_address(std::string_view url) {
  const std::string fault = fault_of(url);
  if (fault.empty()) return {};
  return fail(ErrorCode::value,
              fmt::format("url is http:// or https://, a host, a port from 1 to 65535 where one is "
                          "needed, and a path, such as https://example.org:8443/wake. {} {}.",
                          quoted_text(without_password(url)), fault),
              "url");
}

std::string without_password(std::string_view url) {
  const std::size_t from = scheme_end(url);
  const std::size_t at = url.rfind('@');
  const std::string_view authority = authority_of(url);
  const bool is_good = from != 0 && !has_sign(authority) && host_fault(authority).empty();
  if (at == std::string_view::npos || is_good) return std::string(url);
  return fmt::format("{}...{}", url.substr(0, from), url.substr(at));
}

}  // namespace alfred::inbox
