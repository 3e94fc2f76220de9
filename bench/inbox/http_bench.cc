// P9 over HTTP: `alfred serve` by the load tool, all durable. One client beside a bare echo and
// commits of one row by hand, 32 beside the very rows that an inbox keeps by hand at 32 a commit.
#include "http_bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../serve/beast_hello.h"
#include "../serve/load.h"
#include "../serve/served_alfred.h"
#include "../temporary_folder.h"
#include "kept_flow.h"
#include "raw_flow.h"

namespace alfred::bench {
namespace {

constexpr int kTurns = 3;
constexpr int kClients = 32;
constexpr int kRunMs = 2000;

// The text of a member that stands first under this name in an answer.
std::string member(const std::string& answer, const std::string& name) {
  const std::string key = "\"" + name + "\":\"";
  const std::size_t at = answer.find(key);
  if (at == std::string::npos) return "";
  const std::size_t from = at + key.size();
  return answer.substr(from, answer.find('"', from) - from);
}

// A server with a source and an agent for each client.
class ServedInbox {
 public:
  ServedInbox() {
    if (alfred_.port() == 0) return;
    const std::string host =
        member(post("/inbox/hosts", R"({"hostType":"local_event","hostKey":"bench"})"), "hostId");
    for (int i = 0; i < kClients; ++i) {
      const std::string source = member(
          post(
              "/inbox/sources",
              fmt::format(R"({{"hostId":"{}","streamKind":"events","streamKey":"s{}"}})", host, i)),
          "sourceId");
      const std::string agent =
          member(post("/inbox/agents", R"({"webhook":{"url":"http://127.0.0.1:9/"}})"), "agentId");
      post("/inbox/subscriptions",
           fmt::format(R"({{"agentId":"{}","sourceId":"{}"}})", agent, source));
      clients_.push_back({source, agent, 0});
    }
  }
  bool is_there() const { return !clients_.empty() && !clients_.back().agent.empty(); }
  std::uint16_t port() const { return alfred_.port(); }

  std::string append(std::size_t client) {
    return post_request(
        fmt::format("/inbox/sources/{}/events", clients_[client].source), "",
        fmt::format(R"({{"sourceNativeId":"e{}","eventVariant":"v","rawPayload":{{"text":"{}"}}}})",
                    ++events_, payload_));
  }
  // Append, read, ack, and again.
  std::string flow(std::size_t at, const std::string& answer) {
    Client& client = clients_[at];
    if (answer.empty()) client.step = 0;
    switch (client.step++ % 3) {
      case 0: return append(at);
      case 1:
        return get_request(fmt::format("/inbox/agents/{}/inbox/entries?limit=1", client.agent));
      default:
        return post_request(fmt::format("/inbox/agents/{}/inbox/ack", client.agent), "",
                            fmt::format(R"({{"entryIds":["{}"]}})", member(answer, "entryId")));
    }
  }

 private:
  struct Client {
    std::string source, agent;
    int step = 0;
  };
  std::string post(const std::string& path, const std::string& body) {
    return ask_once(alfred_.port(), post_request(path, "", body));
  }
  ServedAlfred alfred_;
  std::vector<Client> clients_;
  std::uint64_t events_ = 0;
  std::string payload_ = std::string(200, 'x');
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Microseconds of one of the items that a piece of work is: the median of many, and all of them,
// with what is done now and then only.
struct ByHand {
  double median_us = 0;
  double mean_us = 0;
};
ByHand by_hand(int items, const std::function<void()>& work) {
  constexpr int kTimes = 500;
  std::vector<double> times;
  double sum = 0;
  for (int i = 0; i < kTimes; ++i) {
    const auto from = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count());
    sum += times.back();
  }
  return {median(times) / items, sum / kTimes / items};
}

using Next = std::function<std::string(std::size_t, const std::string&)>;

class Sums {
 public:
  explicit Sums(Report& report) : report_(report) {}
  // One more turn of what this name measures.
  void add(const std::string& name, double us) { times_[name].push_back(us); }
  // What a piece of work takes: alone, the median of its own time; of many at once, by how many are
  // done in a second.
  void load(const std::string& name, const LoadOptions& options) {
    const LoadResult one = run_load(options);
    if (!one.problem.empty())
      std::fprintf(stderr, "bench: P9: %s: %s\n", name.c_str(), one.problem.c_str());
    if (options.connections == 1) add(name, one.p50_us);
    add(options.connections == 1 ? name + ", all" : name, 1e6 / one.per_second);
  }
  double of(const std::string& name) { return median(times_[name]); }
  void put(const std::string& name) { put(name, of(name)); }
  void put(const std::string& name, double us) { report_.set(name, Unit::us, us); }

 private:
  Report& report_;
  std::map<std::string, std::vector<double>> times_;
};

}  // namespace

void bench_inbox_http(Report& report) {
  std::fputs("bench: P9: over HTTP\n", stderr);
  ServedInbox inbox;
  if (!inbox.is_there()) {
    std::fputs("bench: alfred serve does not answer; build the target alfred too.\n", stderr);
    return;
  }
  const BeastHello hello;
  const TemporaryFolder folder;
  RawFlow raw(folder.file("raw.db"));
  KeptFlow kept(folder.file("kept.db"), kClients);
  const Next append = [&](std::size_t at, const std::string&) { return inbox.append(at); };
  const Next flow = [&](std::size_t at, const std::string& answer) {
    return inbox.flow(at, answer);
  };
  const auto ours = [&](const Next& next, int clients, int round) {
    return LoadOptions{inbox.port(), "", next, round, clients, 200, kRunMs};
  };
  Sums sums(report);
  for (int turn = 0; turn < kTurns; ++turn) {
    sums.load("echo", {hello.port(), get_request("/healthz"), {}, 1, 1, 200, kRunMs});
    sums.add("raw append", by_hand(1, [&] { raw.append(1); }).median_us);
    sums.add("raw flow", by_hand(1, [&] { raw.whole(1); }).median_us);
    sums.load("ours: HTTP append", ours(append, 1, 1));
    sums.load("ours: HTTP whole flow", ours(flow, 1, 3));
    sums.add("raw: 32 rows a commit, one",
             by_hand(kClients, [&] { raw.append(kClients); }).mean_us);
    sums.add("raw: 32 flows a commit, one",
             by_hand(kClients, [&] { raw.whole(kClients); }).mean_us);
    sums.add("by hand: our rows, 32 a commit, one",
             by_hand(kClients, [&] { kept.append(kClients); }).mean_us);
    sums.add("by hand: our rows, 32 flows a commit, one",
             by_hand(kClients, [&] { kept.whole(kClients); }).mean_us);
    sums.load("ours: HTTP append, 32 clients", ours(append, kClients, 1));
    sums.load("ours: HTTP whole flow, 32 clients", ours(flow, kClients, 3));
  }
  sums.put("raw: an echo and a commit", sums.of("echo") + sums.of("raw append"));
  sums.put("raw: three echoes and two commits", 3 * sums.of("echo") + sums.of("raw flow"));
  for (const char* const name :
       {"ours: HTTP append", "ours: HTTP append, all", "ours: HTTP whole flow",
        "ours: HTTP whole flow, all", "raw: 32 rows a commit, one", "raw: 32 flows a commit, one",
        "by hand: our rows, 32 a commit, one", "by hand: our rows, 32 flows a commit, one",
        "ours: HTTP append, 32 clients", "ours: HTTP whole flow, 32 clients"})
    sums.put(name);
  report.compare({"P9", "HTTP append, one client : echo + commit", "ours: HTTP append",
                  "raw: an echo and a commit", Goal::speed_at_least(0.5)});
  report.compare({"P9", "HTTP append, read, ack : 3 echoes + 2 commits", "ours: HTTP whole flow",
                  "raw: three echoes and two commits", Goal::speed_at_least(0.5)});
  report.compare({"P9", "HTTP append, 32 clients : our rows by hand, 32 a commit",
                  "ours: HTTP append, 32 clients", "by hand: our rows, 32 a commit, one",
                  Goal::speed_at_least(0.5)});
  report.compare({"P9", "HTTP whole flow, 32 clients : our rows by hand, 32 a commit",
                  "ours: HTTP whole flow, 32 clients", "by hand: our rows, 32 flows a commit, one",
                  Goal::speed_at_least(0.5)});
  // With moving the log into the file, and against rows that are no inbox's.
  report.compare({"P9", "HTTP append, one client, mean : echo + commit", "ours: HTTP append, all",
                  "raw: an echo and a commit", Goal::none()});
  report.compare({"P9", "HTTP append, read, ack, mean : 3 echoes + 2 commits",
                  "ours: HTTP whole flow, all", "raw: three echoes and two commits", Goal::none()});
  report.compare({"P9", "HTTP append, 32 clients : bare rows, 32 a commit",
                  "ours: HTTP append, 32 clients", "raw: 32 rows a commit, one", Goal::none()});
  report.compare({"P9", "HTTP whole flow, 32 clients : bare rows, 32 a commit",
                  "ours: HTTP whole flow, 32 clients", "raw: 32 flows a commit, one",
                  Goal::none()});
}

}  // namespace alfred::bench
