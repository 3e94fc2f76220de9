// P8: `alfred serve` itself against Beast's hello, by the same load tool, one after the other in
// turns.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "../benches.h"
#include "beast_hello.h"
#include "load.h"

namespace alfred::bench {
namespace {

constexpr int kTurns = 3;

// The program beside this one, on the embedded kitchen in a folder of its own.
class Alfred {
 public:
  Alfred() {
    std::string folder = (std::filesystem::temp_directory_path() / "alfred-bench-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return;
    folder_ = folder;
    const std::string program =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "alfred").string();
    const std::string out = folder_ + "/out";
    child_ = ::fork();
    if (child_ == 0) {
      ::setenv("ALFRED_HOME", folder_.c_str(), 1);
      if (std::freopen(out.c_str(), "w", stdout) == nullptr ||
          std::freopen("/dev/null", "w", stderr) == nullptr)
        ::_exit(1);
      ::execl(program.c_str(), program.c_str(), "serve", "--port", "0", "--no-token", "--host",
              "localhost", nullptr);
      ::_exit(127);
    }
    for (int i = 0; i < 200 && port_ == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      std::ifstream file(out);
      std::string line;
      std::getline(file, line);
      if (const std::size_t at = line.rfind(':'); at != std::string::npos && !file.eof())
        port_ = static_cast<std::uint16_t>(std::atoi(line.c_str() + at + 1));
    }
  }
  Alfred(const Alfred&) = delete;
  Alfred& operator=(const Alfred&) = delete;
  ~Alfred() {
    if (child_ > 0) {
      ::kill(child_, SIGTERM);
      ::waitpid(child_, nullptr, 0);
    }
    std::error_code none;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, none);
  }
  std::uint16_t port() const { return port_; }  // 0: it did not start

 private:
  std::string folder_;
  pid_t child_ = -1;
  std::uint16_t port_ = 0;
};

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
  const Alfred alfred;
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
