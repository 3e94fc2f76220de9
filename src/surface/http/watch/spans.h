// What requests, turns and asks took, as spans of OpenTelemetry, sent as OTLP/HTTP JSON where a
// collector is configured.
//
// R1 a request's span continues the trace of its W3C traceparent, else begins one; a turn's is below it, an ask's below that.
// R2 who makes a span never waits: a thread sends them; what comes faster than it can be sent, or cannot be, is lost and counted.
// R3 no text of a user, prompt or answer is in a span; names and numbers are.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "alfred/random.h"
#include "base/json/json.h"
#include "base/time/clock.h"

namespace alfred::http {

enum class SpanKind : std::uint8_t { internal = 1, server = 2, client = 3 };

struct Span {
  std::string trace_id{};   // 32 hexadecimal digits
  std::string span_id{};    // 16
  std::string parent_id{};  // 16, or empty
  std::string name{};
  SpanKind kind = SpanKind::internal;
  std::int64_t begin_ns = 0;  // since 1970
  std::int64_t end_ns = 0;
  JsonObject attributes{};  // texts, integers and truths
  bool has_failed = false;
};

struct SpanOptions {
  std::string url{};  // of the collector's /v1/traces; empty: nothing is made or sent
  std::vector<std::pair<std::string, std::string>> headers{};
  std::size_t most_waiting = 2048;
  std::int64_t pause_ms = 500;  // to collect some before they are sent
};

class Spans {
 public:
  Spans(SpanOptions options, const Clock& clock, Random& random);
  Spans(const Spans&) = delete;
  Spans& operator=(const Spans&) = delete;
  ~Spans();  // what waits is sent first, once

  bool is_on() const { return !options_.url.empty(); }
  // A span that begins now; its ids are new where none is given.
  Span begin(std::string name, std::string_view trace_id = {},
             std::string_view parent_id = {}) const;
  // It ends now.
  void end(Span span);
  std::uint64_t lost() const;

 private:
  void send_all();
  bool send(const std::vector<Span>& spans) const;
  std::int64_t now_ns() const { return clock_.wall_ms() * 1'000'000; }

  SpanOptions options_;
  const Clock& clock_;
  Random& random_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Span> waiting_;
  bool is_over_ = false;
  std::uint64_t lost_ = 0;
  std::thread sender_;
};

// The body of a request to a collector.
Json otlp_json(const std::vector<Span>& spans);

struct TraceParent {
  std::string trace_id{};
  std::string span_id{};
};
// Of a W3C traceparent header; empty where it is none.
TraceParent parse_traceparent(std::string_view header);

// From the usual variables: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT,
// OTEL_EXPORTER_OTLP_HEADERS.
SpanOptions span_options(const std::function<std::string(const std::string&)>& environment);

}  // namespace alfred::http
