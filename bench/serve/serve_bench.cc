// P8: `alfred serve` itself against Beast's hello, by the same load tool, one after the other in
// turns.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "../benches.h"
#include "beast_hello.h"
#include "load.h"
#include "served_alfred.h"

namespace alfred::bench {
namespace {

constexpr int kTurns = 3;

std::string tool_call(const std::string& arguments) {
  constexpr std::string_view kMeta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
  return post_request(
      "/mcp", "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: db_read\r\n",
      fmt::format(
          R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"db_read","arguments":{},{}}}}})",
          arguments, kMeta));
}

struct Measured {
  std::vector<double> per_second{};
  std::vector<double> p50_us{};
  std::vector<double> p99_us{};
  bool add(const LoadResult& one, const char* what) {
    if (!one.problem.empty()) std::fprintf(stderr, "bench: %s: %s\n", what, one.problem.c_str());
    per_second.push_back(one.per_second);
    p50_us.push_back(one.p50_us);
    p99_us.push_back(one.p99_us);
    return one.problem.empty();
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void put(Report& report, const std::string& name, const Measured& measured) {
  report.set(name, Unit::us, 1e6 / median(measured.per_second));
  report.set(name + " p50", Unit::us, median(measured.p50_us));
  report.set(name + " p99", Unit::us, median(measured.p99_us));
  std::fprintf(stderr, "bench: %s: %.0f a second, p50 %.0f us, p99 %.0f us\n", name.c_str(),
               median(measured.per_second), median(measured.p50_us), median(measured.p99_us));
}

}  // namespace

void bench_serve(Report& report) {
  const BeastHello hello;
  const ServedAlfred alfred;
  const std::string rows =
      alfred.port() == 0 ? ""
                         : ask_once(alfred.port(), tool_call(R"({"table":"recipes","limit":1})"));
  constexpr std::string_view kId = R"("rows":[{"id":")";
  const std::size_t at = rows.find(kId);
  if (at == std::string::npos) {
    std::fprintf(stderr, "bench: alfred serve does not answer; build the target alfred too. %s\n",
                 rows.substr(0, 300).c_str());
    return;
  }
  const std::size_t from = at + kId.size();
  const std::string ref = rows.substr(from, rows.find('"', from) - from);
  const std::string read = tool_call(fmt::format(R"({{"table":"recipes","refs":["{}"]}})", ref));
  Measured beast;
  Measured health;
  Measured mcp;
  for (int turn = 0; turn < kTurns; ++turn) {
    beast.add(run_load({hello.port(), get_request("/healthz")}), "Beast");
    health.add(run_load({alfred.port(), get_request("/healthz")}), "healthz");
    mcp.add(run_load({alfred.port(), read}), "db_read");
  }
  put(report, "Beast hello", beast);
  put(report, "ours: GET /healthz", health);
  put(report, "ours: MCP db_read", mcp);
  report.compare({"P8", "GET /healthz, 32 connections, a request", "ours: GET /healthz",
                  "Beast hello", Goal::speed_at_least(0.85)});
  report.compare({"P8", "its p99 to its p50", "ours: GET /healthz p99", "ours: GET /healthz p50",
                  Goal::time_at_most(3)});
  report.compare({"P8", "MCP db_read of a row by ref, a request", "ours: MCP db_read",
                  "Beast hello", Goal::speed_at_least(0.25)});
  report.compare({"P8", "its p99 to its p50", "ours: MCP db_read p99", "ours: MCP db_read p50",
                  Goal::time_at_most(3)});
}

}  // namespace alfred::bench
