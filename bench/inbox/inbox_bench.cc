// P9 and P10: the inbox on a durable file, through the library (over HTTP: http_bench.h). Appends,
// and the whole flow: append, the entry is there, read, ack. One client, and 32 threads that share
// commits.
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "../benches.h"
#include "../temporary_folder.h"
#include "http_bench.h"
#include "inbox/open_inbox.h"
#include "kept_flow.h"
#include "raw_flow.h"

namespace alfred::bench {
namespace {

constexpr int kClients = 32;
constexpr int kEach = 10;  // of each client at a time
constexpr int kPasses = 100;
constexpr int kRepetitions = 5;
constexpr int kSubscriptions = 10'000;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message + " " + result.error().detail);
  return std::move(*result);
}

std::string text(const Json& json, std::string_view name) {
  return std::string(json.at(name).as_string());
}

// An inbox in a file of its own, a source, and an agent for each client, each with a source.
class BenchInbox {
 public:
  explicit BenchInbox(int agents) {
    opened_.emplace(must(OpenInbox::open("sqlite:" + folder_.file("inbox.db"), clock_, random_)));
    const Json host =
        must(inbox().add_host(JsonObject{{"hostType", "local_event"}, {"hostKey", "b"}}));
    host_ = text(host, "hostId");
    for (int i = 0; i < agents; ++i) {
      sources_.push_back(add_source(fmt::format("s{}", i)));
      agents_.push_back(add_agent());
      must(inbox().subscribe(
          JsonObject{{"agentId", agents_.back()}, {"sourceId", sources_.back()}}));
    }
  }
  Inbox& inbox() { return opened_->inbox(); }
  std::string add_source(const std::string& key) {
    return text(must(inbox().add_source(
                    JsonObject{{"hostId", host_}, {"streamKind", "events"}, {"streamKey", key}})),
                "sourceId");
  }
  std::string add_agent() {
    const Json made = must(inbox().register_agent(
        JsonObject{{"webhook", JsonObject{{"url", "http://127.0.0.1:9/"}}}}));
    return text(made.at("agent"), "agentId");
  }
  void append(const std::string& source) {
    const std::int64_t number = ++events_;
    must(inbox().append(source, JsonObject{{"sourceNativeId", fmt::format("e{}", number)},
                                           {"eventVariant", "v"},
                                           {"metadata", JsonObject{{"n", number}}},
                                           {"rawPayload", JsonObject{{"text", payload_}}}}));
  }
  void append(std::size_t client) { append(sources_[client]); }
  void append_to_one(std::size_t /*client*/) { append(sources_[0]); }
  void whole(std::size_t client) {
    append(client);
    const Json read = must(inbox().entries(agents_[client], {.most = 1}));
    must(inbox().ack(agents_[client],
                     JsonObject{{"entryIds", JsonArray{read.at("entries").at(0).at("entryId")}}}));
  }
  void close() { opened_.reset(); }

 private:
  TemporaryFolder folder_;
  SystemClock clock_;
  OsRandom random_;
  std::optional<OpenInbox> opened_;
  std::string host_;
  std::vector<std::string> sources_, agents_;
  std::atomic<std::int64_t> events_ = 0;
  std::string payload_ = std::string(200, 'x');
};

using Step = void (BenchInbox::*)(std::size_t);

// So many of them on each of 32 threads.
void at_once(BenchInbox& inbox, Step step, int times) {
  std::vector<std::jthread> threads;
  for (std::size_t client = 0; client < kClients; ++client)
    threads.emplace_back([&inbox, step, client, times] {
      for (int i = 0; i < times; ++i) (inbox.*step)(client);
    });
}

double processor_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}
double passed_ns() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Work of both sides in turns: time that passes, and processor time of all threads together.
class Turns {
 public:
  struct Side {
    std::string name;
    std::function<void()> work;
    double items = 1;  // of one time
    int times = 1;     // a repetition
  };
  void add(Side side) { sides_.push_back({std::move(side), {}, {}}); }
  void run(Report& report) {
    for (int repetition = 0; repetition < kRepetitions; ++repetition)
      for (Taken& one : sides_) {
        const double from = passed_ns();
        const double processor_from = processor_ns();
        for (int i = 0; i < one.side.times; ++i) one.side.work();
        const double items = one.side.items * one.side.times;
        one.processor.push_back((processor_ns() - processor_from) / items);
        one.passed.push_back((passed_ns() - from) / items);
      }
    for (const Taken& one : sides_) {
      report.set(one.side.name, Unit::us, median(one.passed) / 1e3);
      report.set(one.side.name + ", processor", Unit::us, median(one.processor) / 1e3);
    }
  }

