#include "surface/http/watch/spans.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "net/http_client.h"

namespace alfred::http {
namespace {

constexpr std::int64_t kSendMs = 3000;
constexpr std::size_t kAtOnce = 512;

std::string new_id(Random& random, std::size_t bytes) {
  std::array<std::byte, 16> some{};
  random.fill(std::span(some).first(bytes));
  std::string out;
  for (std::size_t at = 0; at < bytes; ++at)
    out += fmt::format("{:02x}", std::to_integer<unsigned>(some.at(at)));
  return out;
}

bool is_id(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         text.find_first_not_of('0') != std::string_view::npos;
}

JsonArray attributes_json(const JsonObject& attributes) {
  JsonArray out;
  for (const auto& member : attributes) {
    JsonObject value;
    if (member.value().is_string())
      value["stringValue"] = member.value();
    else if (member.value().is_bool())
      value["boolValue"] = member.value();
    else
      value["intValue"] = write_json(member.value());  // 64 bits are text in OTLP's JSON
    out.push_back(JsonObject{{"key", member.key()}, {"value", std::move(value)}});
  }
  return out;
}

Json span_json(const Span& span) {
  JsonObject out{{"traceId", span.trace_id},
                 {"spanId", span.span_id},
                 {"name", span.name},
                 {"kind", static_cast<int>(span.kind)},
                 {"startTimeUnixNano", std::to_string(span.begin_ns)},
                 {"endTimeUnixNano", std::to_string(span.end_ns)},
                 {"attributes", attributes_json(span.attributes)}};
  if (!span.parent_id.empty()) out["parentSpanId"] = span.parent_id;
  if (span.has_failed) out["status"] = JsonObject{{"code", 2}};
  return out;
}

}  // namespace

Json otlp_json(const std::vector<Span>& spans) {
  JsonArray all;
  for (const Span& span : spans) all.push_back(span_json(span));
  const JsonObject about{{"service.name", "alfred"}, {"service.version", ALFRED_VERSION}};
  JsonObject scope{{"scope", JsonObject{{"name", "alfred"}}}, {"spans", std::move(all)}};
  JsonObject resource{{"resource", JsonObject{{"attributes", attributes_json(about)}}},
                      {"scopeSpans", JsonArray{std::move(scope)}}};
  return JsonObject{{"resourceSpans", JsonArray{std::move(resource)}}};
}

TraceParent parse_traceparent(std::string_view header) {
  if (header.size() < 55 || header[2] != '-' || header[35] != '-' || header[52] != '-') return {};
  const std::string_view trace = header.substr(3, 32);
  const std::string_view span = header.substr(36, 16);
  if (!is_id(trace) || !is_id(span)) return {};
  return {std::string(trace), std::string(span)};
}

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

// As in W3C baggage, which is how the variable is written. What would begin a header of its own is
// left as it was.
std::string without_escapes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned value = 0;
    const char* const digits = text.data() + std::min(at + 1, text.size());
    const bool is_escape = text[at] == '%' && at + 2 < text.size() &&
                           std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2 &&
                           value >= 0x20;
    out += is_escape ? static_cast<char>(value) : text[at];
    if (is_escape) at += 2;
  }
  return out;
}

}  // namespace

SpanOptions span_options(const std::function<std::string(const std::string&)>& environment) {
  SpanOptions out;
  out.url = environment("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (out.url.empty()) {
    std::string base = environment("OTEL_EXPORTER_OTLP_ENDPOINT");
    while (base.ends_with('/')) base.pop_back();
    if (!base.empty()) out.url = base + "/v1/traces";
  }
  std::string headers = environment("OTEL_EXPORTER_OTLP_HEADERS");
  for (std::string_view rest = headers; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t sign = one.find('=');
    const std::string name(trimmed(one.substr(0, sign)));
    if (sign != std::string_view::npos && !name.empty())
      out.headers.emplace_back(name, without_escapes(trimmed(one.substr(sign + 1))));
  }
  return out;
}

Spans::Spans(SpanOptions options, const Clock& clock, Random& random)
    : options_(std::move(options)), clock_(clock), random_(random) {
  if (is_on()) sender_ = std::thread([this] { send_all(); });
}

Spans::~Spans() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (sender_.joinable()) sender_.join();
}

Span Spans::begin(std::string name, std::string_view trace_id, std::string_view parent_id) const {
  Span out;
  if (!is_on()) return out;
  out.name = std::move(name);
  out.trace_id = trace_id.empty() ? new_id(random_, 16) : std::string(trace_id);
  out.span_id = new_id(random_, 8);
  out.parent_id = std::string(parent_id);
  out.begin_ns = now_ns();
  return out;
}

void Spans::end(Span span) {
  if (!is_on()) return;
  span.end_ns = now_ns();
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= options_.most_waiting)
      ++lost_;
    else
      waiting_.push_back(std::move(span));
  }
  changed_.notify_all();
}

std::uint64_t Spans::lost() const {
  const std::scoped_lock lock(mutex_);
  return lost_;
}

bool Spans::send(const std::vector<Span>& spans) const {
  HttpClient client;
  ::alfred::HttpRequest request;
  request.url = options_.url;
  request.headers = options_.headers;
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = write_json(otlp_json(spans));
  request.timeouts.connect_ms = kSendMs;
  request.timeouts.total_ms = kSendMs;
  const HttpOutcome outcome = client.send(request);
  return !outcome.error && outcome.head.status / 100 == 2;
}

void Spans::send_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    changed_.wait_for(lock, std::chrono::milliseconds(options_.pause_ms),
                      [&] { return is_over_ || waiting_.size() >= kAtOnce; });
    const std::vector<Span> spans = std::exchange(waiting_, {});
    lock.unlock();
    const bool is_sent = send(spans);
    lock.lock();
    if (!is_sent) lost_ += spans.size();
  }
}

}  // namespace alfred::http
