#include "surface/http/api/route.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "base/error_table.h"
#include "base/utf8.h"

namespace alfred::http {
namespace {

constexpr std::size_t kLongestKey = 255;

std::vector<std::string_view> segments(std::string_view path) {
  std::vector<std::string_view> out;
  if (!path.starts_with('/')) return out;
  out.reserve(8);
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    out.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string form_text(std::string_view text, bool is_query = true) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_escape = text[at] == '%' && at + 2 < text.size() &&
                           hex_digit(text[at + 1]) >= 0 && hex_digit(text[at + 2]) >= 0;
    if (is_escape) {
      out += static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 2;
    } else {
      out += is_query && text[at] == '+' ? ' ' : text[at];
    }
  }
  return is_utf8(out) ? out : "";
}

}  // namespace

std::string RouteCall::text(std::string_view key) const {
  std::string_view rest = request.query();
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (one.substr(0, one.find('=')) == key && one.size() > key.size())
      return form_text(one.substr(key.size() + 1));
  }
  return "";
}

std::string RouteCall::plain_name(std::string_view key) const {
  return form_text(name(key), false);
}

Result<std::int64_t> RouteCall::number(std::string_view key, std::int64_t usual,
                                       std::int64_t most) const {
  const std::string given = text(key);
  if (given.empty()) return usual;
  std::int64_t value = 0;
  const auto [end, wrong] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (wrong == std::errc() && end == given.data() + given.size() && value >= 0 && value <= most)
    return value;
  return fail(ErrorCode::value, fmt::format("{} is a number, 0 to {}.", key, most),
              "query." + std::string(key));
}

Result<std::string> RouteCall::key() const {
  const std::size_t count = request.count("idempotency-key");
  if (count == 0) return std::string();
  const std::string key(request.header("idempotency-key"));
  const bool is_printable =
      std::all_of(key.begin(), key.end(), [](char c) { return c >= 0x21 && c <= 0x7e; });
  if (count == 1 && !key.empty() && key.size() <= kLongestKey && is_printable) return key;
  return fail(ErrorCode::request,
              "An Idempotency-Key is one header with 1 to 255 printable characters of ASCII.",
              "Idempotency-Key");
}

std::span<const Route> routes() {
  static const std::vector<Route> table = [] {
    std::vector<Route> all = status_routes();
    for (const std::vector<Route>& more :
         {session_routes(), turn_routes(), look_routes(), record_routes(), inbox_routes()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return table;
}

namespace {

// A route with the segments of its path, which are read once.
struct Pattern {
  const Route* route;
  std::vector<std::string_view> parts;
};

bool fits(const Pattern& pattern, const std::vector<std::string_view>& path) {
  // Most are told apart by how they end, since many begin alike.
  for (std::size_t at = path.size(); at-- > 0;) {
    const std::string_view part = pattern.parts[at];
    if (path[at].empty() || (part != path[at] && !part.starts_with('{'))) return false;
  }
  return true;
}

std::map<std::string, std::string, std::less<>> names_in(
    const Pattern& pattern, const std::vector<std::string_view>& path) {
  std::map<std::string, std::string, std::less<>> names;
  for (std::size_t at = 0; at < path.size(); ++at)
    if (const std::string_view part = pattern.parts[at]; part.starts_with('{'))
      names.emplace(part.substr(1, part.size() - 2), path[at]);
  return names;
}

// Those with so many segments, in the order of the table.
std::span<const Pattern> patterns_of(std::size_t size) {
  static const std::vector<std::vector<Pattern>> all = [] {
    std::vector<std::vector<Pattern>> by_size;
    for (const Route& route : routes()) {
      Pattern pattern{&route, segments(route.path)};
      by_size.resize(std::max(by_size.size(), pattern.parts.size() + 1));
      by_size[pattern.parts.size()].push_back(std::move(pattern));
    }
    return by_size;
  }();
  return size < all.size() ? std::span<const Pattern>(all[size]) : std::span<const Pattern>();
}

bool answers(const Route& route, std::string_view method) {
  return route.method == method || (method == "HEAD" && route.method == "GET");
}

RouteMatch first_match(std::string_view method, std::string_view path) {
  RouteMatch out;
  const std::vector<std::string_view> parts = segments(path);
  for (const Pattern& pattern : patterns_of(parts.size())) {
    if (!fits(pattern, parts)) continue;
    if (answers(*pattern.route, method)) return {pattern.route, names_in(pattern, parts), ""};
    out.allow += (out.allow.empty() ? "" : ", ") + std::string(pattern.route->method);
  }
  return out;
}

// Paths without names, with the route that answers each method. What is asked for most often is one
// of these.
using FixedPaths =
    std::unordered_map<std::string_view, std::vector<std::pair<std::string_view, const Route*>>>;

FixedPaths fixed_paths() {
  FixedPaths out;
  for (const Route& route : routes())
    if (route.path.find('{') == std::string_view::npos)
      out[route.path].emplace_back(route.method, first_match(route.method, route.path).route);
  return out;
}

}  // namespace

RouteMatch match_route(std::string_view method, std::string_view path) {
  static const FixedPaths fixed = fixed_paths();
  if (const auto found = fixed.find(path); found != fixed.end())
    for (const auto& [asked, route] : found->second)
      if (asked == method) return {route, {}, ""};
  return first_match(method, path);
}

HttpResponse json_text(std::string json, int status) {
  json += '\n';
  HttpResponse out;
  out.status = status;
  out.body = std::move(json);
  return out;
}

HttpResponse json_response(const Json& json, int status) {
  return json_text(write_json(json), status);
}

namespace {

// A message says what is wrong in its first sentence, and what to do in what follows.
std::string hint_of(const Error& error) {
  const std::size_t end = error.message.find(". ");
  if (end != std::string::npos) return error.message.substr(end + 2);
  if (!error.allowed.empty()) return fmt::format("Use one of {}.", fmt::join(error.allowed, ", "));
  return "/inbox/openapi.json describes what is taken.";
}

HttpResponse response_of(const Error& error, std::optional<int> status, const std::string& hint) {
  JsonObject inside{{"code", error_name(error.code)}, {"message", error.message}};
  if (!error.path.empty()) inside["path"] = error.path;
  if (!error.allowed.empty()) {
    JsonArray allowed;
    for (const std::string& one : error.allowed) allowed.push_back(Json(one));
    inside["allowed"] = std::move(allowed);
  }
  if (!hint.empty()) inside["hint"] = hint;
  HttpResponse out = json_response(JsonObject{{"error", std::move(inside)}},
                                   status.value_or(error_row(error.code).http_status));
  if (out.status == 401) out.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (out.status == 503) out.headers.emplace_back("Retry-After", "1");
  return out;
}

}  // namespace

HttpResponse error_response(const Error& error, std::optional<int> status) {
  return response_of(error, status, "");
}

HttpResponse hinted_response(const Error& error, std::optional<int> status) {
  return response_of(error, status, hint_of(error));
}

}  // namespace alfred::http
