#include <atomic>
#include <map>
#include <sstream>
#include <streambuf>
#include <thread>

#include <gtest/gtest.h>

#include "surface/http/watch/json_log.h"
#include "surface/http/watch/metrics.h"
#include "surface/http/watch/spans.h"

namespace alfred::http {
namespace {

TEST(JsonLog, R1_secrets_are_blotted_out) {
  const std::vector<std::string> secrets{"hunter2hunter2"};
  for (const char* text : {"x hunter2hunter2 y", "Authorization: Bearer abcdef0123456789",
                           "key sk-abcdefgh12345678", "postgres://ann:swordfish@host/db"}) {
    const std::string out = redacted(text, secrets);
    EXPECT_NE(out.find("[redacted]"), std::string::npos) << out;
    for (const char* secret : {"hunter2", "abcdef0123456789", "abcdefgh12345678", "swordfish"})
      EXPECT_EQ(out.find(secret), std::string::npos) << out;
  }
  EXPECT_EQ(redacted("http://localhost:8177/a and b@c", {}), "http://localhost:8177/a and b@c");
}

TEST(JsonLog, R1_nothing_that_is_logged_makes_a_line) {
  std::ostringstream out;
  const ManualClock clock(0);
  JsonLog log(out, clock, {});
  log.write("info", JsonObject{{"detail", "one\n{\"level\":\"error\"}\x1b[31m"}}, "");
  log.flush();
  EXPECT_EQ(out.str(),
            "{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"info\","
            "\"detail\":\"one\\n{\\\"level\\\":\\\"error\\\"}\\u001b[31m\"}\n");
}

// Writes nothing and says so until it is let go.
class StuckBuffer final : public std::streambuf {
 public:
  std::atomic<bool> is_stuck{true};

 private:
  int_type overflow(int_type c) override {
    while (is_stuck) std::this_thread::yield();
    return c;
  }
};

TEST(JsonLog, F8_a_log_that_cannot_be_written_is_counted) {
  std::ostringstream out;
  const ManualClock clock(0);
  JsonLog log(out, clock, {});
  out.setstate(std::ios::badbit);
  log.write("info", {}, "");
  log.flush();
  EXPECT_EQ(log.drops(), 1U);
  log.write("info", {}, "");
  log.flush();
  EXPECT_EQ(log.drops(), 1U);
}

TEST(JsonLog, F8_nobody_waits_for_a_log_that_is_stuck) {
  StuckBuffer buffer;
  std::ostream out(&buffer);
  const ManualClock clock(0);
  JsonLog log(out, clock, {}, 5);
  for (int at = 0; at < 100; ++at) log.write("info", {}, "");
  EXPECT_GE(log.drops(), 80U);
  EXPECT_FALSE(log.flush());
  buffer.is_stuck = false;
  EXPECT_TRUE(log.flush());
}

TEST(Spans, R1_a_trace_is_taken_only_when_it_is_whole) {
  const std::string trace(32, 'a');
  const std::string span(16, 'b');
  const TraceParent whole = parse_traceparent("00-" + trace + "-" + span + "-01");
  EXPECT_EQ(whole.trace_id, trace);
  EXPECT_EQ(whole.span_id, span);
  for (const std::string& bad :
       {"00-" + std::string(32, '0') + "-" + span + "-01", "00-" + trace + "\n" + span + "-01",
        "00-" + trace + "-" + std::string(16, '0') + "-01", std::string()})
    EXPECT_EQ(parse_traceparent(bad).trace_id, "");
}

TEST(Spans, R2_a_collector_that_is_not_there_costs_nobody_a_wait) {
  const SystemClock clock;
  OsRandom random;
  SpanOptions options;
  options.url = "http://127.0.0.1:1/v1/traces";
  options.most_waiting = 3;
  options.pause_ms = 10;
  Spans spans(std::move(options), clock, random);
  for (int at = 0; at < 50; ++at) spans.end(spans.begin("one"));
  EXPECT_GE(spans.lost(), 1U);
}

TEST(Spans, R3_the_form_of_otlp) {
  Span span;
  span.trace_id = "t";
  span.span_id = "s";
  span.name = "POST /v1";
  span.kind = SpanKind::server;
  span.begin_ns = 5;
  span.attributes = JsonObject{{"http.response.status_code", 200}, {"a", "b"}};
  const Json one =
      otlp_json({span}).at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0);
  EXPECT_EQ(write_json(one),
            R"({"traceId":"t","spanId":"s","name":"POST /v1","kind":2,"startTimeUnixNano":"5",)"
            R"("endTimeUnixNano":"0","attributes":[{"key":"http.response.status_code",)"
            R"("value":{"intValue":"200"}},{"key":"a","value":{"stringValue":"b"}}]})");
}

TEST(Spans, R1_the_usual_variables_say_where) {
  std::map<std::string, std::string> set;
  const auto options = [&] {
    return span_options([&](const std::string& name) { return set[name]; });
  };
  EXPECT_EQ(options().url, "");
  set["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://c:4318/";
  set["OTEL_EXPORTER_OTLP_HEADERS"] = "a=b,c=d=e";
  EXPECT_EQ(options().url, "http://c:4318/v1/traces");
  EXPECT_EQ(options().headers.at(1).second, "d=e");
  set["OTEL_EXPORTER_OTLP_HEADERS"] =
      " authorization = Basic%20QTpC%3D , x-team=50%,=z, bad%0d=a%0Db";
  ASSERT_EQ(options().headers.size(), 3U);
  EXPECT_EQ(options().headers.at(0).first, "authorization");
  EXPECT_EQ(options().headers.at(0).second, "Basic QTpC=");
  EXPECT_EQ(options().headers.at(1).second, "50%");
  EXPECT_EQ(options().headers.at(2).second, "a%0Db");
  set["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = "http://d/x";
  EXPECT_EQ(options().url, "http://d/x");
}

TEST(Metrics, R1_requests_are_counted_by_route_and_status) {
  Metrics metrics;
  metrics.count_request("start_turn", 200, 2'000);
  metrics.count_request("start_turn", 200, 20'000'000);
  metrics.count_turn("finished");
  const std::string text = metrics.text({{"alfred_working", "Now.", 3}});
  for (const char* line :
       {"alfred_working 3\n", "alfred_http_requests_total{route=\"start_turn\",status=\"200\"} 2\n",
        "alfred_turns_total{end=\"finished\"} 1\n",
        "alfred_http_request_seconds_bucket{route=\"start_turn\",le=\"0.005\"} 1\n",
        "alfred_http_request_seconds_bucket{route=\"start_turn\",le=\"+Inf\"} 2\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

}  // namespace
}  // namespace alfred::http