 private:
  struct Taken {
    Side side;
    std::vector<double> passed, processor;
  };
  std::vector<Taken> sides_;
};

void compare_both(Report& report, const Comparison& comparison) {
  report.compare(comparison);
  report.compare({comparison.id, comparison.what + ", processor", comparison.ours + ", processor",
                  comparison.baseline + ", processor", Goal::none()});
}

void one_client(Report& report) {
  fmt::print(stderr, "bench: P9: one client\n");
  BenchInbox inbox(1);
  const TemporaryFolder folder;
  RawFlow raw(folder.file("raw.db"));
  KeptFlow kept(folder.file("kept.db"), 1);
  Turns turns;
  turns.add({"ours: append", [&] { inbox.append(std::size_t{0}); }, 1, kPasses});
  turns.add({"raw: one row a commit", [&] { raw.append(1); }, 1, kPasses});
  turns.add({"ours: whole flow", [&] { inbox.whole(0); }, 1, kPasses});
  turns.add({"raw: whole flow", [&] { raw.whole(1); }, 1, kPasses});
  turns.add({"by hand: our rows, one a commit", [&] { kept.append(1); }, 1, kPasses});
  turns.add({"by hand: our rows, whole flow", [&] { kept.whole(1); }, 1, kPasses});
  turns.run(report);
  compare_both(report, {"P9", "append, one client : a raw commit", "ours: append",
                        "raw: one row a commit", Goal::none()});
  compare_both(report, {"P9", "append, read, ack, one client : raw", "ours: whole flow",
                        "raw: whole flow", Goal::none()});
  compare_both(report, {"P9", "append, one client : our rows by hand", "ours: append",
                        "by hand: our rows, one a commit", Goal::speed_at_least(0.5)});
  compare_both(report,
               {"P9", "append, read, ack, one client : our rows by hand", "ours: whole flow",
                "by hand: our rows, whole flow", Goal::speed_at_least(0.5)});
}

void many_clients(Report& report) {
  fmt::print(stderr, "bench: P9: 32 clients\n");
  BenchInbox inbox(kClients);
  const TemporaryFolder folder;
  RawFlow raw(folder.file("raw.db"));
  KeptFlow kept(folder.file("kept.db"), kClients);
  constexpr double kItems = kClients * kEach;
  Turns turns;
  turns.add({"ours: append, 32 at once", [&] { at_once(inbox, &BenchInbox::append_to_one, kEach); },
             kItems, 1});
  turns.add({"raw: 32 rows a commit",
             [&] {
               for (int i = 0; i < kEach; ++i) raw.append(kClients);
             },
             kItems, 1});
  turns.add({"ours: whole flow, 32 at once", [&] { at_once(inbox, &BenchInbox::whole, kEach); },
             kItems, 1});
  turns.add({"raw: whole flow, 32 a commit",
             [&] {
               for (int i = 0; i < kEach; ++i) raw.whole(kClients);
             },
             kItems, 1});
  turns.add({"by hand: our rows, 32 a commit",
             [&] {
               for (int i = 0; i < kEach; ++i) kept.append_to_one(kClients);
             },
             kItems, 1});
  turns.add({"by hand: our rows, whole flow, 32 a commit",
             [&] {
               for (int i = 0; i < kEach; ++i) kept.whole(kClients);
             },
             kItems, 1});
  turns.run(report);
  compare_both(report, {"P9", "append, 32 at once : raw, 32 a commit", "ours: append, 32 at once",
                        "raw: 32 rows a commit", Goal::none()});
  compare_both(report,
               {"P9", "whole flow, 32 at once : raw, 32 a commit", "ours: whole flow, 32 at once",
                "raw: whole flow, 32 a commit", Goal::none()});
  compare_both(report, {"P9", "append, 32 at once : our rows by hand", "ours: append, 32 at once",
                        "by hand: our rows, 32 a commit", Goal::speed_at_least(0.5)});
  compare_both(report,
               {"P9", "whole flow, 32 at once : our rows by hand", "ours: whole flow, 32 at once",
                "by hand: our rows, whole flow, 32 a commit", Goal::speed_at_least(0.5)});
}

// What the process wrote so far, as the kernel counts it.
double written_bytes() {
  std::ifstream file("/proc/self/io");
  std::string name;
  for (double value = 0; file >> name >> value;)
    if (name == "wchar:") return value;
  return 0;
}

double bytes_of_event(int events) {
  BenchInbox inbox(1);
  const double before = written_bytes();
  at_once(inbox, &BenchInbox::append_to_one, events / kClients);
  inbox.close();  // with what waits in the log
  return (written_bytes() - before) / events;
}

void growth(Report& report) {
  fmt::print(stderr, "bench: P9: bytes\n");
  const char* const few = "ours: bytes written for one of 1,000";
  const char* const many = "ours: bytes written for one of 100,000";
  report.set(few, Unit::bytes, bytes_of_event(1'024));
  report.set(many, Unit::bytes, bytes_of_event(100'000));
  report.compare(
      {"P9", "bytes an event, of 100,000 : of 1,000", many, few, Goal::time_at_most(1.2)});
}

void filters(Report& report) {
  fmt::print(stderr, "bench: P10: {} subscriptions\n", kSubscriptions);
  BenchInbox without(1);
  BenchInbox inbox(1);
  const std::string crowded = inbox.add_source("crowded");
  const std::string agent = inbox.add_agent();
  for (int i = 0; i < kSubscriptions; ++i)
    must(inbox.inbox().subscribe(JsonObject{
        {"agentId", agent},
        {"sourceId", crowded},
        {"filter",
         JsonObject{{"expr", fmt::format("metadata.n == -{} && glob(payload.text, \"release/*\")",
                                         1 + i % 1'000)}}}}));
  inbox.append(crowded);  // reads the filters
  Turns turns;
  turns.add({"ours: a filter", [&] { inbox.append(crowded); }, kSubscriptions, 3});
  turns.add({"ours: append beside idle subscriptions", [&] { inbox.append(std::size_t{0}); }, 1,
             kPasses});
  turns.add({"ours: append without", [&] { without.append(std::size_t{0}); }, 1, kPasses});
  turns.run(report);
  report.compare({"P10", "one of 10,000 filters that do not match, processor",
                  "ours: a filter, processor", "", Goal::at_most(1)});
  report.compare({"P10", "the same, time that passes", "ours: a filter", "", Goal::none()});
  compare_both(report, {"P10", "append beside 10,000 idle subscriptions : without",
                        "ours: append beside idle subscriptions", "ours: append without",
                        Goal::time_at_most(1.2)});
}

}  // namespace

void bench_inbox(Report& report) {
  try {
    one_client(report);
    many_clients(report);
    growth(report);
    bench_inbox_http(report);
  } catch (const std::exception& thrown) {
    fmt::print(stderr, "bench: P9: {}\n", thrown.what());
  }
}

void bench_filters(Report& report) {
  try {
    filters(report);
  } catch (const std::exception& thrown) {
    fmt::print(stderr, "bench: P10: {}\n", thrown.what());
  }
}

}  // namespace alfred::bench
